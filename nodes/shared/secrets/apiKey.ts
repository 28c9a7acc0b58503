/**
 * Takes the API key out of texts, in every form that a service or a proxy is likely to give it: in other capitals, escaped for JSON,
 * URLs or HTML (once or several times), reversed, in hexadecimal, in Base64 alone or within another text, such as `user:key`.
 * It gives up on keys that are compressed, encrypted or cut into pieces.
 */
const shownInstead = '(API key)';

/** Successful responses are not searched for a shorter key: it is no secret, and may be part of ordinary words. */
const minSecretLength = 8;

/** `isThorough`: also looks for unknown ways of escaping, which takes longer. */
type Replace = (text: string, isThorough: boolean) => string;

const unchanged: Replace = (text) => text;

/** One, because nearly all requests of a process have the same key. */
let latest: { key: string; replace: Replace } = { key: '', replace: unchanged };

/** For all that a service or n8n says. The whole text is searched, so that a key is found wherever the text is cut later. */
export function withoutKey(text: string, apiKey: unknown, isThorough = true): string {
	const key = String(apiKey ?? '').trim();
	if (latest.key !== key) latest = { key, replace: replacerOf(key) };
	return latest.replace(text, isThorough);
}

/** For successful responses, before anything reads them. */
export const withoutSecretKey = (text: string, apiKey: unknown): string =>
	isSecret(apiKey) ? withoutKey(text, apiKey, false) : text;

const isSecret = (apiKey: unknown) => String(apiKey ?? '').trim().length >= minSecretLength;

/** Whether a request would hand the key to the service’s users, e.g. as the title of an invoice. */
export const holdsSecretKey = (value: unknown, apiKey: unknown): boolean => {
	if (!isSecret(apiKey)) return false;
	const text = JSON.stringify(value) ?? '';
	return withoutKey(text, apiKey) !== text;
};

/** Nothing is escaped without one of these. An address has a plain & before each parameter. */
const anyEscape = /\\|%[\da-f]{2}|&(?:#|[a-z]{2,8};)/i;

function replacerOf(key: string): Replace {
	if (!key) return unchanged;
	const spelling = new RegExp([...key].map(spellingsOf).join(''), 'gi');
	const encoded = encodedForms(key);
	const inAnyCase = new RegExp(encoded.inAnyCase.map(escapeRegExp).join('|'), 'gi');
	const exact = new RegExp(encoded.exact.map(escapeRegExp).join('|'), 'g');
	const holdsPlain = (text: string) => text.toLowerCase().includes(key.toLowerCase());
	const inLowerCase = [key, ...encoded.inAnyCase].map((form) => form.toLowerCase());
	const mayHold = (text: string, isThorough: boolean) => {
		const lower = text.toLowerCase();
		return (
			inLowerCase.some((form) => lower.includes(form)) ||
			encoded.exact.some((form) => text.includes(form)) ||
			(anyEscape.test(text) && (isThorough || text.search(spelling) >= 0))
		);
	};
	return (text, isThorough) => {
		if (!mayHold(text, isThorough)) return text;
		const hidden = text
			.replace(spelling, shownInstead)
			.replace(inAnyCase, shownInstead)
			.replace(exact, shownInstead);
		// The key may be escaped in an unknown way.
		return holdsPlain(removeEscaping(hidden)) ? '(hidden, for it holds the API key)' : hidden;
	};
}

function encodedForms(key: string) {
	const bytes = Buffer.from(key);
	return {
		inAnyCase: [bytes.toString('hex'), [...key].reverse().join('')],
		exact: [0, 1, 2].flatMap((before) => {
			const form = base64Within(bytes, before);
			return [form, form.replace(/\+/g, '-').replace(/\//g, '_')];
		}),
	};
}

/** What the Base64 of any text has in common that holds `bytes` after `before` other bytes, or after three more, and so on. */
function base64Within(bytes: Buffer, before: number): string {
	const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
	const isWhole = (before + bytes.length) % 3 === 0;
	const last = Math.floor(((before + bytes.length) * 8) / 6);
	return text.slice(Math.ceil((before * 8) / 6), isWhole ? undefined : last);
}

const entities: Record<string, string> = {
	'!': 'excl',
	'"': 'quot',
	'#': 'num',
	$: 'dollar',
	'%': 'percnt',
	'&': 'amp',
	"'": 'apos',
	'(': 'lpar',
	')': 'rpar',
	'*': 'ast',
	'+': 'plus',
	',': 'comma',
	'-': 'hyphen',
	'.': 'period',
	'/': 'sol',
	':': 'colon',
	';': 'semi',
	'<': 'lt',
	'=': 'equals',
	'>': 'gt',
	'?': 'quest',
	'@': 'commat',
	'\\': 'bsol',
	_: 'lowbar',
	'|': 'verbar',
};

const escapeRegExp = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

function spellingsOf(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	const escaped = `u\\{?0*${hex}\\}?|u${hex.padStart(4, '0')}|x${hex.padStart(2, '0')}`;
	const percent = [...Buffer.from(char)].map((byte) => byte.toString(16).padStart(2, '0'));
	const named = entities[char] ? `|${entities[char]};` : '';
	return [
		// Text that was escaped more than once has several backslashes.
		`(?:\\\\{1,8}(?:${escaped})|\\\\{0,8}${escapeRegExp(char)}`,
		`(?:%(?:25)*${percent.join('%(?:25)*')})`,
		`&(?:amp;)*(?:#0*${code};?|#x0*${hex};?${named}))`,
	].join('|');
}

function removeEscaping(text: string): string {
	const names = new Map(Object.entries(entities).map(([char, name]) => [name, char]));
	let rest = text;
	for (let round = 0; round < 5; round++) {
		const before = rest;
		rest = rest
			.replace(
				/(?<!\\)\\+(?:u\{?([\da-f]{1,6})\}?|x([\da-f]{2}))/gi,
				(all, long?: string, short?: string) => charOf(parseInt(long ?? short ?? '', 16), all),
			)
			.replace(/%([\da-f]{2})/gi, (all, hex: string) => charOf(parseInt(hex, 16), all))
			.replace(/&#x0*([\da-f]{1,6});?/gi, (all, hex: string) => charOf(parseInt(hex, 16), all))
			.replace(/&#0*(\d{1,7});?/g, (all, digits: string) => charOf(Number(digits), all))
			.replace(/&(\w{1,40});/g, (all, name: string) => names.get(name.toLowerCase()) ?? all);
		if (rest === before) break;
	}
	return rest.replace(/\\/g, '');
}

const charOf = (code: number, otherwise: string) =>
	code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
