import { clock } from '../clock';
import { toDate } from './dates';
import type { Parsed } from './text';

/** Some services write a due date as the end of the day. */
const endOfDay = /T23:59(:59(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The due date of an invoice (spec 2.5) as `YYYY-MM-DD`. Midnight and the end of a day as written mean that day; another
 * moment becomes its day in `zone`, the workflow's.
 */
export const dueDayOf = (due: unknown, zone: string): Parsed<string> =>
	toDate(typeof due === 'string' ? due.replace(endOfDay, '') : due, zone);

export const todayIn = (zone: string): string =>
	new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(clock.now()));
