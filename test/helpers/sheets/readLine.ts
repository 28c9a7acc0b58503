import type { Finding } from '../../../nodes/InvoicingPayments/reading/findings/findings';
import { readingText } from '../../../nodes/InvoicingPayments/reading/text/text';
import { knownCustomers, rowsOf, wordFor } from '../../fixtures/sheetTable/line';
import type { LineSettings } from '../../fixtures/sheetTable/line';
import type { ReadRows } from './readRows';
import { readRows } from './readRows';

/** A reading without what stood in the columns: other tests show that. */
export const withoutShapes = ({ reading }: ReadRows): string =>
	readingText({
		...reading.statements,
		...{ shapes: new Map(), texts: undefined, seen: undefined },
	});

function statementsOf(read: ReadRows): string[] {
	const parts = withoutShapes(read).match(/(?:"(?:[^"\\]|\\.)*"|\([^)]*\)|[^;"(])+/g) ?? [];
	return parts.map((part) => part.trim());
}

const plain = statementsOf(readRows(rowsOf(''), knownCustomers));
const fieldOf = (statement: string) => statement.split(/ = | per | for |: /)[0];

/** How a reading differs from the plain sheet's. */
export function readingDifference(read: ReadRows): string {
	const own = statementsOf(read);
	const added = own.filter((one) => !plain.includes(one));
	const lacks = plain.filter(
		(one) => !own.includes(one) && !added.some((other) => fieldOf(other) === fieldOf(one)),
	);
	return [...lacks.map((one) => `no ${fieldOf(one)}`), ...added].join('; ');
}

/** The invoices of a preview, and why a run would not bill them yet, as in a line of the table. */
export function happensIn({ findings, invoices }: ReadRows, due = '2027-03-01'): string {
	const totals = invoices.map((one) => {
		if (one.problems.length) return 'stop';
		const others = [
			...(one.customer === knownCustomers[0].email ? [] : [wordFor(one.customer)]),
			...(one.currency === 'EUR' ? [] : [one.currency]),
			...(one.due === due ? [] : [one.due]),
		];
		return [one.total, ...others].join('@');
	});
	const problem = invoices.flatMap(({ problems }) => problems).find(Boolean);
	const ofKind = (...kinds: Array<Finding['kind']>) =>
		findings.filter(({ kind }) => kinds.includes(kind));
	const looks = ofKind('words', 'dates', 'repeats', 'sums', 'amounts').map(({ kind }) => kind);
	const guesses = ofKind('guess').map(({ text }) => text.replace(/ = .*| \(.*| in rows? .*/, ''));
	return [
		totals.join(' '),
		...(problem === undefined ? [] : [`stops: ${problem}`]),
		...ofKind('difference').map(({ text }) => text),
		...(looks.length ? [`look at: ${[...new Set(looks)].sort().join(', ')}`] : []),
		...(guesses.length ? [`guess: ${guesses.join(', ')}`] : []),
	].join(' | ');
}

/** Reads the sheet of a line, and again with its edited reading confirmed, as a person would do. `read`: once more. */
export function readLine(columns: string, { defaults = {}, edit }: LineSettings = {}) {
	const rows = rowsOf(columns);
	const read = (confirmed?: string) => readRows(rows, knownCustomers, { defaults, confirmed });
	const first = read();
	const [old, text] = edit ?? ['', ''];
	const before = withoutShapes(first);
	const edited = old === '' ? `${before}; ${text}` : before.replace(old, text);
	const shown = edit === undefined ? first : read(edited);
	return {
		first,
		read,
		reads: readingDifference(shown),
		happens: happensIn(shown),
	};
}
