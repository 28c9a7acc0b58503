import { readJson } from './json';

/** Longer texts are cut here, because errors only show the beginning. */
const maxSearchedLength = 100_000;

/** Removes the API key, however it is escaped, card numbers and security codes. JSON stays JSON. */
export function hideSecrets(text: string, apiKey: unknown): string {
	const hideKey = keyHider(String(apiKey ?? '').trim());
	const raw = hideKey(text.slice(0, maxSearchedLength));
	const hide = (part: string) => hideKey(hideCards(hideKey(part)));
	try {
		return JSON.stringify(withoutSecrets(readJson(raw), hide));
	} catch {
		return hide(raw);
	}
}

function withoutSecrets(value: unknown, hide: (text: string) => string): unknown {
	if (typeof value === 'string') return hide(value);
	if (typeof value === 'number') return isCardNumber(String(value)) ? hiddenNumber : value;
	if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, hide));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !isCardField(name))
			.map(([name, inner]) => [hide(name), withoutSecrets(inner, hide)]),
	);
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

/** Replaces the key, also if it is escaped for JSON, URLs or HTML, once or several times. */
function keyHider(key: string): (text: string) => string {
	if (!key) return (text) => text;
	const spelling = new RegExp([...key].map(spellingsOf).join(''), 'gi');
	const encoded = new RegExp(
		escapeRegExp(Buffer.from(key).toString('base64').replace(/=+$/, '')),
		'g',
	);
	const holdsKey = (text: string) => text.toLowerCase().includes(key.toLowerCase());
	return (text) => {
		const hidden = text.replace(spelling, '(API key)').replace(encoded, '(API key)');
		// The key may be escaped in an unknown way.
		return holdsKey(removeEscaping(hidden)) ? '(hidden, for it holds the API key)' : hidden;
	};
}

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
			.replace(/&(\w+);/g, (all, name: string) => names.get(name.toLowerCase()) ?? all);
		if (rest === before) break;
	}
	return rest.replace(/\\/g, '');
}

const charOf = (code: number, otherwise: string) =>
	code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;

const hiddenNumber = '(card number)';
const hiddenCode = '(hidden)';

/** Whether a field contains card data under any name: `card_data`, `cardNumber`, `CVV`. */
function isCardField(name: string): boolean {
	const plain = name.replace(/[^a-z\d]/gi, '').toLowerCase();
	return /card(data|number|num|no|pan|code)|^pan$|primaryaccount|securitycode|cv[vcn]2?$|^csc$|verification(value|code)/.test(
		plain,
	);
}

/** For text that is not JSON. Drops everything after `card_data`, because nobody knows where it ends. */
function hideCards(text: string): string {
	const withoutCodes = text
		.replace(/(card[_ -]?data)[^]*/i, `$1 ${hiddenCode}`)
		.replace(
			/((?:card[_ -]?(?:number|num|no)|security[_ -]?code|cv[vcn]2?|csc)\b(?:&#?\w+;|\b(?:is|was|of)\b|[^\da-z]){0,12})\d(?:[\d +-]*\d)?/gi,
			`$1${hiddenCode}`,
		);
	return hideCardNumbers(withoutCodes);
}

const uuidPattern = /([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})/i;

const separator = /(%20|[ .+\u00a0-])/;
const digitsInGroups = new RegExp(`\\d(?:${separator.source}?\\d){12,}`, 'g');

function hideCardNumbers(text: string): string {
	return text
		.split(uuidPattern)
		.map((part, index) => {
			const isId = index % 2 === 1;
			return isId ? part : part.replace(digitsInGroups, hideInDigits);
		})
		.join('');
}

function hideInDigits(row: string): string {
	const parts = row.split(separator);
	const shown: string[] = [];
	for (let first = 0; first < parts.length; first++) {
		const last = first % 2 === 0 ? endOfCardNumber(parts, first) : undefined;
		shown.push(last === undefined ? parts[first] : hiddenNumber);
		first = last ?? first;
	}
	return shown.join('');
}

/** Index of the last group of the longest card number that begins at `first`. */
function endOfCardNumber(parts: string[], first: number): number | undefined {
	let digits = '';
	let end: number | undefined;
	for (let last = first; last < parts.length && digits.length < 19; last += 2) {
		digits += parts[last];
		if (isCardNumber(digits)) end = last;
	}
	return end;
}

/** Luhn check */
function isCardNumber(digits: string): boolean {
	if (!/^\d{13,19}$/.test(digits)) return false;
	const sum = [...digits].reverse().reduce((total, digit, place) => {
		const value = Number(digit) * (place % 2 ? 2 : 1);
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	return sum % 10 === 0;
}
