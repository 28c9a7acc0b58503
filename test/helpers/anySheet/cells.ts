/** Numbers, dates and percentages in the formats of people, Excel and other programs. */

/** Tests with these sheets set the clock to this day, in the workflow's time zone. */
export const today = '2026-11-16';

/** Format of numbers that are text. */
export interface NumberStyle {
	decimalSeparator: 'point' | 'comma';
	/** Thousands separator. `other`: the point or comma that is not the decimal separator. */
	group:
		| 'none'
		| 'other'
		| 'space'
		| 'noBreakSpace'
		| 'narrowSpace'
		| 'apostrophe'
		| 'curlyApostrophe';
	/** Minimum decimals. */
	decimals: 0 | 2 | 3;
	negative: 'minus' | 'brackets' | 'longMinus' | 'trailingMinus';
	/** Place of the currency sign or code. */
	currency: 'before' | 'beforeWithSpace' | 'afterWithSpace' | 'after';
}

const groups = {
	none: '',
	space: ' ',
	noBreakSpace: '\u00a0',
	narrowSpace: '\u202f',
	apostrophe: "'",
	curlyApostrophe: '’',
};

/** `units` of 10^-digits as text with a decimal point and at least `least` decimals. */
export function decimalText(units: bigint, digits: number, least = 0): string {
	const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
	const split = text.length - digits;
	const fraction = text.slice(split).replace(/0+$/, '').padEnd(least, '0');
	return `${units < 0n ? '-' : ''}${text.slice(0, split)}${fraction && `.${fraction}`}`;
}

/** Text with a decimal point in units of 10^-digits. Throws a RangeError if that is not exact. */
export function unitsOf(text: string, digits: number): bigint {
	const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
	const fraction = match?.[3] ?? '';
	if (!match || `${match[2]}${fraction}` === '' || /[1-9]/.test(fraction.slice(digits))) {
		throw new RangeError(`Not a decimal of ${digits} digits: ${text}`);
	}
	return BigInt(`${match[1]}${match[2]}${fraction.slice(0, digits).padEnd(digits, '0')}`);
}

/** A formatted number, with a currency sign or code if given. */
export function numberText(
	units: bigint,
	digits: number,
	style: NumberStyle,
	currency = '',
): string {
	const isNegative = units < 0n;
	const [integer, fraction = ''] = decimalText(
		isNegative ? -units : units,
		digits,
		style.decimals,
	).split('.');
	const [point, other] = style.decimalSeparator === 'point' ? ['.', ','] : [',', '.'];
	const group = style.group === 'other' ? other : groups[style.group];
	const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
	const number = `${grouped}${fraction && `${point}${fraction}`}`;
	const priced = !currency
		? number
		: {
				before: `${currency}${number}`,
				beforeWithSpace: `${currency} ${number}`,
				after: `${number}${currency}`,
				afterWithSpace: `${number} ${currency}`,
			}[style.currency];
	if (!isNegative) return priced;
	return {
		minus: `-${priced}`,
		longMinus: `−${priced}`,
		brackets: `(${priced})`,
		trailingMinus: `${priced}-`,
	}[style.negative];
}

/** A number that is off by `noise` double steps, if a sheet still shows the same 15 digits. */
export function typedNumber(units: bigint, digits: number, noise = 0): number {
	const number = Number(decimalText(units, digits));
	if (noise === 0 || number === 0) return number;
	const view = new DataView(new ArrayBuffer(8));
	view.setFloat64(0, number);
	view.setBigInt64(0, view.getBigInt64(0) + BigInt(noise));
	const noisy = view.getFloat64(0);
	return Number(noisy.toPrecision(15)) === number ? noisy : number;
}

/** Whether a text has the same value with either decimal separator. */
export function isUnambiguous(text: string): boolean {
	return (
		/^\(?-?(0|[1-9]\d*)(\.\d{1,2})?\)?$/.test(text) ||
		/^\(?-?[1-9]\d{0,2}(,\d{3})+\.\d{1,3}\)?$/.test(text)
	);
}

/** Whether some texts reveal the decimal separator, and none is ambiguous. */
export function showSeparator(texts: string[], { decimalSeparator }: NumberStyle): boolean {
	const point = decimalSeparator === 'point' ? '.' : ',';
	const decimals = texts.flatMap((text) => {
		const at = text.lastIndexOf(point);
		return at < 0 ? [] : [/^\d*/.exec(text.slice(at + 1))?.[0].length ?? 0];
	});
	return decimals.length > 0 && decimals.every((count) => count === 1 || count === 2);
}

export const dateStyles = [
	'iso', 'serial', 'slashed', 'dotted', 'shortSlashed', 'dayMonthWord', 'monthWordDay', 'fullMonthWord',
	'twoDigitYearWord', 'yearFirst', 'isoWithTime', 'dashed', 'serialText', 'twoDigitYear', 'yearFirstUnpadded',
	'serialWithTime', 'digits',
] as const; // prettier-ignore
export type DateStyle = (typeof dateStyles)[number];
export type DateOrder = 'dayMonth' | 'monthDay';

/** Whether a column does not reveal the order of day and month. With dots, the day comes first. */
export function needsOrder(days: unknown[], style: DateStyle, order: DateOrder): boolean {
	if (!['slashed', 'dotted', 'shortSlashed', 'dashed', 'twoDigitYear'].includes(style))
		return false;
	if (style === 'dotted') return order === 'monthDay';
	// `24/06/27` may start with the year.
	const mayBeYear = (first: number) =>
		style === 'twoDigitYear' && Math.abs(2000 + first - Number(today.slice(0, 4))) < 3;
	return !days.some((cell) => {
		const [first, second] = String(cell).split(/[/-]/, 2).map(Number);
		return second > 12 || (first > 12 && !mayBeYear(first));
	});
}

const months = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December'],
];

export const addDays = (day: string, days: number) =>
	new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The spreadsheet serial number of a day. */
export const serialOf = (day: string) => Date.parse(day) / 86_400_000 + 25_569;

/** A day such as 2026-12-31 as a cell. */
export function dateCell(day: string, style: DateStyle, order: DateOrder): string | number {
	const [year, month, date] = day.split('-');
	const [short, word] = [months[Number(month) - 1].slice(0, 3), months[Number(month) - 1]];
	const inOrder = (a: string, b: string) => (order === 'dayMonth' ? [a, b] : [b, a]);
	const plain = (text: string) => String(Number(text));
	return {
		iso: day,
		isoWithTime: `${day}T00:00:00.000Z`,
		serial: serialOf(day),
		serialText: String(serialOf(day)),
		serialWithTime: serialOf(day) + 0.375,
		slashed: [...inOrder(date, month), year].join('/'),
		dotted: [...inOrder(date, month), year].join('.'),
		dashed: [...inOrder(date, month), year].join('-'),
		shortSlashed: [...inOrder(plain(date), plain(month)), year].join('/'),
		twoDigitYear: [...inOrder(date, month), year.slice(2)].join('/'),
		dayMonthWord: `${date}-${short}-${year}`,
		twoDigitYearWord: `${date}-${short}-${year.slice(2)}`,
		monthWordDay: `${short} ${plain(date)}, ${year}`,
		fullMonthWord: `${plain(date)} ${word} ${year}`,
		yearFirst: [year, month, date].join('/'),
		yearFirstUnpadded: [year, plain(month), plain(date)].join('/'),
		digits: `${year}${month}${date}`,
	}[style];
}

export const percentStyles = [
	'text',
	'number',
	'numberText',
	'spaced',
	'fraction',
	'decimals',
] as const;
export type PercentStyle = (typeof percentStyles)[number];

/** A whole percentage as a cell. */
export function percentCell(
	percent: number,
	style: PercentStyle,
	{ decimalSeparator }: Pick<NumberStyle, 'decimalSeparator'>,
): string | number {
	return {
		text: `${percent}%`,
		spaced: `${percent} %`,
		number: percent,
		numberText: String(percent),
		fraction: percent / 100,
		decimals: `${percent}${decimalSeparator === 'point' ? '.' : ','}00%`,
	}[style];
}

/** Currency signs. `isNamed`: the sign stands for no other currency. */
export const currencies: Record<string, { sign: string; isNamed: boolean }> = {
	EUR: { sign: '€', isNamed: true },
	USD: { sign: '$', isNamed: false },
	// Some islands use it too.
	GBP: { sign: '£', isNamed: false },
	CAD: { sign: '$', isNamed: false },
	SEK: { sign: 'kr', isNamed: false },
	NOK: { sign: 'kr', isNamed: false },
	CHF: { sign: 'CHF', isNamed: true },
	JPY: { sign: '¥', isNamed: false },
	INR: { sign: '₹', isNamed: true },
	AUD: { sign: '$', isNamed: false },
};
