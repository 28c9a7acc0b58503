import { mostDecimals, toDecimal, toMoney } from '../../../shared/fields/decimal';
import { quote } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead } from '../../../shared/result';
import { currenciesOf } from './currencies';

type Separator = 'point' | 'comma';

/** How a column writes numbers. A number that can mean only one thing, such as `12,50`, needs no `decimal`. */
export interface NumberFormat {
	decimal?: Separator;
	/** A person has said so: a number written otherwise is a problem. */
	isSaid?: boolean;
	/** `1.200` could be both, as it stands beside `99.50` or alone. */
	isMixed?: boolean;
	/** As many as are computed with, if not the service's 3. */
	decimals?: number;
}

const spaces = ' \u00a0\u2009\u202f';

/** Numbers with groups of three digits, by decimal separator. Groups never use that separator. */
const grouped = {
	point: new RegExp(`^-?[1-9]\\d{0,2}([,'’${spaces}])\\d{3}(?:\\1\\d{3})*(?:\\.\\d*)?$`),
	comma: new RegExp(`^-?[1-9]\\d{0,2}([.'’${spaces}])\\d{3}(?:\\1\\d{3})*(?:,\\d*)?$`),
};
const ungrouped = { point: /^-?\d*(?:\.\d*)?$/, comma: /^-?\d*(?:,\d*)?$/ };
/** `1'234`, `1 234`, and Indian `1,23,456.00`. */
const clearlyGrouped = new RegExp(
	`^-?(?:[1-9]\\d{0,2}(['’${spaces}])\\d{3}(?:\\1\\d{3})*|[1-9]\\d?(?:,\\d{2})+,\\d{3})(?:\\.\\d{1,2})?$`,
);
/** `1.250` and `1,250`: thousands, or three decimals. */
const ambiguous = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** Decimal text, with the currency beside an amount, or the unit of a quantity: `h` in `2 h`. */
export type ReadNumber = Parsed<string> & { currency?: string; unit?: string };

/** Reads an exact decimal (spec 2.1), also with a currency beside it. */
export function readAmount(cell: unknown, format: NumberFormat): ReadNumber {
	if (typeof cell !== 'string')
		return toDecimal(withoutNoise(cell), format.decimals ?? mostDecimals);
	const { digits, currency } = splitCurrency(cell);
	if (cell.trim().length > maxLength || /\p{L}|\p{Sc}/u.test(digits))
		return notRead(`must be an amount such as 19.99, got ${quote(cell)}`);
	const outcome = readDigits(digits, cell, format);
	if (outcome.ok && currency !== undefined && currenciesOf(currency).length === 0)
		return notRead(`must be an amount, got ${quote(cell)}. ${quote(currency)} is no currency`);
	return { ...outcome, ...(currency !== undefined && { currency }) };
}

/** Reads a quantity, which may be negative, have decimals and a unit: `2 h`, `12 pcs`. */
export function readQuantity(cell: unknown, format: NumberFormat): ReadNumber {
	if (typeof cell === 'number') return toMoney(withoutNoise(cell));
	const text = String(cell)
		.trim()
		.slice(0, maxLength + 1);
	const [, digits = '', unit] =
		/^([-+]?[.,]?\d[\d.,'’\s]*)(?:x|×|(\p{L}{1,12}\.?[23²³]?))?$/u.exec(text) ?? [];
	if (typeof cell !== 'string' || text.length > maxLength || digits === '')
		return notRead(`must be a number such as 2 or 1.5, got ${quote(cell)}`);
	return { ...readDigits(digits.replace(/^\+/, '').trim(), cell, format), ...(unit && { unit }) };
}

/** Drops floating-point noise, which no sheet shows: 19.989999999999998 is 19.99. */
const withoutNoise = (cell: unknown) =>
	Number.isFinite(cell) ? Number((cell as number).toPrecision(15)) : cell;

const sign = '[\\p{L}\\p{Sc}][\\p{L}\\p{Sc}.]*';
const signBefore = new RegExp(`^(-?)[${spaces}]*(${sign})?`, 'u');
const signAfter = new RegExp(`^([-\\d.,'’${spaces}]*)(${sign})?$`, 'u');
const inBrackets = new RegExp(
	`^((?:${sign})?)[${spaces}]*\\((.*)\\)[${spaces}]*((?:${sign})?)$`,
	'u',
);
const maxLength = 60;
/** `0.50/min` */
const perUnit = /\/(\p{L}{1,8})\.?\s*$/u;

/** Splits an amount from its currency: `€ 80,50`, `1.200,00 EUR`. `(12.50)` is an accountant's -12.50. */
function splitCurrency(cell: string): { digits: string; currency?: string } {
	// `100.-` and `1.000,--` have no cents, and accounting programs write -80.00 as `80,00-`.
	const text = cell
		.trim()
		.slice(0, maxLength)
		.replace(/[\u2212–](?=[\d.,])/g, '-')
		.replace(perUnit, '')
		.replace(/(\d\.\d{3}),[-–—]{1,2}(?=\s|\p{L}|\p{Sc}|$)/u, '$1,00')
		.replace(/(\d)[.,:][-–—]{1,2}(?=\s|\p{L}|\p{Sc}|$)/u, '$1')
		.replace(/^([^-]*\d[.,]\d{2})-(?=\s|\p{L}|\p{Sc}|$)/u, '-$1')
		.replace(/^\+/, '');
	const brackets = inBrackets.exec(text);
	const isNegative = brackets !== null && !/^\s*-/.test(brackets[2]);
	const inner = isNegative ? `${brackets[1]}${brackets[2]}${brackets[3]}` : text;
	const [start, minus, before] = signBefore.exec(inner) as Array<string | undefined>;
	const [, number = '', after] = signAfter.exec(inner.slice(start?.length)) ?? [];
	const isNumber = /\d/.test(number.slice(number.lastIndexOf('-') + 1));
	if (!isNumber || (before && after)) return { digits: text };
	return {
		digits: `${minus || isNegative ? '-' : ''}${number.trim()}`,
		currency: before ?? after,
	};
}

function readDigits(digits: string, cell: string, format: NumberFormat) {
	const { decimal, isSaid, isMixed, decimals: most = mostDecimals } = format;
	if (isMixed && !isSaid && ambiguous.test(digits)) {
		const [thousands, decimals] = [digits.replace(/[.,]/, ''), digits.replace(',', '.')];
		const problem = `could mean ${thousands} or ${Number(decimals)}, got ${quote(cell)}. Write it with two decimals, or without a separator`;
		return notRead(problem);
	}
	const own = clearlyGrouped.test(digits) ? 'point' : separatorOf(digits);
	const separator = isSaid ? decimal : (own ?? decimal);
	if (separator === undefined || (separator === 'point' && clearlyGrouped.test(digits))) {
		const isWhole = /^-?\d*$/.test(digits) || ambiguous.test(digits) || clearlyGrouped.test(digits);
		// `12 50` and `10,20,30` are several numbers.
		return toDecimal(isWhole ? digits.replace(/['’\s]|,(?=\d{2,3}\b)/g, '') : cell.trim(), most);
	}
	const isGrouped = grouped[separator].test(digits);
	if (!isGrouped && !ungrouped[separator].test(digits)) {
		if (!isSaid) return toDecimal(cell.trim(), most);
		const example = separator === 'comma' ? '1.234,50' : '1,234.50';
		return notRead(`must be written like ${example}, as the reading says, got ${quote(cell)}`);
	}
	const plain = isGrouped
		? digits.replace(separator === 'comma' ? /[.'’\s]/g : /[,'’\s]/g, '')
		: digits;
	return toDecimal(plain.replace(',', '.'), most);
}

/** What cells show about the decimal separator. */
export interface NumberEvidence {
	/** `12,50`, `1234,500` and `1.250,00` prove one, `1.250` does not. */
	proved: Set<Separator>;
	/** The sign of the first number with two meanings. */
	unclear?: Separator;
	/** Whether a number certainly has three decimals: `0.125`. */
	hasThreeDecimals: boolean;
}

export function numberEvidence(texts: Iterable<string>): NumberEvidence {
	const evidence: NumberEvidence = { proved: new Set(), hasThreeDecimals: false };
	for (const text of texts) {
		const digits = splitCurrency(text.replace(/%\s*$/, '')).digits.replace(/^-/, '');
		if (!/^\d[\d.,'’\s]*$|^[.,]\d+$/.test(digits)) continue;
		const separator = separatorOf(digits);
		if (separator) evidence.proved.add(separator);
		else if (ambiguous.test(digits)) evidence.unclear ??= digits.includes(',') ? 'comma' : 'point';
		if (/^(?:0|\d{4,}|\d{1,3}(?:([.,'’\s])\d{3})+(?!\1))[.,]\d{3}$/.test(digits))
			evidence.hasThreeDecimals = true;
	}
	return evidence;
}

/** The separator that a number proves. */
function separatorOf(digits: string): Separator | undefined {
	const separators = digits.match(/[.,]/g) ?? [];
	const [last] = separators.slice(-1);
	if (last === undefined || /\d[.,]\d{2}[.,]\d/.test(digits)) return undefined;
	const isComma = last === ',';
	const count = separators.filter((one) => one === last).length;
	if (count === 1) return ambiguous.test(digits) ? undefined : isComma ? 'comma' : 'point';
	return count < separators.length ? undefined : isComma ? 'point' : 'comma';
}

/** Reads `1:30`, `01:30:00`, `1h30`, `1h 30m` or `90 min` in hours. `undefined` if it is no duration, or has no exact decimal. */
export function durationIn(text: string): string | undefined {
	const clock = /^(\d{1,4})(?::|\s?h\s?)([0-5]\d)(?::([0-5]\d))?(?:\s?(?:h|std\.?|uur))?$/i.exec(
		text,
	);
	const words =
		/^(?:(\d{1,4})\s*h(?:rs?|ours?)?\.?)?\s*(?:(\d{1,4})\s*m(?:ins?|inutes?|inuten)?\.?)?$/i.exec(
			text,
		);
	const [, hours = '0', minutes = '0', seconds = '0'] = clock ?? words ?? [];
	if (text === '' || (!clock && !words)) return undefined;
	const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	const thousandths = (total * 1000) / 3600;
	return Number.isInteger(thousandths) ? String(thousandths / 1000) : undefined;
}
