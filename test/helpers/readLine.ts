import { seenCode } from '../../nodes/InvoicingPayments/reading/readSheet';
import { knownCustomers, rowsOf, wordFor } from '../fixtures/sheetTable/line';
import type { LineSettings } from '../fixtures/sheetTable/line';
import type { ReadRows } from './readRows';
import { readRows } from './readRows';

/** Splits the text of a reading at semicolons outside quotes. `seen` depends on the rows only. */
function statementsOf(text: string): string[] {
	const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? [];
	return parts.map((part) => part.trim()).filter((part) => !part.startsWith('seen: '));
}

const plain = statementsOf(readRows(rowsOf(''), knownCustomers).text);
const fieldOf = (statement: string) => statement.split(/ = | per /)[0];

/** How a reading differs from the plain sheet's. */
export function readingDifference(text: string): string {
	const own = statementsOf(text);
	const added = own.filter((one) => !plain.includes(one));
	const lacks = plain.filter(
		(one) => !own.includes(one) && !added.some((other) => fieldOf(other) === fieldOf(one)),
	);
	return [...lacks.map((one) => `no ${fieldOf(one)}`), ...added].join('; ');
}

/** The invoices of a preview, and why a run would not bill them yet, as in a line of the table. */
export function happensIn(
	{ reading, invoices, isConfirmed }: ReadRows & { isConfirmed?: boolean },
	due = '2027-03-01',
): string {
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
	const isSeen = reading.statements.seen === seenCode(reading);
	const kinds = isSeen ? [] : [...new Set(reading.hands.map(({ kind }) => kind))].sort();
	const guesses = reading.guesses.map(({ what }) => what);
	const changes = [
		...reading.newColumns.map((header) => `new column ${header}`),
		...reading.missingColumns.map(({ header }) => `missing column ${header}`),
		...reading.newValues.map(({ header, value }) => `new value ${header}: ${value}`),
	];
	return [
		totals.join(' '),
		...(problem === undefined ? [] : [`stops: ${problem}`]),
		...changes,
		...(kinds.length ? [`look at: ${kinds.join(', ')}`] : []),
		...(guesses.length ? [`guess: ${guesses.join(', ')}`] : []),
		...(reading.unbilled.length && !isConfirmed ? ['left over'] : []),
	].join(' | ');
}

/** Reads the sheet of a line, and again with its edited reading confirmed, as a person would do. `read`: once more. */
export function readLine(columns: string, { defaults = {}, edit }: LineSettings = {}) {
	const rows = rowsOf(columns);
	const read = (confirmed?: string) => readRows(rows, knownCustomers, { defaults, confirmed });
	const first = read();
	const [old, text] = edit ?? ['', ''];
	const edited = old === '' ? `${first.text}; ${text}` : first.text.replace(old, text);
	const shown = edit === undefined ? first : { ...read(edited), isConfirmed: true };
	return {
		first,
		read,
		reads: readingDifference(shown.text),
		happens: happensIn(shown),
	};
}
