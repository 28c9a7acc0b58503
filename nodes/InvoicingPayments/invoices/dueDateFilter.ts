import { dueDayOf } from '../../shared/fields/dueDay';
import type { Invoice } from './invoiceNumbers';

/** Exclusive bounds of due dates, `YYYY-MM-DD`. */
export interface DueRange {
	dueAfter?: string;
	dueBefore?: string;
}

/** Filters invoices by due date, because the service has no such filter (spec 4.2). */
export class DueDateFilter {
	/** Why the filter cannot be applied, in words that can follow "The service returned an unexpected response". */
	problem: string | undefined;

	/** `zone`: the workflow's. A moment that is not midnight is a day there. */
	constructor(
		private readonly range: DueRange,
		private readonly zone: string,
	) {}

	/** `false` if there is no due date. */
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

export const hasDueRange = ({ dueAfter, dueBefore }: DueRange) =>
	dueAfter !== undefined || dueBefore !== undefined;

export function isEmptyRange({ dueAfter, dueBefore }: DueRange): boolean {
	if (dueAfter === undefined || dueBefore === undefined) return false;
	const nextDay = new Date(Date.parse(dueAfter) + 86_400_000).toISOString().slice(0, 10);
	return nextDay >= dueBefore;
}
