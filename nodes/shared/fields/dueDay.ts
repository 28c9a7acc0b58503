import { clock } from '../clock';
import { toDate } from './dates';
import type { Parsed } from './text';

/** The end of a day, as a service may write the day on which an invoice is due. */
const endOfDay = /T23:59(:59(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The day on which an invoice is due (spec 2.5), as `YYYY-MM-DD`. Midnight and the end of a day as written mean that day; another moment is
 * the day that it is in `zone`, the workflow's.
 */
export const dueDayOf = (due: unknown, zone: string): Parsed<string> =>
	toDate(typeof due === 'string' ? due.replace(endOfDay, '') : due, zone);

/** The calendar date of now in a time zone. */
export const todayIn = (zone: string): string =>
	new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(clock.now()));
