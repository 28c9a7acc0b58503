import { codeOf, hexOf } from '../../../shared/hash';
import type { Steps } from '../../../shared/steps';
import { mapInSteps } from '../../../shared/steps';
import type { Finding, Findings } from '../findings';
import { isStated, placeOf } from '../findings';
import type { Draft, Invoices } from '../invoices';
import type { Rows } from '../rows';
import type { Statements } from '../statements';
import { saying } from '../statements';

/** Whether a sheet may be billed. It is decided here alone: a preview shows the verdict, and a creating run bills what it does not hold. */
export interface Verdict {
	/** What a person has to look at: differences first, then guesses, then the others, the weightiest first. */
	unsettled: readonly Finding[];
	/** The reading that settles all of it, if a person confirms it. */
	settledBy: Statements;
	/** What may not be billed: the invoices of the rows of what is unsettled, or the whole sheet. */
	holds: 'nothing' | 'rows' | 'sheet';
	/** Why. */
	why?: 'nothing to bill' | 'not confirmed' | 'not settled';
}

/** What a verdict is made of. */
interface Read extends Pick<Rows, 'leftOut'>, Pick<Invoices, 'drafts'>, Findings {
	/** The reading that was given. */
	said?: Pick<Statements, 'shapes'>;
	/** A person has given the reading, or no reading is needed. */
	isConfirmed: boolean;
}

/**
 * Decides whether a sheet may be billed. The first line that applies:
 *
 *   no invoice, and no rows left out by their value     holds the sheet: nothing to bill
 *   nobody has confirmed the reading                    holds the sheet: not confirmed
 *   everything is settled                               holds nothing
 *   all that is unsettled is about rows of invoices     holds these rows: not settled
 *   otherwise                                           holds the sheet: not settled
 */
export function* verdictOf(read: Read): Steps<Verdict> {
	const { drafts, leftOut, statements, isConfirmed } = read;
	const open = inOrder(read.findings.filter((one) => !isSettledByWords(one, read)));
	const seenCode = yield* seenCodeOf(drafts, leftOut, open);
	const unsettled = statements.seen === seenCode ? open.filter(isStated) : open;
	const needsCode = open.some((one) => !isStated(one));
	const settledBy = { ...statements, seen: needsCode ? seenCode : undefined };
	const decided = { unsettled, settledBy };
	if (drafts.length === 0 && !leftOut.some(({ why }) => why === 'value'))
		return { ...decided, holds: 'sheet', why: 'nothing to bill' };
	if (!isConfirmed) return { ...decided, holds: 'sheet', why: 'not confirmed' };
	if (unsettled.length === 0) return { ...decided, holds: 'nothing' };
	const isOfRows = drafts.length > 0 && unsettled.every(({ rows }) => rows.length > 0);
	return { ...decided, holds: isOfRows ? 'rows' : 'sheet', why: 'not settled' };
}

/** What is unsettled about the rows of an invoice. */
export function findingsOf({ unsettled }: Verdict, { rows: own }: Draft): Finding[] {
	const numbers = new Set(own.map(({ number }) => number));
	return unsettled.filter(({ rows }) => rows.some((row) => numbers.has(row)));
}

/** Whether the reading that was given settles it for good: `unchecked: dates`, `(says paid)`. */
const isSettledByWords = ({ kind, header = '', word }: Finding, { statements, said }: Read) =>
	statements.unchecked.includes(kind) ||
	(word !== undefined && said?.shapes.get(header)?.kinds.includes(saying(word)) === true);

const isOfRows = ({ rows }: Finding) => Number(rows.length > 0);

/** Of the differences, those of the whole sheet come before those of rows. */
const inOrder = (findings: Finding[]): Finding[] =>
	findings.sort(
		(a, b) =>
			placeOf(a.kind) - placeOf(b.kind) ||
			(a.kind === 'difference' ? isOfRows(a) - isOfRows(b) : 0) ||
			b.money - a.money,
	);

/**
 * A code of all that somebody saw: what would be billed, what to look at, and which rows are left out. Not of what exists already, so that
 * a repeated run is settled too. 80 bits of SHA-256, because it authorizes what is billed.
 */
function* seenCodeOf(
	drafts: readonly Draft[],
	leftOut: Rows['leftOut'],
	findings: readonly Finding[],
): Steps<string> {
	const invoices = yield* mapInSteps(drafts, ({ body, dueInDays }) =>
		hexOf(
			JSON.stringify(
				dueInDays === undefined
					? body
					: { ...body, due_date: dueInDays, invoice_number: undefined },
			),
		),
	);
	const others = [
		...findings.flatMap((one) => (isStated(one) ? [] : [`${one.kind}: ${one.text}`])),
		...leftOut.map(({ name, amount = '', why, line }) =>
			why === 'nothing' ? `${name} ${line.number}` : `${name} ${amount}`,
		),
	];
	return codeOf(JSON.stringify([invoices.sort(), others.sort()]), 16);
}
