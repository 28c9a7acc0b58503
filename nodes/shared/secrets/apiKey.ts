/**
 * Takes the API key out of texts, in every form that a service or a proxy is likely to give it: in other capitals, escaped for JSON,
 * URLs or HTML (once or several times), in Base64 alone or within another text, such as `user:key`.
 */
const shownInstead = '(API key)';

/** Successful responses are not searched for a shorter key: it is no secret, and may be part of ordinary words. */
const minSecretLength = 8;

type Replace = (text: string) => string;

/** One, because nearly all requests of a process have the same key. */
let latest: { key: string; replace: Replace } = { key: '', replace: (text) => text };

/** For all that a service or n8n says. The whole text is searched, so that a key is found wherever the text is cut later. */
export function withoutKey(text: string, apiKey: unknown): string {
	const key = String(apiKey ?? '').trim();
	if (!key) return text;
	if (latest.key !== key) latest = { key, replace: replacerOf(key) };
	return latest.replace(text);
}

/** For successful responses, before anything reads them. */
export const withoutSecretKey = (text: string, apiKey: unknown): string =>
	isSecret(apiKey) ? withoutKey(text, apiKey) : text;

const isSecret = (apiKey: unknown) => String(apiKey ?? '').trim().length >= minSecretLength;

/** Whether a request would hand the key to the service’s users, e.g. as the title of an invoice. */
export const holdsSecretKey = (value: unknown, apiKey: unknown): boolean => {
	const text = JSON.stringify(value) ?? '';
	return withoutSecretKey(text, apiKey) !== text;
};

function replacerOf(key: string): Replace {
	const spelling = new RegExp([...key].map(spellingsOf).join(''), 'gi');
	const base64 = new RegExp(base64Forms(key).map(escapeRegExp).join('|'), 'g');
	return (text) => text.replace(spelling, shownInstead).replace(base64, shownInstead);
}

function base64Forms(key: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const form = base64Within(Buffer.from(key), before);
		return [form, form.replace(/\+/g, '-').replace(/\//g, '_')];
	});
}

/** What the Base64 of any text has in common that holds `bytes` after `before` other bytes, or after three more, and so on. */
function base64Within(bytes: Buffer, before: number): string {
	const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
	const isWhole = (before + bytes.length) % 3 === 0;
	const last = Math.floor(((before + bytes.length) * 8) / 6);
	return text.slice(Math.ceil((before * 8) / 6), isWhole ? undefined : last);
}

/** Other signs are escaped by their number. */
const entities: Record<string, string> = {
	'"': 'quot',
	'&': 'amp',
	"'": 'apos',
	'+': 'plus',
	'/': 'sol',
	'<': 'lt',
	'=': 'equals',
	'>': 'gt',
};

const escapeRegExp = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

function spellingsOf(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	const escaped = `u0*${hex}|x${hex.padStart(2, '0')}`;
	const percent = [...Buffer.from(char)].map((byte) => byte.toString(16).padStart(2, '0'));
	const named = entities[char] ? `|${entities[char]};` : '';
	return [
		// Text that was escaped more than once has several backslashes.
		`(?:\\\\{1,8}(?:${escaped})|\\\\{0,8}${escapeRegExp(char)}`,
		`(?:%(?:25)*${percent.join('%(?:25)*')})`,
		`(?:&|\\\\{1,8}u0026)(?:(?:amp|#38|#x26);)*(?:#0*${code};?|#x0*${hex};?${named}))`,
	].join('|');
}
