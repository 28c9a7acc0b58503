import type { NodeExecutionHint } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import type { Plan, Unit } from '../execution/operation';
import type { Outcomes } from '../execution/run';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Columns, IgnoredColumns } from './columns';
import type { Draft } from './invoices';
import { listNumbers, numbersLabel, plural, quotedList } from './problems';
import type { RowCells, InferredFormats } from './rowCells';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';

type HintType = 'info' | 'warning';

const hint = (type: HintType, message: string | false | undefined): NodeExecutionHint[] =>
	message ? [{ message, type, location: 'outputPane' }] : [];

const namesHint = (type: HintType, what: string, names: string[]) =>
	hint(type, names.length > 0 && `${what}: ${quotedList(names)}.`);

export function columnHints(
	{ fields, unmapped, factors = [] }: Columns,
	headers: string[],
	ignored: IgnoredColumns,
	{ otherColumns }: RowSettings,
): NodeExecutionHint[] {
	const unused = unmapped.filter((header) => !factors.includes(header));
	const why =
		otherColumns === 'ignore' ? ", as 'Other Columns' says" : ' because they match no field';
	const spareColumns = fields.flatMap(({ field, header }, index) => {
		const first = fields.findIndex((one) => one.field === field);
		const isSpare = first < index && header !== undefined && !field.name.startsWith('customer');
		const used = fields[first].header ?? '';
		return isSpare ? [`${field.displayName} is read from "${used}" rather than "${header}"`] : [];
	});
	const missingHeaders = fields.flatMap(({ header }) =>
		header === undefined || headers.includes(header) ? [] : [header],
	);
	return [
		...namesHint('info', `Columns not used${why}`, unused),
		...namesHint('info', 'Taken for a part of the quantity, as the totals show', factors),
		...namesHint('info', 'Columns ignored', ignored.matched),
		...hint('info', spareColumns.length > 0 && `${spareColumns.join('; ')}.`),
		...namesHint('warning', 'Mapped columns that no row has', missingHeaders),
		...namesHint('warning', 'Ignored columns that no row has', ignored.unknown),
	];
}

export const blankHint = (blank: number) =>
	hint('info', blank !== 0 && `Empty rows skipped: ${blank}.`);

export const unbilledHint = (unbilled: string[]) =>
	unbilled.flatMap((text) => hint('warning', `${text}.`));

export const agreementsHint = (agreeing: string[]) =>
	hint('info', agreeing.length > 0 && `${agreeing.join('. ')}.`);

/** Says in which row the headers were found, and which cells above them are not used. */
export function headerRowHint(row: number | undefined, above: unknown[]): NodeExecutionHint[] {
	const texts = above.slice(0, 5).map((cell) => JSON.stringify(cell));
	const unused = texts.length ? ` What stands above them is not used: ${texts.join(', ')}.` : '';
	return hint('info', row !== undefined && `The headers were found in row ${row}.${unused}`);
}

export const sideBySideHint = (itemsPerRow: number) =>
	hint('info', itemsPerRow > 0 && `Up to ${itemsPerRow} items stand side by side in a row.`);

/** `skipped`: row numbers by reason. */
export function skippedHint(skipped: Map<string, number[]>): NodeExecutionHint[] {
	const list = [...skipped].map(([why, rows]) => `${numbersLabel(rows)} (${why})`);
	return hint('warning', list.length > 0 && `Not billed: ${list.join('; ')}.`);
}

export function inferredFormatsHint({ hasDecimalCommas, dates }: InferredFormats) {
	const dated = (order: 'dayMonth' | 'monthDay', what: string) => {
		const headers = dates.flatMap((one) => (one.order === order ? [one.header] : []));
		return headers.length ? [`${what} in ${quotedList(headers)}`] : [];
	};
	const read = [
		...(hasDecimalCommas ? ['commas before decimals'] : []),
		...dated('dayMonth', 'days first'),
		...dated('monthDay', 'months first'),
	];
	return hint('info', read.length > 0 && `Read as the cells show: ${read.join(', ')}.`);
}

export function numbersHint(drafts: Draft[], { makesNumbers }: RowSettings): NodeExecutionHint[] {
	const number = drafts.find(({ body }) => body.invoice_number)?.body.invoice_number;
	const message = `No column has invoice numbers, so they are made of what the invoices say, such as ${String(number)}: the same rows find the same invoices. To bill the same rows once more, set another 'Number Prefix'.`;
	return hint('info', makesNumbers && number !== undefined && message);
}

/** If some numbers begin with 0 and others were stored as numbers, the spreadsheet may have dropped zeros. */
export function zerosHint({ fields }: Columns, cells: RowCells[]): NodeExecutionHint[] {
	const numbers = fields.flatMap(({ field, header }, at) =>
		field.name === 'invoiceNumber' && header !== undefined
			? cells.flatMap((row) => row.fields[at] ?? [])
			: [],
	);
	const read = numbers.flatMap((one) => ('value' in one ? [one] : []));
	const hasZeros = read.some(({ value, wasNumber }) => !wasNumber && /^0\d/.test(String(value)));
	const number = read.find(({ wasNumber }) => wasNumber)?.value;
	const message = `Some invoice numbers begin with 0, others are numbers such as ${String(number)}: the spreadsheet may have dropped their zeros.`;
	return hint('warning', hasZeros && number !== undefined && message);
}

/** Rows that are equal in every cell may be pasted twice, or sold twice. */
export function equalRowsHint(rows: Row[]): NodeExecutionHint[] {
	const numbers = new Map<string, number[]>();
	for (const { cells, number } of rows) addTo(numbers, cells.contentKey, number);
	const equal = [...numbers.values()].filter((those) => those.length > 1);
	const list = equal.slice(0, 5).map((those) => listNumbers(those));
	const more = equal.length > 5 ? `, and ${equal.length - 5} more times` : '';
	const message = `Rows that are the same in every cell: ${list.join('; ')}${more}.`;
	return hint('warning', equal.length > 0 && message);
}

export function customerHints(rows: Row[], cutAfter?: number): NodeExecutionHint[] {
	const countBy = (by: 'email' | 'name') =>
		new Set(rows.flatMap(({ match }) => (match?.by === by ? [match.id] : []))).size;
	const [emails, names] = [countBy('email'), countBy('name')];
	const found = [
		...(emails ? [`${plural(emails, 'customer')} by email`] : []),
		...(names ? [`${emails ? names : plural(names, 'customer')} by name`] : []),
	].join(', ');
	if (cutAfter === undefined) return hint('info', found && `Found ${found}.`);
	const message = `Found ${found}, among the first ${cutAfter.toLocaleString('en-US')} invoices: another customer of the same name may have only older ones.`;
	return hint('warning', found && message);
}

export function warningHints(warnings: Map<Draft, string[]>): NodeExecutionHint[] {
	const rows = new Map<string, number[]>();
	for (const [draft, own] of warnings) {
		for (const warning of own) addTo(rows, warning, ...draft.rows.map(({ number }) => number));
	}
	const list = [...rows].map(([warning, numbers]) => `${warning} (${numbersLabel(numbers)})`);
	return hint('warning', list.length > 0 && `Please check: ${list.join('; ')}.`);
}

/** How many invoices the rows make, their total per currency, and how many were created. */
export function summaryHint({ units, isPreview }: Plan, outcomes: Outcomes): NodeExecutionHint[] {
	if (units.length === 0) return [];
	const rows = units.reduce((sum, { items }) => sum + items.length, 0);
	const all = [...outcomes.values()];
	const results = all.flatMap((outcome) => ('results' in outcome ? outcome.results : []));
	const countOf = (count: number, words: string) => (count ? [`${count} ${words}`] : []);
	const countOutcomes = (name: string) => results.filter(({ outcome }) => outcome === name).length;
	const hasFailed = ({ items }: Unit) => 'error' in (outcomes.get(items[0]) ?? {});
	const isInvalid = (result: object) =>
		'action' in result && result.action === 'stop' && !('total' in result);
	const counts = [
		...countOf(countOutcomes('created'), 'created'),
		...countOf(countOutcomes('found'), 'existed already'),
		...countOf(countOutcomes('recovered'), 'recovered'),
		...countOf(units.filter(hasFailed).length, 'failed'),
		...countOf(results.filter(isInvalid).length, 'cannot be created, as the column Problem says'),
		...results.flatMap(
			({ summary, plan }) =>
				(summary as string | undefined) ?? (plan as { summary?: string })?.summary ?? [],
		),
		...(results.length > 0 && countOutcomes('found') === results.length ? ['none created'] : []),
	];
	const money = moneyOf(sumsBy(units.flatMap((unit) => sumOf(unit, outcomes) ?? [])));
	const sums = `${plural(units.length, 'invoice')} for ${plural(rows, 'row')}${money && `: ${money}`}`;
	const message = `${sums} (${counts.join(', ')}).`;
	if (!isPreview) return hint('info', message);
	const toCreate = results.filter(({ action }) => action === 'create').length;
	const next = toCreate ? " Turn off 'Preview Only' to create them." : '';
	const shown = toCreate === units.length ? `${sums}.` : message;
	return hint('info', `Nothing was created. ${shown}${next}`);
}

/** An invoice's total. For an existing invoice it comes from the service, and may differ from the sheet. */
function sumOf({ items, sum }: Unit, outcomes: Outcomes): Unit['sum'] {
	const outcome = outcomes.get(items[0]);
	const [result] = outcome && 'results' in outcome ? outcome.results : [];
	const { outcome: how, amount, currency } = result ?? {};
	const isDecimal = typeof amount === 'string' && /^-?\d+(?:\.\d{1,5})?$/.test(amount);
	if (!['found', 'recovered'].includes(String(how)) || !isDecimal || typeof currency !== 'string') {
		return sum;
	}
	return { currency, total: amount };
}
