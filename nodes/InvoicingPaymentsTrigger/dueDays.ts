import { dueDayOf, todayIn } from '../shared/fields/dates';

/** Days before invoices are due, or since. */
export interface DaysWanted {
	side: 'before' | 'after';
	count: number;
	/** Time zone of the workflow, whose days count. */
	zone: string;
}

type Result = Record<string, unknown>;

const day = 86_400_000;
const missing =
	'The service lists invoices without a due_date that can be read, so they do not start the workflow.';

/** Looks which invoices are due within so many days, or have been due for so many, on the day that it is when it is made. */
export class DueWatch {
	/** The day that it is, `YYYY-MM-DD`. */
	readonly today: string;
	/** What the administrator of n8n should know. */
	readonly notes: string[] = [];

	constructor(private readonly wanted: DaysWanted) {
		this.today = todayIn(wanted.zone);
	}

	isDue({ due_date: due }: Result): boolean {
		const { side, count, zone } = this.wanted;
		const read = dueDayOf(due, zone);
		if ('problem' in read) {
			if (this.notes.length === 0) this.notes.push(missing);
			return false;
		}
		const left = Math.round((Date.parse(read.value) - Date.parse(this.today)) / day);
		return side === 'before' ? left >= 0 && left <= count : -left >= count;
	}

	/** With its due date, which counts anew when it changes. `key`: what tells an invoice from others. */
	keyOf(key: string, { due_date: due }: Result): string {
		const read = dueDayOf(due, this.wanted.zone);
		return 'problem' in read ? key : `${key} ${read.value}`;
	}
}
