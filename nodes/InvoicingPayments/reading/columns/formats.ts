import type { CellFormat } from '../cells';
import type { Roles } from './assign';
import { countOfPrice, saysCents } from '../table';
import { isRate } from './explain';
import type { Column, Profile } from './profile';
import { languageOf } from './profile';
import { dateFields, itemNumbers, itemsField } from './fields';
import type { Format, Statements } from '../statements';
import { formats } from '../statements';

/** How the cells of a column are written, what the reading says of it, and whether that is a guess. */
export interface WrittenColumn {
	format: CellFormat;
	printed: Format[];
	isGuess: boolean;
}

const fieldsWithSign = [...itemNumbers, 'itemTimes', 'itemDiscount', itemsField, 'total'];

/** The formats of all columns that fill a field. Those that a person has said win. */
export function formatsOf(
	roles: Roles,
	profile: Profile,
	said?: Statements,
): Map<Column, WrittenColumn> {
	const isCommaUsual = languageOf(profile.columns) !== 'en';
	const isCounted = countsTerms(roles);
	const written = new Map<Column, WrittenColumn>();
	for (const [field, columns] of roles.fields) {
		for (const column of columns) {
			const source = said?.fields.get(field)?.find(({ header }) => header === column.header);
			const isSaid = source !== undefined;
			const one = formatOf(field, column, profile, {
				said: source?.formats ?? [],
				isSaid,
				isCommaUsual,
			});
			const isIdle = field === 'invoiceDate' && !isCounted;
			written.set(column, { ...one, isGuess: one.isGuess && !isIdle });
		}
	}
	return written;
}

/** Whether terms count from the invoice date: no due date makes them needless. */
export const countsTerms = ({ fields }: Pick<Roles, 'fields'>): boolean =>
	fields.has('terms') && !fields.get('dueDate')?.[0].looks.every(Boolean);

function formatOf(
	field: string,
	column: Column,
	{ dates }: Profile,
	{ said, isSaid, isCommaUsual }: { said: Format[]; isSaid: boolean; isCommaUsual: boolean },
): WrittenColumn {
	const saidAs = said.map((one) => formats[one as keyof typeof formats]);
	const order = saidAs.find((one) => one === 'dayMonth' || one === 'monthDay');
	const separator = saidAs.find((one) => one === 'comma' || one === 'point');
	const { header, evidence, numberFormat, isUnclearNumber, filled } = column;
	const decimal = separator ?? numberFormat.decimal;
	const hasOrder = dateFields.includes(field) && !order && isOrdered(column);
	// A comma says so itself, but the next file may have only whole thousands.
	const mayMislead =
		evidence.unclear !== undefined || (isCommaUsual && evidence.proved.has('comma'));
	const hasSeparator =
		fieldsWithSign.includes(field) && !separator && mayMislead && !numberFormat.isMixed;
	const isTime = field === 'itemQuantity' && said.length === 0 && arePartsOfDays(column);
	const saysPercent = saidAs.includes('percentages') || header.includes('%');
	const arePercentages = saysPercent || column.share('percent') > 0 || (!isSaid && isRate(column));
	const isPercent = field === 'itemDiscount' && arePercentages && !saysPercent;
	const count = field === 'itemAmount' && said.length === 0 ? countOfPrice(header) : undefined;
	const added: Array<Format | false | undefined> = [
		hasOrder && (dates.order === 'dayMonth' ? 'day/month/year' : 'month/day/year'),
		hasSeparator && decimal && (decimal === 'comma' ? '1.234,50' : '1,234.50'),
		isTime && 'parts of a day',
		count !== undefined && `per ${count}`,
		isPercent && 'percentages',
	];
	const printed = [...said, ...added.flatMap((one) => one || [])];
	return {
		format: {
			numbers: { ...numberFormat, decimal, isSaid: separator !== undefined },
			dateOrder: order ?? dates.order,
			formats: printed,
			mayBeCents: saysCents(header) && !said.some((one) => /^(?:cents|per )/.test(one)),
			arePercentages,
			hasWholePercentages: filled.some(({ number = 0 }) => number > 1),
		},
		printed,
		isGuess:
			(hasOrder && dates.isUnclear) ||
			(hasSeparator && isUnclearNumber) ||
			isTime ||
			count !== undefined,
	};
}

const isOrdered = ({ texts }: Column) =>
	texts.some((text) => /^\d{1,2}[/-]\d{1,2}[/-]\d/.test(text));

const minutesOfDay = 1440;
/** How far floating-point numbers of sheets are away from what they mean. */
const noise = 1e-6;

/** Whether numbers are times, which sheets store as fractions of a day: 1:30 is 0.0625. */
function arePartsOfDays({ filled }: Column): boolean {
	const numbers = filled.flatMap(({ kind, number }) => (kind === 'number' ? (number ?? []) : []));
	const isWhole = (number: number) => Math.abs(number - Math.round(number)) < noise;
	const areTimes = numbers.every((one) => one > 0 && one <= 1 && isWhole(one * minutesOfDay));
	return areTimes && numbers.some((one) => !isWhole(one * 100));
}
