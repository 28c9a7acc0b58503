import { quote } from '../../shared/fields/text';
import { currenciesOf, isPlainCurrency } from './currencies';
import type { Row } from './rows';
import { agreed, rowsLabel, textOf } from './rows';
import { rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

/** The invoice's currency: its column, else the only one its signs allow, else the default. The signs must agree. `{}`: unknown. */
export function currencyOf(
	rows: readonly Row[],
	fallback: string | undefined,
): { currency?: string } | { problem: string } {
	const said = agreed(rows, rowField('currency'));
	if ('problem' in said) return said;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return {};
	const marks = rows.flatMap((row) =>
		row.marks.map(({ mark }) => ({ row, mark, codes: currenciesOf(mark) })),
	);
	const plain = marks.filter(({ mark }) => isPlainCurrency(mark));
	const [first] = plain;
	const possible = plain.reduce<readonly string[]>(
		(left, { codes }) => left.filter((code) => codes.includes(code)),
		first?.codes ?? [],
	);
	if (said.value === undefined && first && possible.length === 0) {
		const other = plain.find(({ codes }) => !codes.some((code) => first.codes.includes(code)));
		return {
			problem: `Currency differs: ${rowsLabel([first.row])} says ${quote(first.mark)}, ${rowsLabel([other?.row ?? first.row])} says ${quote(other?.mark)}. An invoice has one currency`,
		};
	}
	const only = possible.length === 1 ? possible[0] : undefined;
	const currency = (said.value as string | undefined) ?? only ?? fallback;
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

/** Adds days to a date (`YYYY-MM-DD`). */
const after = (date: string, days: number) =>
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
	const fromToday = (inDays: number) => ({ date: after(today, inDays), inDays });
	const said = agreed(rows, rowField('dueDate'));
	if ('problem' in said) return { problems: [said.problem] };
	if (said.value !== undefined) return { date: said.value as string };
	if (rows.some(({ invalid }) => invalid.has('dueDate'))) return {};
	const terms = deferred(rows, 'terms');
	if ('problems' in terms) return terms;
	if (terms.value === undefined) {
		return dueInDays === undefined ? {} : fromToday(dueInDays);
	}
	const start = deferred(rows, 'invoiceDate');
	if ('problems' in start) return start;
	if (start.value === undefined) return fromToday(terms.value as number);
	return { date: after(start.value as string, terms.value as number) };
}

/** The value of a column whose problems count only if it is needed. */
function deferred(rows: readonly Row[], name: string): { value: unknown } | { problems: string[] } {
	const problems = rows.flatMap((row) => row.deferred.get(name) ?? []);
	if (problems.length) return { problems: problems.map((problem) => textOf(problem)) };
	const said = agreed(rows, rowField(name));
	return 'problem' in said ? { problems: [said.problem] } : said;
}
