import type { Row } from './rows';
import { agreed, textOf } from './rows';
import { rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

const day = 86_400_000;

/** The calendar date so many days after another one, `YYYY-MM-DD`. */
const after = (date: string, days: number) =>
	new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);

/**
 * The day by which an invoice is to be paid: its due date; else its terms, counted from its invoice date, or from today where it has
 * none; else the default. `inDays`: so many days from today. `{}`: nothing says it.
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

/** What rows say in a column whose problems count only now that it is needed. */
function deferred(rows: readonly Row[], name: string): { value: unknown } | { problems: string[] } {
	const problems = rows.flatMap((row) => row.deferred.get(name) ?? []);
	if (problems.length) return { problems: problems.map((problem) => textOf(problem)) };
	const said = agreed(rows, rowField(name));
	return 'problem' in said ? { problems: [said.problem] } : said;
}
