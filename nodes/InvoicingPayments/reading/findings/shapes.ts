import { daysBetween } from '../../../shared/fields/dates';
import { dateFields, itemsField, saysYesOrNo, sheetField, wordFields } from '../columns';
import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import type { Column, Look } from '../columns';
import {
	divisorOf,
	isCurrencyBeside,
	isHourBeforeMidnight,
	isMonthOrWeekday,
	readable,
	rowsLabel,
} from '../cells';
import { shortCodeOf } from '../table';
import type { Row } from '../rows';
import type { Format, Shape } from '../statements';
import type { Steps } from '../../../shared/steps';
import { mapInSteps } from '../../../shared/steps';
import { isSaying } from '../statements';

/**
 * What stood in a column, and what in a later file differs from it. By shape, without words: which kinds of cells there were, how large the
 * amounts were, and how far the dates reached.
 */

/** Kinds of cells besides `code A-9` (the form of a code) and `with kg` (a number with a unit). */
const plainKinds: Record<string, string> = {
	empty: 'empty cells',
	number: 'numbers',
	zero: 'zeros',
	negative: 'negative numbers',
	percent: 'percentages',
	duration: 'durations',
	date: 'dates',
	'date an hour early': 'dates an hour before midnight',
	'yes/no': 'yes or no',
	email: 'emails',
	id: 'IDs',
	text: 'texts',
	'text with amounts': 'texts with amounts',
};
export const isPlainKind = (kind: string) => Object.keys(plainKinds).includes(kind);

const kindText = (kind: string) =>
	plainKinds[kind] ?? kind.replace(/^code /, 'codes such as ').replace(/^with /, 'numbers with ');

/** A cell of a column in a row that is billed. */
interface SeenCell {
	row: Row;
	text: string;
	kind: string;
	/** The amount or quantity, without its sign. */
	size?: number;
	/** Days from today. */
	day?: number;
}

/** How many times smaller or larger an amount may become. A person who sells something dear for the first time is asked. */
const factors: Record<string, number> = {
	itemAmount: 5,
	itemTotal: 5,
	items: 5,
	total: 5,
	itemQuantity: 10,
	discountPercentage: 2,
	itemTimes: 5,
	itemDiscount: 2,
};
/** Fields whose cells may become empty: they change neither who is billed, nor what, nor when. */
const mayBeEmpty = (field: string) =>
	wordFields.includes(field) || sheetField(field).rule.limits.kind === 'uri';
/** Fields whose cells are compared with something else: with the known customers, and the codes of currencies. */
const knownOtherwise = ['customerId', 'customerEmail', 'currency'];

/** What a column is for. */
interface CellsOf {
	/** The field that it fills, with its formats. */
	field?: string;
	formats?: Format[];
	/** Columns that fill the field first, where they are filled. */
	before: readonly Column[];
	/** YYYY-MM-DD */
	today: string;
}

/** The cells of a column, one for each row. */
export function* cellsOf(
	column: Column,
	rows: readonly Row[],
	{ field, formats = [], before, today }: CellsOf,
): Steps<SeenCell[]> {
	const areDates =
		dateFields.includes(field ?? '') ||
		column.filled.every(({ kind, mayBeDate }) => kind === 'date' || mayBeDate);
	// Most cells of a long sheet stand in it several times.
	const kinds = new Map<string, string>();
	const areSizes = field !== undefined && field in factors;
	const divisor = divisorOf(formats);
	return yield* mapInSteps(rows, (row): SeenCell => {
		const look = column.looks[row.at];
		const text = look?.text ?? '';
		const kind = kinds.get(text) ?? kindOf(look, column.numbers[row.at], field, { areDates });
		kinds.set(text, kind);
		const cell: SeenCell = { row, text, kind };
		const isIdle = before.some(({ looks }) => looks[row.at]);
		if (!look || isIdle || field === undefined) return cell;
		const isColumn = ({ header }: { header?: string }) => header === column.header;
		const value =
			field === 'total'
				? row.totals.find(isColumn)?.value
				: field === itemsField
					? row.items?.find(isColumn)?.amount
					: row.values.get(field);
		if (field === 'terms' && value !== undefined) cell.day = Number(value);
		else if (dateFields.includes(field) && typeof value === 'string')
			cell.day = daysBetween(today, value);
		// As it stands in the cell: a person may say later that these are cents.
		if (areSizes && value !== undefined) {
			const size = Math.abs(Number.parseFloat(String(value))) * divisor;
			cell.size = Number(size.toPrecision(15));
		}
		return cell;
	});
}

function kindOf(
	look: Look | undefined,
	number: number,
	field: string | undefined,
	{ areDates }: { areDates: boolean },
): string {
	if (!look) return 'empty';
	const { kind, text, mayBeDate, mayBeTime } = look;
	if (field === 'itemName' || wordFields.includes(field ?? '')) return textKind(text);
	if (areDates && (mayBeDate || mayBeTime))
		return dateFields.includes(field ?? '') && isHourBeforeMidnight(look.number ?? 0)
			? 'date an hour early'
			: 'date';
	// `4467.04` may look like a month, but not below prices.
	if (kind === 'number' || (kind === 'date' && field && field in factors)) {
		const unit = text.replace(/[\d\s.,:;'’+()\u2212–—-]/g, '');
		const isCurrency = isCurrencyBeside(unit) && (!field || sheetField(field).isMoney);
		// Only amounts and quantities have units: elsewhere `45678901G` is a code.
		if (unit && !isCurrency)
			return field && field in factors
				? `with ${unit.toLowerCase()}`
				: (codeKind(text) ?? textKind(text));
		// `Discount: 0` says as little as an empty cell.
		if (number === 0) return field === undefined || field === itemsField ? 'empty' : 'zero';
		return number < 0 ? 'negative' : 'number';
	}
	if (/^\d{1,3}:\d\d(?::\d\d)?$/.test(text)) return 'duration';
	if (kind !== 'flag' && kind !== 'currency' && kind !== 'text') return kind;
	const code = codeKind(text);
	if (code) return code;
	return kind === 'flag' || saysYesOrNo(text) ? 'yes/no' : textKind(text);
}

const amountInText =
	/\d\s?%|\p{Sc}\s?\d|\d\s?\p{Sc}|(?<![\d.,])\d+[.,]\d\d(?![\d.,])|\b\d+\s?(?:EUR|USD|GBP|CHF|Euro)\b/u;

/** `Plus 12.50 for the frame` says more than a text. */
const textKind = (text: string) =>
	amountInText.test(text.slice(0, 500)) ? 'text with amounts' : 'text';

/** `INV-118` is `code A-9`, `2R0D4T` is `code A9`, `01067` is a number. */
function codeKind(text: string): string | undefined {
	if (!/^(?=\D*\d)\S{2,24}$/u.test(text)) return undefined;
	const form = text.replace(/[\p{L}\d]+/gu, (part) =>
		/^\d+$/.test(part) ? '9' : /^\p{L}+$/u.test(part) ? 'A' : 'A9',
	);
	return form === '9' ? 'number' : `code ${form}`;
}

const isCode = (kind: string) => kind.startsWith('code ');
/** A column with more forms of codes may have any text. */
const maxCodes = 2;

/** What stands in a column. `before`: what stood there earlier, which stays. */
export function shapeOf(cells: readonly SeenCell[], before: Shape = { kinds: [] }): Shape {
	const found = [...new Set([...before.kinds, ...cells.map(({ kind }) => kind)])].sort();
	// Words come last, as a preview adds them.
	const all = [...found.filter((kind) => !isSaying(kind)), ...found.filter(isSaying)];
	const hasManyCodes = all.filter(isCode).length > maxCodes;
	const kinds = hasManyCodes ? [...new Set([...all.filter((kind) => !isCode(kind)), 'text'])] : all;
	// Nothing is a factor smaller than 0.
	const sizes = cells.flatMap(({ size }) => size || []);
	const days = cells.flatMap(({ day: one }) => one ?? []);
	const range = before.range ?? (sizes.length ? { low: sizes[0], high: sizes[0] } : undefined);
	const reach = before.days ?? (days.length ? { apart: 0, away: 0 } : undefined);
	return {
		kinds,
		...(range && { range: { low: least(range.low, sizes), high: most(range.high, sizes) } }),
		...(reach && {
			days: {
				apart: most(reach.apart, [apartOf(days)]),
				away: most(reach.away, days.map(Math.abs)),
			},
		}),
	};
}

const least = (start: number, all: number[]) => all.reduce((low, one) => Math.min(low, one), start);
const most = (start: number, all: number[]) =>
	all.reduce((high, one) => Math.max(high, one), start);
const apartOf = (days: number[]) =>
	days.length ? most(-Infinity, days) - least(Infinity, days) : 0;

const figures = ['number', 'zero', 'negative', 'percent', 'duration', 'text with amounts'];

/** Whether a kind may stand in a column in which it did not stand. */
function isUsual(kind: string, shape: Shape, { field, isIdle }: FieldOfCells): boolean {
	const kinds = shape.kinds.filter((one) => !isSaying(one));
	if (kinds.length === 0 || kinds.includes(kind)) return true;
	if (kind === 'empty') return field === undefined || isIdle || mayBeEmpty(field);
	if (knownOtherwise.includes(field ?? '')) return true;
	if (kinds.some((one) => one.startsWith('text'))) return !figures.includes(kind);
	if (field) return false;
	// What fills no field may be written in any way, but a text or a code is no figure, and the other way round.
	const hasCodes = kinds.some(isCode);
	return (
		(kind === 'text' && hasCodes) ||
		(kind === 'number' && (hasCodes || kinds.includes('date'))) ||
		(kind === 'date' && kinds.includes('number'))
	);
}

/** The field that cells fill. `isIdle`: another field makes it needless. */
interface FieldOfCells {
	field: string | undefined;
	isIdle: boolean;
}

/** A difference, with the rows that show it. */
interface ShapeDifference {
	text: string;
	rows: Row[];
}

/** What differs from what stood in the column. */
export function shapeDifferences(
	header: string,
	shape: Shape,
	cells: readonly SeenCell[],
	of: FieldOfCells,
): ShapeDifference[] {
	const seen = seenText(shape);
	const found: ShapeDifference[] = [];
	const differ = (those: readonly SeenCell[], what: string) => {
		if (those.length === 0) return;
		const rows = those.map(({ row }) => row);
		found.push({ rows, text: `${header}: ${what} in ${rowsLabel(rows)}; seen so far: ${seen}` });
	};
	const byKind = new Map<string, SeenCell[]>();
	for (const cell of cells) if (!isUsual(cell.kind, shape, of)) addTo(byKind, cell.kind, cell);
	for (const [kind, those] of byKind)
		differ(those, kind === 'empty' ? 'empty' : exampleOf(those, JSON.stringify));
	const { range, days } = shape;
	if (range) {
		const factor = factors[of.field ?? ''] ?? 5;
		const those = cells.filter(
			({ size = 0 }) => size > range.high * factor || (size > 0 && size < range.low / factor),
		);
		differ(those, exampleOf(those));
	}
	if (days) {
		const dated = cells.filter((cell) => cell.day !== undefined);
		const far = dated.filter(
			({ day: one = 0 }) => Math.abs(one) > timesAsFar * Math.max(days.away, aMonth),
		);
		differ(far, far.length ? `${far[0].text}, ${Math.abs(far[0].day ?? 0)} days away,` : '');
		const apart = apartOf(dated.map(({ day: one = 0 }) => one));
		if (far.length === 0 && apart > timesAsFar * Math.max(days.apart, twoWeeks))
			differ(dated, `dates that are ${apart} days apart`);
	}
	return found;
}

/** `4150`, `"net" and others` */
function exampleOf(those: readonly SeenCell[], print = (text: string) => text): string {
	const [first, ...more] = those.map(({ text }) => text);
	const others = more.some((text) => text !== first) ? ' and others' : '';
	return those.length ? `${print(shorten(first, 40))}${others}` : '';
}

/** A reversed order scatters the dates of a month over a year. */
const timesAsFar = 3;
/** Days. Shorter reaches say little. */
const [twoWeeks, aMonth] = [14, 31];

/** `12 to 95, empty cells` */
const seenText = ({ kinds, range, days }: Shape): string =>
	[
		...(range ? [range.low === range.high ? `${range.low}` : `${range.low} to ${range.high}`] : []),
		...(days ? [`${days.apart} days apart, within ${days.away} days`] : []),
		...kinds
			.filter((kind) => !(range && kind === 'number') && !(days && kind === 'date'))
			.map(kindText),
	].join(', ');

/** Characters of a mask. A longer one ends with a code of all of it. */
const maxMask = 100;

const counted = /\d+(?:[.,:'’]\d+)*(?:st|nd|rd|th|\s?[ap]m\b)?/giu;
const unitBefore = /(\p{Sc}|(?<!\p{L})\p{L}{2,5})\s?$/u;
const unitAfter = /^\s?(\p{Sc}|%|p(?:er|or|our|ro)?\s?[cz]i?ent|\p{L}{2,5}(?!\p{L}))/iu;

/** Whether a number is an amount or a percentage, by what stands beside it: `€`, `EUR`, `%`, `percent`, `per cento`. */
function isOfUnit(before: string, after: string): boolean {
	const [, sign = ''] = unitBefore.exec(before.slice(-8)) ?? [];
	const [, unit = ''] = unitAfter.exec(after) ?? [];
	return isCurrencyBeside(sign) || isCurrencyBeside(unit) || /%|[cz]i?ent/i.test(unit);
}

/** A cell that is no row: digits, months and days of the week change with each file, but percentages and amounts say something. */
export function maskOf(text: string): string {
	const mask = readable(text)
		.replace(counted, (digits, at: number, all: string) =>
			isOfUnit(all.slice(0, at), all.slice(at + digits.length)) ? digits : '9',
		)
		.toLowerCase()
		.replace(/\p{L}{3,}/gu, (word) => (isMonthOrWeekday(word) ? 'month' : word))
		.replace(/\bd['’](?=month\b)/g, 'de ');
	return mask.length > maxMask ? `${mask.slice(0, maxMask)} ${shortCodeOf(mask)}` : mask;
}
