import { dueDayOf } from '../../shared/fields/dueDay';
import type { Invoice } from './invoiceNumbers';

/** The days between which invoices are to be due, as `YYYY-MM-DD`; neither of them is one of these days. */
export interface DueRange {
	dueAfter?: string;
	dueBefore?: string;
}

/** Looks which invoices are due within a range, for the service has no filter for it (spec 4.2). */
export class DueDays {
	/** Why it cannot be seen of an invoice, in words that can follow "The service returned an unexpected response". */
	problem: string | undefined;

	/** `zone`: the workflow's, in which a moment that is not midnight is a day. */
	constructor(
		private readonly range: DueRange,
		private readonly zone: string,
	) {}

	/** Whether an invoice is due within the range. One without a due date is not. */
	isWithin({ due_date: due }: Invoice): boolean {
		if (due === null || due === '') return false;
		const day = dueDayOf(due, this.zone);
		if ('problem' in day) {
			this.problem ??=
				due === undefined
					? "invoices without due_date, so 'Due After' and 'Due Before' cannot be applied"
					: `an invoice whose due_date ${day.problem}`;
			return false;
		}
		const { dueAfter = '', dueBefore = '9999-99' } = this.range;
		return day.value > dueAfter && day.value < dueBefore;
	}
}

/** Whether a range is given at all. */
export const hasDueRange = ({ dueAfter, dueBefore }: DueRange) =>
	dueAfter !== undefined || dueBefore !== undefined;

/** Whether no day lies within a range. */
export function isEmptyRange({ dueAfter, dueBefore }: DueRange): boolean {
	if (dueAfter === undefined || dueBefore === undefined) return false;
	const nextDay = new Date(Date.parse(dueAfter) + 86_400_000).toISOString().slice(0, 10);
	return nextDay >= dueBefore;
}
