/** Exact decimals with up to three fraction digits, in thousandths. */

/** `"12.5"` → `12500n`. Throws a RangeError for anything else. */
export function toThousandths(decimal: string): bigint {
	const match = /^(-?)(\d*)(?:\.(\d{0,3}))?$/.exec(decimal);
	if (!match || (match[2] === '' && !match[3])) throw new RangeError(`Not a decimal: ${decimal}`);
	const value = BigInt(match[2] || '0') * 1000n + BigInt((match[3] ?? '').padEnd(3, '0'));
	return match[1] ? -value : value;
}

/** `12500n` → `"12.50"` */
export function toDecimal(thousandths: bigint): string {
	const sign = thousandths < 0n ? '-' : '';
	const digits = (thousandths < 0n ? -thousandths : thousandths).toString().padStart(4, '0');
	const fraction = digits.slice(-3);
	return `${sign}${digits.slice(0, -3)}.${fraction.endsWith('0') ? fraction.slice(0, 2) : fraction}`;
}
