/** Exact arithmetic on decimal strings of up to three fraction digits (spec 2.1), as thousandths in a BigInt. */

/** `"12.5"` is 12500. Throws a RangeError for anything else than such a decimal. */
export function toThousandths(decimal: string): bigint {
	const match = /^(-?)(\d*)(?:\.(\d{0,3}))?$/.exec(decimal);
	if (!match || (match[2] === '' && !match[3])) throw new RangeError(`No decimal: ${decimal}`);
	return BigInt(`${match[1]}${match[2]}${(match[3] ?? '').padEnd(3, '0')}`);
}

/** Formats units of 10^-`digits` with two fraction digits, or more if needed. */
export function toDecimal(units: bigint, digits = 3): string {
	const isNegative = units < BigInt(0);
	const text = String(isNegative ? -units : units).padStart(digits + 1, '0');
	const fraction = text.slice(-digits).replace(/0+$/, '').padEnd(2, '0');
	return `${isNegative ? '-' : ''}${text.slice(0, -digits)}.${fraction}`;
}

/** For decimals of up to five fraction digits, such as a percentage of an amount. */
export function toHundredThousandths(decimal: string): bigint {
	const [whole, fraction = ''] = decimal.replace('-', '').split('.');
	const size = BigInt(`${whole}${fraction.padEnd(5, '0')}`);
	return decimal.startsWith('-') ? -size : size;
}
