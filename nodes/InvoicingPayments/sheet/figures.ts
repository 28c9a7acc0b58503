import { isEmpty } from '../../shared/fields/text';
import { isCurrencyCode } from './currencies';
import { readDate } from './dateCells';
import type { NumberFormat } from './numberCells';
import { readAmount } from './numberCells';
import { toThousandths } from './scales';

/** The number in a cell, whatever its column is called. */
export interface Figure {
	/** `undefined` if ambiguous. Durations are in hours. */
	thousandths?: bigint;
	number?: number;
	isBareInteger: boolean;
	/** Whether it may be a code: a whole number, alone or before one word (`1011 AB`). */
	isCode: boolean;
	isDuration?: boolean;
	/** Whether it may be a time of day: `9:30`. */
	isClock?: boolean;
	isZero: boolean;
	currency?: string;
}

const toFigure = (thousandths: bigint | undefined, more: Partial<Figure> = {}): Figure => ({
	...(thousandths !== undefined && { thousandths, number: Number(thousandths) / 1000 }),
	isBareInteger: false,
	isCode: more.isBareInteger === true,
	isZero: thousandths === BigInt(0),
	...more,
});

export const withoutInvisible = (text: string) =>
	text.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '');

const plainText = (text: string) =>
	withoutInvisible(text.normalize('NFKC'))
		.replace(/[−–]/g, '-')
		.replace(/٫/g, '.')
		.replace(/٬/g, ',')
		.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)))
		.trim();

/** Unicode lists the digits of a script consecutively. */
function digitOf(codePoint: number): number {
	let zero = codePoint;
	while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && codePoint - zero < 9) zero--;
	return codePoint - zero;
}

/** The figure in a cell, also inside text or an object. `undefined` for codes (`PO-17`), addresses, dates and files. */
export function figureIn(
	cell: unknown,
	format: NumberFormat = {},
	isDay = isDate(cell),
): Figure | undefined {
	if (isEmpty(cell) || typeof cell === 'boolean') return undefined;
	if (typeof cell === 'number') return figureOfNumber(cell);
	if (typeof cell === 'object') {
		return isFile(cell) || cell instanceof Date ? undefined : figureInObject(cell, format);
	}
	if (isDay || !/\p{N}/u.test(String(cell))) return undefined;
	const text = plainText(String(cell));
	if (/^[[{]/.test(text)) return figureInJson(text, format);
	if (isNotAmount(text)) return undefined;
	return durationIn(text) ?? amountIn(text, format) ?? figureAmongWords(text);
}

function figureOfNumber(number: number): Figure | undefined {
	if (!Number.isFinite(number)) return undefined;
	const amount = readAmount(number, {});
	const isWhole = Number.isInteger(number);
	// Numbers too long for an amount are IDs of other programs, or timestamps.
	if ('problem' in amount) return isWhole ? undefined : toFigure(undefined, { number });
	return toFigure(toThousandths(amount.value.value), { isBareInteger: isWhole });
}

/** Whether a cell is only an amount with decimals or a currency. A bare integer may be a year or a customer number. */
export function isAmount(cell: unknown): boolean {
	const found = figureIn(cell);
	return (
		found?.thousandths !== undefined && !found.isBareInteger && !found.isCode && !found.isDuration
	);
}

const isFile = (cell: object) =>
	['mimeType', 'mimetype', 'fileName', 'filename'].some((key) => key in cell);

function figureInObject(cell: object | null, format: NumberFormat): Figure | undefined {
	const found = Object.values(cell ?? {})
		.map((one: unknown) => figureIn(one, format))
		.filter((one) => one !== undefined);
	if (found.length === 0) return undefined;
	return toFigure(undefined, { isZero: found.every(({ isZero }) => isZero) });
}

function figureInJson(text: string, format: NumberFormat): Figure | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' ? figureIn(value, format) : undefined;
	} catch {
		return figureAmongWords(text);
	}
}

/** Whether a cell is a date in any order, with or without a time. */
export function isDate(cell: unknown): boolean {
	if (typeof cell === 'number') return 'value' in readDate(cell, () => undefined, 'UTC');
	if (cell instanceof Date) return true;
	if (typeof cell !== 'string' || !/\d\D+\d/.test(cell)) return false;
	const [day] = cell.split(/[T,]?\s*\d{1,2}:\d{2}/);
	const texts = [...new Set([cell.trim(), day.trim()])].filter((text) => /\d\D/.test(text));
	return texts.some(
		(text) =>
			/^\d{1,4}([./-])\d{1,2}\1(?:\d{4}|\d{2})$/.test(text) ||
			'value' in readDate(text, () => 'dayMonth', 'UTC'),
	);
}

/** Matches codes, versions, phone numbers, IBANs, coordinates, ordinals, web and email addresses. */
const isNotAmount = (text: string) =>
	/^0\d+$/.test(text) ||
	// An IP address or a version, if its groups are not of three digits.
	(/^\d+(?:\.\d+){2,}$/.test(text) && !/^\d+(?:\.\d{3})+$/.test(text)) ||
	/^\+?\d{11,}$/.test(text) ||
	(/^\+[\d\s()./-]+$/.test(text) && /\s/.test(text) && text.replace(/\D/g, '').length >= 7) ||
	/^[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}[\sA-Z0-9]*$/.test(text) ||
	/^-?\d+\.\d{3,}\s*[,;]\s*-?\d+\.\d{3,}$/.test(text) ||
	/^\d{1,2}(?:st|nd|rd|th)$/i.test(text) ||
	/^\w+:\/\/|^[^\s@]+@[^\s@]+$/.test(text);

/** Reads `1:30`, `01:30:00`, `1h30`, `1h 30m` or `90 min` as hours. */
export function durationIn(text: string): Figure | undefined {
	const clock = /^(\d{1,4})(?::|\s?h\s?)([0-5]\d)(?::([0-5]\d))?$/i.exec(text);
	const words =
		/^(?:(\d{1,4})\s*h(?:rs?|ours?)?\.?)?\s*(?:(\d{1,4})\s*m(?:ins?|inutes?)?\.?)?$/i.exec(text);
	const [, hours = '0', minutes = '0', seconds = '0'] = clock ?? words ?? [];
	if (!clock && !words) return undefined;
	const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
	const thousandths = total % 3600 === 0 ? BigInt(total / 3600) : undefined;
	const isClock = clock !== null && Number(hours) < 24;
	return toFigure(thousandths, { isDuration: true, isClock, isZero: total === 0 });
}

/** Digits, grouped or not. Does not match `0171 234` or `14, 15`. */
const digits =
	"(?:0|[1-9]\\d{0,2}(?:([.,'’ \u00a0\u2009\u202f])\\d{2,3}(?:\\1\\d{3})*)?|[1-9]\\d*)?(?:[.,]\\d*)?";
const currencySign = '(?:\\p{L}{0,3}\\p{Sc}|\\p{L}{2,5}\\.?)';
const amountPattern = new RegExp(
	`^[-+(]*\\s*(?:${currencySign}\\s?)?[-(]*(?=[\\d.,])${digits}[-)]*\\s*(?:${currencySign})?[-)]*$`,
	'u',
);

function amountIn(text: string, format: NumberFormat): Figure | undefined {
	if (text.includes('%')) return undefined;
	const bare = text
		.replace(/^(?:c(?:irc)?a\.?\s*|[~≈<>±]\s*)|\s*\*$/gi, '')
		.replace(/[.,:]-+$/, '')
		.trim();
	if (!amountPattern.test(bare)) return undefined;
	const read = readAmount(bare, format);
	if ('value' in read) {
		const { value, currency } = read.value;
		return toFigure(toThousandths(value), { isBareInteger: /^-?\d+$/.test(text), currency });
	}
	// Letters that are no currency make it a name, or add a unit.
	return /\p{L}/u.test(bare) ? undefined : toFigure(undefined, { isZero: !/[1-9]/.test(bare) });
}

const hasCode = (text: string) =>
	[...text.matchAll(/(?<!\p{L})([A-Z]{3})\s?\d|\d\s?([A-Z]{3})(?!\p{L})/gu)].some(
		([, before, after]) => isCurrencyCode(before ?? after),
	);
const moneyInText =
	/\d\s*%|\p{Sc}\s?\d|\d\s?\p{Sc}|(?<![\d.])\d+[.,]\d{2}(?![\d.])|(?<![\p{L}\d])\d[\d.,]*\s*[x×*+]\s*\d[\d.,]*(?![\p{L}\d])/u;

/** A figure inside text, if it has a percent sign, a currency, two decimals or an operator, or one word after it. */
function figureAmongWords(text: string): Figure | undefined {
	const [, number, word] =
		/^([-+]?\d[\d.,]*)(\s*\p{L}{2,}|\s+\p{L})[^\p{L}\d]*$/u.exec(text) ??
		/^([-+]?\d[\d.,]*)\s*()\([^()\d]*\)$/.exec(text) ??
		[];
	const isZero = !/[1-9]/.test(text);
	if (number !== undefined && !/^0\d/.test(number)) {
		const read = readAmount(number, {});
		const isCode = /^\d+$/.test(number) && !hasCode(text) && word !== '';
		const value = 'value' in read ? toThousandths(read.value.value) : undefined;
		return toFigure(value, { isCode, isZero });
	}
	const isMoney = /^=.*\d/.test(text) || moneyInText.test(text) || hasCode(text);
	return isMoney ? toFigure(undefined, { isZero }) : undefined;
}
