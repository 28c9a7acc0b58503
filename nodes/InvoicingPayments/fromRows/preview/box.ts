import { firstLines } from '../../../shared/errors/nodeErrors';
import { shorten } from '../../../shared/fields/text';
import type { Notice } from '../../execution/operation';
import { cancelledAdvice } from '../../invoices/messages';
import type { Action } from '../../plan/comparison';
import type { Column } from '../../reading/columns';
import { isNumeric, pointsFor } from '../../reading/columns';
import type { SheetReading } from '../../reading/readSheet';
import { readingText } from '../../reading/text';
import type { Forecast } from '../run';
import { isCreated, planSummary, rowChanges } from '../run';
import { invoicesError } from '../settings';
import { sumText } from './draftTexts';
import { findingLines, isWarning, leftOutLines } from './findingTexts';
import type { Report } from './preview';
import { exampleTexts } from './preview';

const maxUnbilled = 15;

/** `Not on the invoices: Room, MwSt 190.00`: columns that are not billed, amounts with their sums. */
function besidesLines({ unbilled, rows }: SheetReading): string[] {
	if (unbilled.length === 0) return [];
	const isMoney = (column: Column) =>
		column.headerCurrency !== undefined ||
		column.filled.some((look) => look.isMoney) ||
		(isNumeric(column) &&
			pointsFor('itemTotal', column) > Math.max(0, pointsFor('itemQuantity', column)));
	const money = unbilled.filter(isMoney);
	const texts = [...money, ...unbilled.filter((column) => !isMoney(column))].map((column) => {
		const sum = rows.reduce((all, { at }) => all + (column.numbers[at] || 0), 0);
		const amount = isMoney(column) && sum !== 0 ? ` ${sum.toFixed(2)}` : '';
		return `${shorten(column.header, 40)}${amount}`;
	});
	const more = texts.length > maxUnbilled ? ` and ${texts.length - maxUnbilled} more` : '';
	const advice = money.length
		? " To bill several columns of a row, such as a tax, set 'Reading' to 'As Text' and name them all: Items = Fee, VAT"
		: '';
	return [`Not on the invoices: ${texts.slice(0, maxUnbilled).join(', ')}${more}.${advice}`];
}

/** The reading for people: without what only later files are compared with. */
const shortText = ({ statements }: SheetReading): string =>
	readingText({
		...statements,
		shapes: new Map(),
		notBilled: undefined,
		texts: undefined,
		currencies: undefined,
		seen: undefined,
	});

/** What a preview comes to, and why invoices cannot be created. */
function summaryLines(forecast: Forecast): string[] {
	const { drafts } = forecast;
	if (drafts.length && drafts.every(isCreated)) return [`Nothing was created. ${sumText(drafts)}.`];
	const summary = `${planSummary(forecast)}.`;
	const { message, lines } = invoicesError(drafts);
	return [
		drafts.some(isCreated) ? `Nothing was created. ${summary}` : summary,
		...firstLines(
			lines.length || !message ? lines : [message],
			undefined,
			(count) => `and ${count} more`,
		),
	];
}

/** What a preview says above its table: what it comes to, what to look at, and how the sheet was read. */
export function boxOf(report: Report): Notice {
	const { reading, forecast, offers } = report;
	const { unsettled } = reading.verdict;
	const actions = forecast.drafts.flatMap(({ comparison }) => comparison?.action ?? []);
	const [summary, ...reasons] = summaryLines(forecast);
	return {
		lines: [
			summary,
			...offers.map(({ label }) => `${label}.`),
			...reasons,
			...(actions.includes('exists, cancelled')
				? [`Nothing is billed for cancelled invoices. ${cancelledAdvice}.`]
				: []),
			...changeLines(forecast),
			...findingLines(unsettled),
			...exampleTexts(report),
			`Read as: ${shortText(reading)}`,
			...besidesLines(reading),
			...leftOutLines(reading),
			howToGoOn(report),
		],
		isWarning:
			unsettled.some(isWarning) ||
			forecast.drafts.some(({ comparison, change }) => change ?? !comparison) ||
			actions.some((action) => warnedOf.includes(action)),
	};
}

const warnedOf: readonly Action[] = ['exists, differs', 'exists, cancelled', 'stop'];

/** What earlier runs have billed of rows that have changed since. */
function changeLines(forecast: Forecast): string[] {
	const stops = rowChanges(forecast);
	const named = forecast.drafts.flatMap(({ change }) => change ?? []);
	// The summary says which.
	if (stops) return stops.lines.map((line) => `${line}.`);
	return firstLines(named, undefined, (count) => `and ${count} more`).map(
		(line) => `Look at: ${line}`,
	);
}

/** What a person does next. The same decides that decides what a run may send. */
function howToGoOn({ reading, forecast, offers }: Report): string {
	if (!forecast.drafts.some(({ comparison }) => comparison))
		return 'Correct the sheet, or fill its empty cells with the defaults, and execute again.';
	if (reading.verdict.holds !== 'nothing')
		return `If it is right, choose it under 'Reading' and turn off 'Preview Only'. ${offers.length ? otherAdvice : textAdvice}`;
	return rowChanges(forecast)
		? 'The sheet is read as you confirmed it, but a run stops before it sends anything.'
		: "The sheet is as you confirmed it, so it is billed when 'Preview Only' is off.";
}

const otherAdvice = 'If another sum is right, choose that line there, and execute again.';
const textAdvice = "To correct it, switch 'Reading' to 'As Text' after you have chosen it.";
