import { markIn } from './marks';
import { allWordsOf, exactScore, hasWord, timeUnitOf, wordScore } from './names';
import type { Column } from './profile';

/** The fields of an item that numbers fill: its unit price, its quantity and its total. */
export const itemNumbers = ['itemAmount', 'itemQuantity', 'itemTotal'] as const;
/** `total`: the stated total of an invoice. */
export type MoneyField = (typeof itemNumbers)[number] | 'total';

/** How well a column of numbers fits a field, by its name and its cells. 8 or more: it has a name of the field. */
export function moneyScore(field: MoneyField, column: Column): number {
	const { header, filled } = column;
	const isAmount = field === 'itemAmount' || field === 'itemTotal';
	const amount = isAmount ? exactScore('amount', header) : undefined;
	const exact = exactScore(field, header) ?? (amount === undefined ? undefined : amount - 1);
	const numbers = column.numbers.filter((one) => !Number.isNaN(one));
	// `nº prácticas: 5, 4, 5` counts, `nº: 1, 2, 3` numbers the rows.
	const isCount = allWordsOf(header)[0] === 'number' && looksLikeCount(numbers);
	let score = (exact ?? scoreOfWords(field, header, isCount)) + column.fullness;
	if (field === 'itemQuantity') {
		if (column.share('duration') > 0.5) score += 2 - timePoints(column, exact !== undefined);
		else score += numbers.every((one) => one > 0 && one < 1000) ? 0.5 : -3;
		if (/\bmin(?:s|ut\p{L}*)?\b/iu.test(header)) score -= 6;
		if (isCount) score += 1;
		// `Shipping: 5.00` counts nothing.
		if (exact === undefined && filled.some(({ isMoney }) => isMoney)) score -= 3;
	} else {
		const isWhole = numbers.every((one) => one % 1 === 0) && !filled.some((look) => look.isMoney);
		const hasCurrency =
			column.headerCurrency !== undefined || filled.some(({ currency }) => currency !== undefined);
		score += isWhole ? -0.5 : 1.5;
		if (hasCurrency) score += 2;
	}
	if (filled.every(({ mayBeDate }) => mayBeDate) && exact === undefined) score -= 8;
	return score;
}

/** How well the words of a header fit a field that they do not name. `isCount`: whether it counts something. */
function scoreOfWords(field: MoneyField, header: string, isCount: boolean): number {
	const isQuantity = field === 'itemQuantity';
	let score = wordScore(field, header);
	if (hasWord(header, 'amounts')) score += isQuantity ? -3 : 1;
	if (isOnlyIdentifier(header) && !(isQuantity && isCount)) score -= 5;
	if (saysSettled(header)) score -= isQuantity ? 0 : 2;
	if (hasWord(header, 'dates') && !timeUnitOf(header)) score -= isQuantity ? 2 : 4;
	return score;
}

/** Whether durations are rather times of day: `Hora: 09:00`, but `Horas: 09:00` are hours. Minutes may be anything. */
function timePoints({ header, filled }: Column, isNamedSo: boolean): number {
	const areTimes = filled.every(
		({ text, number = 0 }) => /^\d\d:\d\d$/.test(text) && number >= 6 && number <= 22,
	);
	const isTime = hasWord(header, 'dates') && !hasWord(header, 'counts');
	const areMinutes = filled.every(({ text }) => /^\d+\s*min/i.test(text));
	const byName = isNamedSo ? 0 : (isTime ? 8 : 0) + (areMinutes ? 3 : 0);
	return byName + (areTimes ? 8 : 0);
}

/** Whether an amount below this header is paid, waived or given back. */
export const saysSettled = (header: string) =>
	hasWord(header, 'deductions') || markIn(header) !== undefined;

export const isOnlyIdentifier = (header: string) =>
	hasWord(header, 'identifiers') && !hasWord(header, 'counts', 'prices');

/** Small whole numbers that do not count up. */
function looksLikeCount(numbers: number[]): boolean {
	const isSmall = numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= 60);
	const sorted = [...numbers].sort((a, b) => a - b);
	return (
		!countsUp(numbers) && isSmall && sorted[sorted.length >> 1] <= 12 && new Set(numbers).size > 1
	);
}

const countsUp = (numbers: number[]) =>
	numbers.length > 2 &&
	numbers.every(
		(one, at) =>
			at === 0 || (one > numbers[at - 1] && one - numbers[at - 1] < 3 && Number.isInteger(one)),
	);
