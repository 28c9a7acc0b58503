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
