import type { Parsed } from '../result';
import { notRead, ok } from '../result';
export const shorten = (text: string, maxLength = 60) =>
	text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** Without these characters at its end. Unlike an expression, it looks at each of them once. */
export function withoutEnd(text: string, chars: string): string {
	let end = text.length;
	while (end > 0 && chars.includes(text[end - 1])) end--;
	return text.slice(0, end);
}

/** In a Unicode form, unless heaps of accents stand on a letter: those would take the square of their length. */
export const normalize = (text: string, form: 'NFC' | 'NFKC' | 'NFKD') =>
	/[\p{M}\uff9e\uff9f]{31}/u.test(text) ? text : text.normalize(form);

/** A text as people see it: without repeated spaces, and in one Unicode form. */
export const visibleText = (text: string): string =>
	normalize(text, 'NFC').replace(/\s+/g, ' ').trim();

export const quote = (value: unknown): string =>
	// A date is a text in JSON.
	`"${shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)).replace(/^"|"$/g, ''))}"`;

export function isEmpty(value: unknown): value is undefined | null | '' {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** A cell that begins like a formula has an apostrophe before it, which CSV files show. */
export const withoutApostrophe = (cell: string) => cell.replace(/^'(?=[=+@-])/, '');

/** Lengths are in code points: an emoji counts as one. */
export function toText(
	value: unknown,
	{ minLength = 0, maxLength = Infinity }: { minLength?: number; maxLength?: number } = {},
): Parsed<string> {
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
		return notRead(`must be text, got ${quote(value)}`);
	}
	if (typeof value === 'number' && !Number.isFinite(value)) {
		return notRead(`must be text, got ${String(value)}`);
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return notRead(`has more digits than a number keeps (${value}). Give it as text`);
	}
	const text = String(value).trim();
	const length = [...text].length;
	if (length > maxLength) {
		return notRead(
			`can have at most ${maxLength} characters, this one has ${length}: ${quote(text)}`,
		);
	}
	if (length < minLength) {
		return notRead(`must have at least ${minLength} characters, got ${quote(text)}`);
	}
	return ok(text);
}

/** ISO 4217 */
export function toCurrency(value: unknown): Parsed<string> {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (/^[A-Z]{3}$/.test(code)) return ok(code);
	return notRead(`must be a currency code of 3 letters such as EUR, got ${quote(value)}`);
}

export function toUuid(value: unknown): Parsed<string> {
	const id = typeof value === 'string' ? value.trim() : '';
	if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id)) return ok(id);
	return notRead(
		`must be an ID in UUID format such as 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d, got ${quote(value)}`,
	);
}

export function toEmail(value: unknown): Parsed<string> {
	const email = typeof value === 'string' ? value.trim() : '';
	if (/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/.test(email)) return ok(email);
	return notRead(`must be an email address, got ${quote(value)}`);
}

export function toUri(value: unknown): Parsed<string> {
	const text = typeof value === 'string' ? value.trim() : '';
	try {
		if (/^https?:$/.test(new URL(text).protocol)) return ok(text);
	} catch {
		// Reported below.
	}
	return notRead(`must be a complete address that starts with https://, got ${quote(value)}`);
}

export function toInteger(
	value: unknown,
	{
		min = Number.MIN_SAFE_INTEGER,
		max = Number.MAX_SAFE_INTEGER,
	}: { min?: number; max?: number } = {},
): Parsed<number> {
	const isNumber =
		typeof value === 'number' ||
		(typeof value === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(value));
	const number = isNumber ? Number(value) : NaN;
	if (!Number.isSafeInteger(number)) return notRead(`must be a whole number, got ${quote(value)}`);
	if (number >= min && number <= max) return ok(number);
	if (max === Number.MAX_SAFE_INTEGER) return notRead(`must be ${min} or more, got ${number}`);
	return notRead(`must be from ${min} to ${max}, got ${number}`);
}

export function toBoolean(value: unknown): Parsed<boolean> {
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (['true', 'yes', '1'].includes(text)) return ok(true);
	if (['false', 'no', '0'].includes(text)) return ok(false);
	return notRead(`must be true or false, got ${quote(value)}`);
}

/** Reads a list, JSON, or a single text. */
export function toList(value: unknown): Parsed<string[]> {
	if (typeof value === 'string' && value.trim().startsWith('[')) {
		try {
			return toList(JSON.parse(value));
		} catch {
			// Not JSON, but text that begins with a bracket.
		}
	}
	const list = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
		(one) => !isEmpty(one),
	);
	const wrong = list.find((one) => typeof one !== 'string' && typeof one !== 'number');
	if (wrong !== undefined) return notRead(`must be a list of texts, got ${quote(wrong)}`);
	return ok(list.map(String));
}

export function toOption(value: unknown, options: readonly string[]): Parsed<string> {
	const wanted = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const option = options.find((one) => one.toLowerCase() === wanted);
	if (option !== undefined) return ok(option);
	return notRead(`must be one of ${options.join(', ')}, got ${quote(value)}`);
}

/** Reads a list, JSON, or text with commas. */
export function toOptions(value: unknown, options: readonly string[]): Parsed<string[]> {
	const list = toList(value);
	if (!list.ok) return list;
	const chosen = list.value
		.flatMap((text) => text.split(','))
		.filter((text) => !isEmpty(text))
		.map((text) => toOption(text, options));
	const problem = chosen.find((outcome) => !outcome.ok);
	if (problem) return problem;
	return ok([...new Set(chosen.flatMap((one) => (one.ok ? [one.value] : [])))]);
}

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const plainLetters: Record<string, string> = {
	ł: 'l',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	ħ: 'h',
	ŧ: 't',
	ı: 'i',
	ĸ: 'k',
	œ: 'oe',
	æ: 'ae',
	ß: 'ss',
	þ: 'th',
};

/** In lower case and without accents: `Œuvre` becomes `oeuvre`, `Łódź` becomes `lodz`. */
export const fold = (text: string): string =>
	normalize(text, 'NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[łøđðħŧıĸœæßþ]/g, (letter) => plainLetters[letter]);

/** `text` must not be empty. */
export const capitalize = (text: string) => text[0].toUpperCase() + text.slice(1);
