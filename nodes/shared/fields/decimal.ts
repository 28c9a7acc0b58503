import type { Parsed } from './text';
import { quote } from './text';

export const roundingAdvice = 'Round it before, e.g. {{ $json.amount.round(2) }}';

/** At most 10 integer and 3 fraction digits (spec 2.1, 8), never rounded. Refuses `"1,234"`, which could mean 1.234. */
export function toMoney(value: unknown): Parsed<string> {
	if (typeof value !== 'number' && typeof value !== 'string') {
		return { problem: `must be an amount such as 19.99, got ${quote(value)}` };
	}
	const text = String(value).trim();
	if (text.length > 40) return { problem: `must be an amount such as 19.99, got ${quote(text)}` };
	if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) {
		return {
			problem: `could mean ${text.replace(',', '')} or ${text.replace(',', '.')}, got ${quote(text)}. Write one of them`,
		};
	}
	const isGrouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text);
	const plain = isGrouped ? text.replace(/,/g, '') : text;
	const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
	if (!match || (match[2] === '' && !match[3])) return { problem: moneyProblem(text) };
	const integer = match[2].replace(/^0+(?=\d)/, '') || '0';
	const fraction = (match[3] ?? '').replace(/^(\d{3}\d*?)0+$/, '$1');
	if (fraction.length > 3) {
		return {
			problem: `can have at most 3 decimals, got ${quote(text)}. ${roundingAdvice}`,
		};
	}
	if (integer.length > 10)
		return { problem: `can have at most 10 digits before the decimal point, got ${quote(text)}` };
	return { value: `${match[1]}${integer}${fraction && `.${fraction}`}` };
}

function moneyProblem(text: string): string {
	if (/^-?[\d.\s]*\d,\d{1,3}$/.test(text) || /^-?\d{1,3}([.\s]\d{3})+(,\d*)?$/.test(text)) {
		return `must have a point before the decimals, got ${quote(text)}. Write 1234.50 or 1,234.50`;
	}
	if (/[\p{Sc}]|[A-Za-z]/u.test(text)) {
		return `must be a number without a currency, got ${quote(text)}. The currency has a field of its own`;
	}
	return `must be an amount such as 19.99, got ${quote(text)}`;
}

/** `"12.5"` becomes 12500n, for exact arithmetic. Throws a RangeError for any other text. */
export function toThousandths(decimal: string): bigint {
	const match = /^(-?)(\d*)(?:\.(\d{0,3}))?$/.exec(decimal);
	if (!match || (match[2] === '' && !match[3])) throw new RangeError(`No decimal: ${decimal}`);
	return BigInt(`${match[1]}${match[2]}${(match[3] ?? '').padEnd(3, '0')}`);
}

/** Formats units of 10^-`digits`. Has at least two fraction digits. */
export function toDecimal(units: bigint, digits = 3): string {
	const isNegative = units < BigInt(0);
	const text = String(isNegative ? -units : units).padStart(digits + 1, '0');
	const fraction = text.slice(-digits).replace(/0+$/, '').padEnd(2, '0');
	return `${isNegative ? '-' : ''}${text.slice(0, -digits)}.${fraction}`;
}

/** For a percentage of an amount, which can have five fraction digits. */
export function toHundredThousandths(decimal: string): bigint {
	const [whole, fraction = ''] = decimal.replace('-', '').split('.');
	const size = BigInt(`${whole}${fraction.padEnd(5, '0')}`);
	return decimal.startsWith('-') ? -size : size;
}
