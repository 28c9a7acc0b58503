import { quote } from '../../shared/fields/text';
import { currenciesOf, isPlainCurrency } from './currencies';
import type { RowField } from './rowFields';
import { rowField } from './rowFields';
import type { Row } from './rows';
import { problemText, rowsLabel } from './rows';
import type { RowSettings } from './rowSettings';

/** The value of a field that an invoice has once, or the rows that contradict each other. */
export function sharedValue(
	rows: readonly Row[],
	{ name, displayName }: Pick<RowField, 'name' | 'displayName'>,
): { value: unknown } | { problem: string } {
	const saying = rows.filter(({ values }) => values.has(name));
	const [first] = saying;
	const value = first?.values.get(name);
	const shown = (one: unknown) => JSON.stringify(one)?.normalize('NFC');
	const other = saying.find(({ values }) => shown(values.get(name)) !== shown(value));
	if (!other) return { value };
	return {
		problem: `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}. Enter the same, or add the column to 'Ignore Columns'`,
	};
}

/** The invoice's currency: its column, else the only one its signs allow, else the default. The signs must agree. `{}`: unknown. */
export function currencyOf(
	rows: readonly Row[],
	fallback: string | undefined,
): { currency?: string } | { problem: string } {
	const shared = sharedValue(rows, rowField('currency'));
	if ('problem' in shared) return shared;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return {};
	const marks = rows.flatMap((row) =>
		row.marks.map(({ mark }) => ({ row, mark, codes: currenciesOf(mark) })),
	);
	const plain = marks.filter(({ mark }) => isPlainCurrency(mark));
	const [first] = plain;
	const possible = plain.reduce<readonly string[]>(
		(remaining, { codes }) => remaining.filter((code) => codes.includes(code)),
		first?.codes ?? [],
	);
	if (shared.value === undefined && first && possible.length === 0) {
		const other = plain.find(({ codes }) => !codes.some((code) => first.codes.includes(code)));
		return {
			problem: `Currency differs: ${rowsLabel([first.row])} says ${quote(first.mark)}, ${rowsLabel([other?.row ?? first.row])} says ${quote(other?.mark)}. An invoice has one currency`,
		};
	}
	const only = possible.length === 1 ? possible[0] : undefined;
	const currency = (shared.value as string | undefined) ?? only ?? fallback;
	if (currency === undefined) {
		if (!first) return {};
		return {
			problem: `Currency is empty, and ${quote(first.mark)} can mean ${possible.slice(0, 5).join(', ')}: add a Currency column or 'Default Currency'`,
		};
	}
	const other = marks.find(({ codes }) => !codes.includes(currency));
	if (!other) return { currency };
	return {
		problem: `Currency is ${currency}, but an amount in ${rowsLabel([other.row])} says ${quote(other.mark)}`,
	};
}

const day = 86_400_000;

const addDays = (date: string, days: number) =>
	new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);

/**
 * The due date of an invoice: its Due Date column, else its terms from the invoice date (or today), else the default.
 * `inDays`: days from today, if counted from there. `{}`: unknown.
 */
export function dueDateOf(
	rows: readonly Row[],
	{ dueInDays }: RowSettings,
	today: string,
): { date?: string; inDays?: number } | { problems: string[] } {
	const fromToday = (inDays: number) => ({ date: addDays(today, inDays), inDays });
	const shared = sharedValue(rows, rowField('dueDate'));
	if ('problem' in shared) return { problems: [shared.problem] };
	if (shared.value !== undefined) return { date: shared.value as string };
	if (rows.some(({ invalid }) => invalid.has('dueDate'))) return {};
	const terms = deferredValue(rows, 'terms');
	if ('problems' in terms) return terms;
	if (terms.value === undefined) {
		return dueInDays === undefined ? {} : fromToday(dueInDays);
	}
	const start = deferredValue(rows, 'invoiceDate');
	if ('problems' in start) return start;
	if (start.value === undefined) return fromToday(terms.value as number);
	return { date: addDays(start.value as string, terms.value as number) };
}

/** The value of a column whose problems count only if it is needed. */
function deferredValue(
	rows: readonly Row[],
	name: string,
): { value: unknown } | { problems: string[] } {
	const problems = rows.flatMap((row) => row.deferred.get(name) ?? []);
	if (problems.length) return { problems: problems.map((problem) => problemText(problem)) };
	const shared = sharedValue(rows, rowField(name));
	return 'problem' in shared ? { problems: [shared.problem] } : shared;
}
