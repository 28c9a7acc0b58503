import { isDateText } from '../cells';
import {
	asksWhetherBillable,
	isAnswer,
	isTotalName,
	markIn,
	saysNo,
	saysUnpaid,
	withParticiples,
} from '../columns';
import { allWordsOf, hasWord } from '../table';
import type { Column } from '../columns';
import type { ValueStatement } from '../statements';

const maxValues = 6;

const already = new Set('already bereits schon deja gia reeds'.split(' '));

/** `Paid`, `Bezahlt am`, `Already invoiced`, but not `Payment method`. */
const isMarkAlone = (header: string) =>
	markIn(header) !== undefined &&
	allWordsOf(withParticiples(header))
		.filter((word) => word.length > 2 && !markIn(word) && !already.has(word))
		.every((word) => hasWord(word, 'dates'));

/** Characters. A longer text is a note. */
const maxState = 30;
/** Whether some of few short texts, which stand in several rows, say that they are paid: `offen, offen, bezahlt 20.11.` */
function partsByMark({ counts }: Column): boolean {
	const texts = [...counts.keys()];
	const marked = texts.filter((text) => markIn(text) !== undefined);
	return (
		marked.length > 0 &&
		texts.every((text) => text.length <= maxState) &&
		texts.some((text) => !marked.includes(text) && (counts.get(text) ?? 0) > 1)
	);
}

/** Whether a column of few values parts the rows, and which of them are billed: only if its header asks for it. */
export function partingOf(column: Column): ValueStatement | undefined {
	const { header, counts, looks, filled } = column;
	const asksBillable = asksWhetherBillable(header);
	const isDone = !asksBillable && isMarkAlone(header);
	const asks = asksBillable || isDone || hasWord(header, 'asks') || partsByMark(column);
	const isOther =
		filled.length === 0 ||
		counts.size > maxValues ||
		column.is('email', 'id') ||
		(column.is('date') && !isDone) ||
		isTotalName(header);
	const values = [...counts.keys()];
	const hasBlank = filled.length < looks.length;
	const repeats = [...counts.values()].some((count) => count > 1);
	const areFigures =
		column.is('number', 'percent') && !values.every((text) => text === '0' || text === '1');
	const says = (text: string) => isAnswer(text) || isDateText(text);
	const answers = (asksBillable || isDone) && values.every(says);
	if (!asks || isOther || areFigures || !(hasBlank || repeats || answers)) return undefined;
	const isMarked = (text: string) =>
		isDone ? !saysUnpaid(text) : markIn(text) !== undefined || (asksBillable && saysNo(text));
	// `Billable` beside `not billable` is no mark, whatever its word says.
	const isLeftOut = (text: string) =>
		isMarked(text) && !values.some((other) => other.endsWith(` ${text}`) && isMarked(other));
	// `Règlement: 30 jours` answers nothing.
	if (!hasBlank && values.every((text) => isLeftOut(text) && !says(text))) return undefined;
	return {
		header,
		bill: [...values.filter((text) => !isLeftOut(text)), ...(hasBlank ? [''] : [])],
		leaveOut: values.filter(isLeftOut),
	};
}

/** Whether a statement leaves out the row with this cell of its column. */
export const leavesOut = ({ leaveOut }: ValueStatement, text = ''): boolean =>
	leaveOut.some((cell) => cell.toLowerCase() === text.toLowerCase());

/** Whether a statement says what a cell means. If dates leave rows out, as below `Paid on`, then all dates do. */
export function isListed({ bill, leaveOut }: ValueStatement, text: string): boolean {
	const isSame = (one: string) => one.toLowerCase() === text.toLowerCase();
	const areDates = leaveOut.some(isDateText) && !bill.some(isDateText);
	return bill.some(isSame) || leaveOut.some(isSame) || (areDates && isDateText(text));
}

/** With what a preview of this sheet alone would leave out, and the dates. Other new values are billed if that is confirmed. */
export function widened(one: ValueStatement, column: Column): ValueStatement {
	const others = partingOf(column)?.leaveOut ?? [];
	const leaveOut = column.texts.filter((text) =>
		isListed(one, text) ? isDateText(text) && !one.bill.includes(text) : others.includes(text),
	);
	return { ...one, leaveOut: [...new Set([...one.leaveOut, ...leaveOut])] };
}
