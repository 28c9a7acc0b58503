import type { ReadyDraft } from '../reading/invoices';

/** A relative due date is represented by its number of days, which stays the same tomorrow. */
export const dueOf = ({ body, dueInDays }: Pick<ReadyDraft, 'body' | 'dueInDays'>) =>
	dueInDays === undefined ? body.due_date : `+${dueInDays}`;
