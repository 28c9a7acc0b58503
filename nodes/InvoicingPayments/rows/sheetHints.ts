import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import { toDecimal } from '../../shared/fields/decimal';
import type { Plan } from '../execution/plan';
import type { Outcomes } from '../execution/retryMemory';
import type { Columns } from './columns';
import type { Draft } from './invoice';
import type { Row } from './row';
import { numbersOf } from './row';
import type { IgnoredColumns } from './sheet';
import { toHundredThousandths } from './totals';

const hint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message,
	type,
	location: 'outputPane',
});
const namesOf = (names: string[]) => names.map((name) => `"${name}"`).join(', ');
const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Which columns were not used, and which were mapped or ignored in vain. */
export function columnHints(
	{ columns, unused }: Columns,
	sheet: { headers: string[]; groupHeader: string | undefined; ignored: IgnoredColumns },
	blank: number,
): NodeExecutionHint[] {
	const { headers, groupHeader, ignored } = sheet;
	const hints: NodeExecutionHint[] = [];
	const left = unused.filter((header) => header !== groupHeader && header !== 'row_number');
	if (left.length) {
		hints.push(hint('info', `Columns not used because they match no field: ${namesOf(left)}.`));
	}
	if (ignored.used.length) hints.push(hint('info', `Columns ignored: ${namesOf(ignored.used)}.`));
	const spare = columns.flatMap(({ field, header }, index) => {
		const first = columns.findIndex((one) => one.field === field);
		const isSpare = first < index && header !== undefined && !field.name.startsWith('customer');
		return isSpare
			? [
					`${field.displayName} is read from "${columns[first].header ?? ''}" rather than "${header}"`,
				]
			: [];
	});
	if (spare.length) hints.push(hint('info', `${spare.join('; ')}.`));
	const nowhere = columns.flatMap(({ header }) =>
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

/** Where some invoice numbers begin with a zero and others are numbers, a spreadsheet may have dropped the zeros of these. */
export function zerosHint({ columns }: Columns, items: IDataObject[]): NodeExecutionHint[] {
	const cells = columns
		.filter(({ field, header }) => field.name === 'invoiceNumber' && header !== undefined)
		.flatMap(({ read }) => items.map((json, index) => read(json, index)));
	const hasZeros = cells.some((cell) => typeof cell === 'string' && /^\s*0\d/.test(cell));
	const number = cells.find((cell) => typeof cell === 'number');
	if (!hasZeros || number === undefined) return [];
	return [
		hint(
			'warning',
			`Some invoice numbers begin with 0, others are numbers such as ${String(number)}: the spreadsheet may have dropped their zeros.`,
		),
	];
}

/** By what customers were found, where not by their IDs. */
export function customerHints(rows: Row[]): NodeExecutionHint[] {
	const found = { email: new Set<string>(), name: new Set<string>() };
	for (const { match } of rows) if (match) found[match.by].add(match.id);
	const counts = (['email', 'name'] as const)
		.filter((by) => found[by].size > 0)
		.map((by, index) =>
			index === 0 ? `${many(found[by].size, 'customer')} by ${by}` : `${found[by].size} by ${by}`,
		);
	return counts.length ? [hint('info', `Found ${counts.join(', ')}.`)] : [];
}

/** What a person should look at, each with its rows. */
export function warningHints(warnings: Map<Draft, string[]>): NodeExecutionHint[] {
	const rows = new Map<string, number[]>();
	for (const [{ group }, own] of warnings) {
		for (const warning of own) {
			const numbers = group.rows.map(({ number }) => number);
			rows.set(warning, [...(rows.get(warning) ?? []), ...numbers]);
		}
	}
	if (rows.size === 0) return [];
	const list = [...rows].map(
		([warning, numbers]) =>
			`${warning} (row${numbers.length === 1 ? '' : 's'} ${numbersOf(numbers)})`,
	);
	return [hint('warning', `Please check: ${list.join('; ')}.`)];
}

/** Groups of three digits, as people write sums. */
const grouped = (decimal: string) => decimal.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/**
 * How many invoices the rows make and what they come to in each currency, for a person to compare with the sheet's own sum; and how
 * many of them were created.
 */
export function summaryHint({ units }: Plan, outcomes: Outcomes): NodeExecutionHint[] {
	if (units.length === 0) return [];
	const rows = units.reduce((sum, { items }) => sum + items.length, 0);
	const results = [...outcomes.values()].flatMap((outcome) =>
		'results' in outcome ? outcome.results : [],
	);
	const counts = ['valid', 'created', 'found', 'recovered'].flatMap((outcome) => {
		const count = results.filter((result) => result.outcome === outcome).length;
		const words = outcome === 'found' ? 'existed already' : outcome;
		return count ? [`${count} ${words}`] : [];
	});
	const failed = units.filter(({ items }) => {
		const outcome = outcomes.get(items[0]);
		return outcome && 'error' in outcome;
	}).length;
	if (failed) counts.push(`${failed} failed`);
	if (results.length > 0 && results.every(({ outcome }) => outcome === 'found')) {
		counts.push('none created');
	}
	const sums = new Map<string, bigint>();
	for (const { sum } of units) {
		if (!sum) continue;
		const before = sums.get(sum.currency) ?? BigInt(0);
		sums.set(sum.currency, before + toHundredThousandths(sum.total));
	}
	const money = [...sums].map(([currency, total]) => `${currency} ${grouped(toDecimal(total, 5))}`);
	const what = `${many(units.length, 'invoice')} for ${many(rows, 'row')}`;
	const message = `${what}${money.length ? `: ${money.join(', ')}` : ''} (${counts.join(', ')}).`;
	return [hint('info', message)];
}
