import type { Parsed } from '../result';
import { notRead, ok } from '../result';
import { quote, withoutEnd } from './text';

export const roundingAdvice = 'Round it before, e.g. {{ $json.amount.round(2) }}';

const notMoney = (value: unknown) =>
	`must be an amount such as 19.99, got ${quote(value)}. Use only digits, a point and commas between thousands`;

/** Decimals of an amount (spec 2.1, 8). */
export const mostDecimals = 3;

/** At most 10 integer and 3 fraction digits (spec 2.1, 8), never rounded. Refuses `"1,234"`, which could mean 1.234. */
export const toMoney = (value: unknown): Parsed<string> => toDecimal(value, mostDecimals);

/** The same, with another limit of fraction digits. */
export function toDecimal(value: unknown, most: number): Parsed<string> {
	if (typeof value !== 'number' && typeof value !== 'string') return notRead(notMoney(value));
	const text = String(value).trim();
	if (text.length > 40) return notRead(notMoney(text));
	if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) {
		return notRead(
			`could mean ${text.replace(',', '')} or ${text.replace(',', '.')}, got ${quote(text)}. Write one of them`,
		);
	}
	const isGrouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text);
	const plain = isGrouped ? text.replace(/,/g, '') : text;
	const [, minus, whole, decimals = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain) ?? [];
	if (!whole && !decimals) return notRead(notMoney(text));
	const integer = whole.replace(/^0+(?=\d)/, '') || '0';
	const fraction = decimals.slice(0, mostDecimals) + withoutEnd(decimals.slice(mostDecimals), '0');
	if (fraction.length > most) {
		return notRead(`can have at most ${most} decimals, got ${quote(text)}. ${roundingAdvice}`);
	}
	if (integer.length > 10)
		return notRead(`can have at most 10 digits before the decimal point, got ${quote(text)}`);
	return ok(`${minus}${integer}${fraction && `.${fraction}`}`);
}

/** Decimals that are computed with. */
export const scale = 6;
const unit = BigInt(10 ** scale);
const zero = BigInt(0);
/** Characters. Reading a number takes longer than its length. */
const maxLength = 400;

/**
 * An exact decimal with up to six decimals, never a binary fraction. Enough for a price (three decimals, spec 2.1) times a quantity
 * (three) or a percentage (two).
 */
export class Decimal {
	static readonly zero = new Decimal(zero);

	private constructor(private readonly millionths: bigint) {}

	/** Throws a RangeError if it is no decimal, or has more decimals. */
	static of(value: string | number): Decimal {
		const text = String(value);
		const pattern = /^(-?)(?=\.?\d)(\d*)(?:\.(\d{0,6}?)0*)?$/;
		const match = text.length <= maxLength ? pattern.exec(text) : null;
		if (!match) throw new RangeError(`No decimal: ${text.slice(0, maxLength)}`);
		const [, sign, whole, fraction = ''] = match;
		return new Decimal(BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`));
	}

	static sum(all: Decimal[]): Decimal {
		return all.reduce((sum, one) => sum.plus(one), Decimal.zero);
	}

	plus(other: Decimal): Decimal {
		return new Decimal(this.millionths + other.millionths);
	}

	minus(other: Decimal): Decimal {
		return new Decimal(this.millionths - other.millionths);
	}

	/** Throws a RangeError if the product has more decimals. */
	times(other: Decimal): Decimal {
		const product = this.millionths * other.millionths;
		if (product % unit !== zero) throw new RangeError(`No exact product: ${this} x ${other}`);
		return new Decimal(product / unit);
	}

	/** Hundredths of this number. */
	percent(percentage: string | number): Decimal {
		return this.times(Decimal.of(percentage)).times(Decimal.of('0.01'));
	}

	equals(other: Decimal): boolean {
		return this.millionths === other.millionths;
	}

	isMoreThan(other: Decimal): boolean {
		return this.millionths > other.millionths;
	}

	isMultipleOf(other: Decimal): boolean {
		return this.millionths % other.millionths === zero;
	}

	/** Whether it differs from `other` by at most `tolerance`. */
	isNear(other: Decimal, tolerance: Decimal): boolean {
		const distance = this.millionths - other.millionths;
		return (distance < zero ? -distance : distance) <= tolerance.millionths;
	}

	/** With at least two decimals. */
	toString(): string {
		const isNegative = this.millionths < zero;
		const text = String(isNegative ? -this.millionths : this.millionths).padStart(scale + 1, '0');
		const fraction = withoutEnd(text.slice(-scale), '0').padEnd(2, '0');
		return `${isNegative ? '-' : ''}${text.slice(0, -scale)}.${fraction}`;
	}
}
