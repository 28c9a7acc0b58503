import { toMoney } from '../../shared/fields/decimal';
import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { currenciesOf } from './currencies';

export type Separator = 'point' | 'comma';

export interface NumberFormat {
	decimalSeparator?: Separator;
	inferredSeparator?: Separator;
	/** Whether the sheet has both decimal points and decimal commas. */
	isMixed?: boolean;
	/** Whether other cells certainly have three decimals, so that `1.500` can be 1.5. */
	hasThreeDecimals?: boolean;
}

const spaces = ' \u00a0\u2009\u202f';

/** Numbers with groups of three digits, by decimal separator. Groups never use that separator. */
const grouped = {
	point: new RegExp(`^-?[1-9]\\d{0,2}([,'’${spaces}])\\d{3}(?:\\1\\d{3})*(?:\\.\\d*)?$`),
	comma: new RegExp(`^-?[1-9]\\d{0,2}([.'’${spaces}])\\d{3}(?:\\1\\d{3})*(?:,\\d*)?$`),
};
const ungrouped = { point: /^-?\d*(?:\.\d*)?$/, comma: /^-?\d*(?:,\d*)?$/ };

export interface Amount {
	value: string;
	currency?: string;
}

/** Reads an exact decimal string (spec 2.1). Rejects text with two meanings (`1.234`), unless the format decides. */
export function readAmount(cell: unknown, format: NumberFormat): Parsed<Amount> {
	if (typeof cell !== 'string') {
		const outcome = toMoney(typeof cell === 'number' ? withoutNoise(cell) : cell);
		return 'problem' in outcome ? outcome : { value: { value: outcome.value } };
	}
	const { digits, currency } = withoutCurrency(cell);
	if (/\p{L}|\p{Sc}/u.test(digits)) {
		return { problem: `must be an amount such as 19.99, got ${quote(cell)}` };
	}
	const outcome = readDigits(digits, cell, format);
	if ('problem' in outcome) return outcome;
	if (currency !== undefined && currenciesOf(currency).length === 0) {
		return {
			problem: `must be an amount, got ${quote(cell)}. ${quote(currency)} is not a currency`,
		};
	}
	return { value: { value: outcome.value, ...(currency !== undefined && { currency }) } };
}

/** Reads a quantity as a decimal string. It may be negative or have decimals. */
export function readQuantity(cell: unknown, format: NumberFormat): Parsed<string> {
	if (typeof cell === 'number') return toMoney(withoutNoise(cell));
	const digits = String(cell).trim();
	if (!/\d/.test(digits))
		return { problem: `must be a number such as 2 or 1.5, got ${quote(cell)}` };
	if (typeof cell !== 'string' || /[^-+\d.,'’\s]/.test(digits)) {
		const problem = `must be a number without a unit such as 2 or 1.5, got ${quote(cell)}. The unit can stand in the item's name`;
		return { problem };
	}
	return readDigits(digits.replace(/^\+/, ''), cell, format);
}

/** Drops floating-point noise, which no sheet shows: 19.989999999999998 is 19.99. */
const withoutNoise = (number: number) =>
	Number.isFinite(number) ? Number(number.toPrecision(15)) : number;

const figure = `[-\\d.,'’${spaces}]*\\d[\\d.,'’${spaces}]*`;
const currencySign = '[\\p{L}\\p{Sc}][\\p{L}\\p{Sc}.]*';
const amountWithCurrency = new RegExp(
	`^(-?)[${spaces}]*(?:(${currencySign})[${spaces}]*)?(${figure})(${currencySign})?$`,
	'u',
);

/** Splits an amount from its currency: `€ 80,50`, `1.200,00 EUR`. `(12.50)` is an accountant's -12.50. */
function withoutCurrency(cell: string): { digits: string; currency?: string } {
	// `100.-` and `1.000,--` have no cents, and accounting programs write -80.00 as `80,00-`.
	const text = cell
		.trim()
		.replace(/(\d\.\d{3}),[-–—]{1,2}(?=\s|\p{L}|\p{Sc}|$)/u, '$1,00')
		.replace(/(\d)[.,:][-–—]{1,2}(?=\s|\p{L}|\p{Sc}|$)/u, '$1')
		.replace(/^([^-]*\d[.,]\d{2})-(?=\s|\p{L}|\p{Sc}|$)/u, '-$1')
		.replace(/^\+/, '');
	const brackets = new RegExp(
		`^((?:${currencySign})?)[${spaces}]*\\((.*)\\)[${spaces}]*((?:${currencySign})?)$`,
		'u',
	).exec(text);
	const isNegative = brackets !== null && !/^\s*-/.test(brackets[2]);
	const inner = isNegative ? `${brackets[1]}${brackets[2]}${brackets[3]}` : text;
	const [, minus, before, number, after] = amountWithCurrency.exec(inner) ?? [];
	if (number === undefined || (before && after)) return { digits: text };
	const sign = minus || isNegative ? '-' : '';
	return { digits: `${sign}${number.trim()}`, currency: before ?? after };
}

/** Matches groups that cannot be decimals: `1'234`, `1 234`, and Indian `1,23,456.00`. */
const clearlyGrouped = new RegExp(
	`^-?(?:[1-9]\\d{0,2}(['’${spaces}])\\d{3}(?:\\1\\d{3})*|[1-9]\\d?(?:,\\d{2})+,\\d{3})(?:\\.\\d{1,2})?$`,
);

const ambiguousNumber = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

function readDigits(digits: string, cell: string, format: NumberFormat): Parsed<string> {
	const separator = format.decimalSeparator ?? separatorFor(digits, format);
	if (!separator || (separator === 'point' && clearlyGrouped.test(digits))) {
		return readWithoutSeparator(digits, cell, format);
	}
	const isGrouped = grouped[separator].test(digits);
	if (!isGrouped && !ungrouped[separator].test(digits)) {
		if (!format.decimalSeparator) return readWithoutSeparator(digits, cell, format);
		if (/[^-\d.,'’\s]/.test(digits)) return toMoney(cell.trim());
		const example = separator === 'comma' ? '1.234,50' : '1,234.50';
		const problem = `must be written like ${example}, as set in 'Decimal Separator', got ${quote(cell)}`;
		return { problem };
	}
	const plain = isGrouped
		? digits.replace(separator === 'comma' ? /[.'’\s]/g : /[,'’\s]/g, '')
		: digits;
	return toMoney(plain.replace(',', '.'));
}

/** The inferred separator, unless it makes `1.500` mean 1.5: three decimals are rare, so other cells must show them. */
function separatorFor(digits: string, { inferredSeparator, hasThreeDecimals }: NumberFormat) {
	const decimal = digits.includes(',') ? 'comma' : 'point';
	const isUnclear =
		ambiguousNumber.test(digits) && decimal === inferredSeparator && !hasThreeDecimals;
	return isUnclear ? undefined : inferredSeparator;
}

/** Reads digits if the decimal separator is unknown. A number with two meanings is a problem. */
function readWithoutSeparator(
	digits: string,
	cell: string,
	{ isMixed }: NumberFormat,
): Parsed<string> {
	if (clearlyGrouped.test(digits)) return toMoney(digits.replace(/[,'’\s]/g, ''));
	if (ambiguousNumber.test(digits) && digits.includes('.')) {
		const both = `${digits.replace('.', '')} or ${digits.replace(/0+$/, '').replace(/\.$/, '')}`;
		return { problem: `could mean ${both}, got ${quote(cell)}: set 'Decimal Separator'` };
	}
	const outcome = toMoney(digits);
	const isAboutSeparators =
		'problem' in outcome && /^[-\d.,'’\s]+$/.test(digits) && /[,'’\s]|\..*\./.test(digits);
	if (!isAboutSeparators) return outcome;
	const fix = isMixed
		? '. Other figures have a point before the decimals: write all of them alike'
		: ", or set 'Decimal Separator'";
	return { problem: `${outcome.problem}${fix}` };
}

/** How the cells of a column write numbers. */
export interface NumberEvidence {
	/** The decimal separators that cells prove: `12,50`, `1234,500` and `1.250,00` do, `1.250` does not. */
	separators: Set<Separator>;
	/** Whether a number certainly has three decimals: `0.125`, `1234.500`. */
	hasThreeDecimals: boolean;
}

export function numberEvidence(cells: unknown[]): NumberEvidence {
	const figures = cells.flatMap((cell) => digitsOf(cell) ?? []);
	return {
		separators: new Set(figures.flatMap((figure) => separatorOf(figure) ?? [])),
		hasThreeDecimals: figures.some((figure) =>
			/^(?:0|\d{4,}|\d{1,3}(?:([.,'’\s])\d{3})+(?!\1))[.,]\d{3}$/.test(figure),
		),
	};
}

/** The format of a column from its own cells and from the separators of the whole sheet. */
export const numberFormat = (
	{ separators, hasThreeDecimals }: NumberEvidence,
	ofSheet: ReadonlySet<Separator>,
	decimalSeparator: Separator | undefined,
): NumberFormat => ({
	decimalSeparator,
	// One column is enough to prove a decimal point. A decimal comma needs the whole sheet.
	inferredSeparator: soleSeparator(separators) === 'point' ? 'point' : soleSeparator(ofSheet),
	isMixed: ofSheet.size > 1,
	hasThreeDecimals,
});

export const soleSeparator = (separators: ReadonlySet<Separator>): Separator | undefined =>
	separators.size === 1 ? [...separators][0] : undefined;

function digitsOf(cell: unknown): string | undefined {
	if (typeof cell !== 'string') return undefined;
	const digits = withoutCurrency(cell.replace(/%\s*$/, '')).digits.replace(/^-/, '');
	return /^\d[\d.,'’\s]*$|^[.,]\d+$/.test(digits) ? digits : undefined;
}

function separatorOf(figure: string): Separator | undefined {
	const separators = figure.match(/[.,]/g) ?? [];
	const [last] = separators.slice(-1);
	if (last === undefined || /\d[.,]\d{2}[.,]\d/.test(figure)) return undefined;
	const isComma = last === ',';
	const count = separators.filter((one) => one === last).length;
	if (count === 1) return ambiguousNumber.test(figure) ? undefined : isComma ? 'comma' : 'point';
	return count < separators.length ? undefined : isComma ? 'point' : 'comma';
}
