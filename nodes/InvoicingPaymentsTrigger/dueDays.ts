import { dueDayOf, todayIn } from '../shared/fields/dates';

export interface DaysWanted {
	side: 'before' | 'after';
	count: number;
	zone: string;
}

type Result = Record<string, unknown>;

const millisecondsPerDay = 86_400_000;
const noDueDateNote =
	'The service lists invoices without a due_date that can be read, so they do not start the workflow.';

/** Finds invoices by the days before or after their due date. `today` stays the same for the poll. */
export class DueWatch {
	/** `YYYY-MM-DD` */
	readonly today: string;
	/** Warnings for n8n's log. */
	readonly notes: string[] = [];

	constructor(private readonly wanted: DaysWanted) {
		this.today = todayIn(wanted.zone);
	}

	isDue({ due_date: due }: Result): boolean {
		const { side, count, zone } = this.wanted;
		const read = dueDayOf(due, zone);
		if ('problem' in read) {
			if (this.notes.length === 0) this.notes.push(noDueDateNote);
			return false;
		}
		const left = Math.round((Date.parse(read.value) - Date.parse(this.today)) / millisecondsPerDay);
		return side === 'before' ? left >= 0 && left <= count : -left >= count;
	}

	/** Includes the due date: if it changes, the invoice is a new one. */
	keyOf(key: string, { due_date: due }: Result): string {
		const read = dueDayOf(due, this.wanted.zone);
		return 'problem' in read ? key : `${key} ${read.value}`;
	}
}
