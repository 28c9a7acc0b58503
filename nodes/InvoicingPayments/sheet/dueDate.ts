import type { Row } from './rows';
import { agreed, textOf } from './rows';
import { rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

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
