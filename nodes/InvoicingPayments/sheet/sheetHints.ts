import type { NodeExecutionHint } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import type { Plan, Unit } from '../execution/plan';
import type { Outcomes } from '../execution/retryMemory';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Columns, IgnoredColumns } from './columns';
import type { Draft } from './invoices';
import type { RowCells, InferredFormats } from './rowCells';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';
import { listNumbers } from './rows';

export const hint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message,
	type,
	location: 'outputPane',
});
const namesOf = (names: string[]) => names.map((name) => `"${name}"`).join(', ');
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Which columns were not used, and which were mapped or ignored but do not exist. */
export function columnHints(
	{ fields, unmapped, factors = [] }: Columns,
	sheet: { headers: string[]; ignored: IgnoredColumns; isWaived: boolean },
	blank: number,
): NodeExecutionHint[] {
	const { headers, ignored, isWaived } = sheet;
	const hints: NodeExecutionHint[] = [];
	const unused = unmapped.filter((header) => !factors.includes(header));
	if (unused.length) {
		const why = isWaived ? ", as 'Other Columns' says" : ' because they match no field';
		hints.push(hint('info', `Columns not used${why}: ${namesOf(unused)}.`));
	}
	if (factors.length) {
		hints.push(
			hint('info', `Taken for a part of the quantity, as the totals show: ${namesOf(factors)}.`),
		);
	}
	if (ignored.used.length) hints.push(hint('info', `Columns ignored: ${namesOf(ignored.used)}.`));
	const spare = fields.flatMap(({ field, header }, index) => {
		const first = fields.findIndex((one) => one.field === field);
		const isSpare = first < index && header !== undefined && !field.name.startsWith('customer');
		return isSpare
			? [
					`${field.displayName} is read from "${fields[first].header ?? ''}" rather than "${header}"`,
				]
			: [];
	});
	if (spare.length) hints.push(hint('info', `${spare.join('; ')}.`));
	const nowhere = fields.flatMap(({ header }) =>
		header === undefined || headers.includes(header) ? [] : [header],
	);
	if (nowhere.length) {
		hints.push(hint('warning', `Mapped columns that no row has: ${namesOf(nowhere)}.`));
	}
	if (ignored.unknown.length) {
		hints.push(hint('warning', `Ignored columns that no row has: ${namesOf(ignored.unknown)}.`));
	}
	if (blank) hints.push(hint('info', `Empty rows skipped: ${blank}.`));
	return hints;
}

export const agreeingHint = (agreeing: string[]): NodeExecutionHint[] =>
	agreeing.length ? [hint('info', `${agreeing.join('. ')}.`)] : [];

/** Headers that were found below a title, and the first cells above them. */
export function headerRowHint(row: number | undefined, above: unknown[]): NodeExecutionHint[] {
	if (row === undefined) return [];
	const texts = above.slice(0, 5).map((cell) => JSON.stringify(cell));
	const unused = texts.length ? ` What stands above them is not used: ${texts.join(', ')}.` : '';
	return [hint('info', `The headers were found in row ${row}.${unused}`)];
}

export const sideBySideHint = (sets: number): NodeExecutionHint[] =>
	sets ? [hint('info', `Up to ${sets} items stand side by side in a row.`)] : [];

/** Rows that were skipped on the user's request, by reason. */
export function skippedHint(skipped: Map<string, number[]>): NodeExecutionHint[] {
	if (skipped.size === 0) return [];
	const list = [...skipped].map(
		([why, rows]) => `row${rows.length === 1 ? '' : 's'} ${listNumbers(rows)} (${why})`,
	);
	return [hint('warning', `Not billed: ${list.join('; ')}.`)];
}

/** How ambiguous numbers and dates were read. */
export function inferredFormatsHint({
	hasDecimalCommas,
	dates,
}: InferredFormats): NodeExecutionHint[] {
	const dated = (order: 'dayMonth' | 'monthDay') =>
		namesOf(dates.filter((one) => one.order === order).map(({ header }) => header));
	const [dayFirst, monthFirst] = [dated('dayMonth'), dated('monthDay')];
	const read = [
		hasDecimalCommas && 'commas before decimals',
		dayFirst && `days first in ${dayFirst}`,
		monthFirst && `months first in ${monthFirst}`,
	].filter(Boolean);
	return read.length ? [hint('info', `Read as the cells show: ${read.join(', ')}.`)] : [];
}

export function numbersHint(drafts: Draft[], { makesNumbers }: RowSettings): NodeExecutionHint[] {
	const number = drafts.find(({ body }) => body.invoice_number)?.body.invoice_number;
	if (!makesNumbers || number === undefined) return [];
	return [
		hint(
			'info',
			`No column has invoice numbers, so they are made of what the invoices say, such as ${String(number)}: the same rows find the same invoices. To bill the same rows once more, set another 'Number Prefix'.`,
		),
	];
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
	if (!hasZeros || number === undefined) return [];
	return [
		hint(
			'warning',
			`Some invoice numbers begin with 0, others are numbers such as ${String(number)}: the spreadsheet may have dropped their zeros.`,
		),
	];
}

/** Rows that are equal in every cell: pasted twice, or sold twice. */
export function equalRowsHint(rows: Row[]): NodeExecutionHint[] {
	const numbers = new Map<string, number[]>();
	for (const { cells, number } of rows) {
		addTo(numbers, cells.contentKey, number);
	}
	const equal = [...numbers.values()].filter((those) => those.length > 1);
	if (equal.length === 0) return [];
	const list = equal.slice(0, 5).map((those) => listNumbers(those));
	const more = equal.length > 5 ? `, and ${equal.length - 5} more times` : '';
	return [hint('warning', `Rows that are the same in every cell: ${list.join('; ')}${more}.`)];
}

/** How many customers were found by email or by name. */
export function customerHints(rows: Row[], cutAfter?: number): NodeExecutionHint[] {
	const found = { email: new Set<string>(), name: new Set<string>() };
	for (const { match } of rows) if (match) found[match.by].add(match.id);
	const counts = (['email', 'name'] as const)
		.filter((by) => found[by].size > 0)
		.map((by, index) =>
			index === 0 ? `${plural(found[by].size, 'customer')} by ${by}` : `${found[by].size} by ${by}`,
		);
	if (counts.length === 0) return [];
	const cut = `, among the first ${cutAfter?.toLocaleString('en-US')} invoices: another customer of the same name may have only older ones`;
	return [
		cutAfter === undefined
			? hint('info', `Found ${counts.join(', ')}.`)
			: hint('warning', `Found ${counts.join(', ')}${cut}.`),
	];
}

/** All warnings, each with its rows. */
export function warningHints(warnings: Map<Draft, string[]>): NodeExecutionHint[] {
	const rows = new Map<string, number[]>();
	for (const [draft, own] of warnings) {
		for (const warning of own) {
			addTo(rows, warning, ...draft.rows.map(({ number }) => number));
		}
	}
	if (rows.size === 0) return [];
	const list = [...rows].map(
		([warning, numbers]) =>
			`${warning} (row${numbers.length === 1 ? '' : 's'} ${listNumbers(numbers)})`,
	);
	return [hint('warning', `Please check: ${list.join('; ')}.`)];
}

/** An invoice's total. For an existing invoice it is the service's, which may differ from the sheet's. */
function sumOf({ items, sum }: Unit, outcomes: Outcomes): Unit['sum'] {
	const outcome = outcomes.get(items[0]);
	const [result] = outcome && 'results' in outcome ? outcome.results : [];
	const { outcome: how, amount, currency } = result ?? {};
	const isSaid = typeof amount === 'string' && /^-?\d+(?:\.\d{1,5})?$/.test(amount);
	if (!['found', 'recovered'].includes(String(how)) || !isSaid || typeof currency !== 'string') {
		return sum;
	}
	return { currency, total: amount };
}

/** How many invoices the rows make, their total per currency, and how many were created. */
export function summaryHint({ units, isPreview }: Plan, outcomes: Outcomes): NodeExecutionHint[] {
	if (units.length === 0) return [];
	const rows = units.reduce((sum, { items }) => sum + items.length, 0);
	const results = [...outcomes.values()].flatMap((outcome) =>
		'results' in outcome ? outcome.results : [],
	);
	const counts = ['created', 'found', 'recovered'].flatMap((outcome) => {
		const count = results.filter((result) => result.outcome === outcome).length;
		const words = outcome === 'found' ? 'existed already' : outcome;
		return count ? [`${count} ${words}`] : [];
	});
	const failed = units.filter(({ items }) => {
		const outcome = outcomes.get(items[0]);
		return outcome && 'error' in outcome;
	}).length;
	if (failed) counts.push(`${failed} failed`);
	const invalid = results.filter(
		(result) => result.action === 'stop' && !('total' in result),
	).length;
	if (invalid) counts.push(`${invalid} cannot be created, as the column Problem says`);
	const summaries = results.flatMap(
		({ summary, plan }) =>
			(summary as string | undefined) ?? (plan as { summary?: string })?.summary ?? [],
	);
	counts.push(...summaries);
	if (results.length > 0 && results.every(({ outcome }) => outcome === 'found')) {
		counts.push('none created');
	}
	const money = moneyOf(sumsBy(units.flatMap((unit) => sumOf(unit, outcomes) ?? [])));
	const what = `${plural(units.length, 'invoice')} for ${plural(rows, 'row')}`;
	const sums = `${what}${money && `: ${money}`}`;
	const message = `${sums} (${counts.join(', ')}).`;
	if (!isPreview) return [hint('info', message)];
	const fresh = results.filter(({ action }) => action === 'create').length;
	const next = fresh ? " Turn off 'Preview Only' to create them." : '';
	const shown = fresh === units.length ? `${sums}.` : message;
	return [hint('info', `Nothing was created. ${shown}${next}`)];
}
