/* Calendar dates and moments, exact to the day and the second. */
import { quote } from './text';
import { clock, dayMs } from '../clock';
import type { Parsed } from '../result';
import { notRead, ok } from '../result';

/** `day`: YYYY-MM-DD. JavaScript reads 31 April as 1 May. */
function dayExists(day: string): boolean {
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** A day, and perhaps the time, seconds and offset. */
const dateTime =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

const dateIn = (zone: string, instant: Date): string =>
	new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(instant);

/** Spreadsheets count days, among them 29 February 1900, which did not exist. So this is right from 1 March 1900 on. */
const fromSerial = (serial: number): string => addDays('1899-12-30', Math.floor(serial));

const firstSerial = 61; // 1900-03-01
const lastSerial = 2_958_465; // 9999-12-31

/** `YYYY-MM-DD`. A date with time and offset becomes its day in `zone`, the workflow's. At midnight, or without an offset, the day stays as written. */
export function toDate(value: unknown, zone: string): Parsed<string> {
	if (typeof value === 'number') return numberToDate(value);
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) return notRead('is not a valid date');
		return textToDate(value.toISOString(), zone);
	}
	if (typeof value === 'object' && value !== null && 'toISO' in value) {
		const iso = (value as { toISO(): string | null }).toISO();
		return iso === null ? notRead('is not a valid date') : textToDate(iso, zone);
	}
	if (typeof value !== 'string')
		return notRead(`must be a date such as 2026-12-31, got ${quote(value)}`);
	const text = value.trim();
	return /^\d+(\.\d+)?$/.test(text) ? numberToDate(Number(text)) : textToDate(text, zone);
}

function numberToDate(number: number): Parsed<string> {
	if (Number.isInteger(number) && number >= 1900 && number <= 2100) {
		return notRead(`must be a whole date such as 2026-12-31, got only ${number}`);
	}
	if (number >= firstSerial && number < lastSerial + 1) return ok(fromSerial(number));
	return notRead(`must be a date such as 2026-12-31 or a spreadsheet's date number, got ${number}`);
}

function textToDate(text: string, zone: string): Parsed<string> {
	const match = dateTime.exec(text);
	if (!match) {
		return notRead(
			`must be a date in the form YYYY-MM-DD such as 2026-12-31, got ${quote(text)}. Day and month are never guessed`,
		);
	}
	const [, day, time = '', seconds = '', offset] = match;
	if (!dayExists(day)) return notRead(`must be a day of the calendar, got ${quote(text)}`);
	const isMidnight = /^[0:.]*$/.test(time + seconds);
	const moment = isMidnight ? ok(0) : toMoment(text, zone);
	if (moment.ok && (!offset || isMidnight)) return ok(day);
	return moment.ok ? ok(dateIn(zone, new Date(moment.value))) : moment;
}

/** Milliseconds since 1970, from text, a Date or a Luxon DateTime. Text without an offset is in `zone`, the workflow's. */
export function toMoment(value: unknown, zone: string): Parsed<number> {
	if (value instanceof Date) return validMoment(value, value.getTime());
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		return validMoment(value, (value as { toMillis(): number }).toMillis());
	}
	const text = typeof value === 'string' ? value.trim() : '';
	const match = dateTime.exec(text);
	if (!match) return invalidMoment(value);
	const [, date, time = '00:00', seconds = ':00', offset] = match;
	const asUtc = Date.parse(`${date}T${time}${seconds}Z`);
	if (!dayExists(date) || Number.isNaN(asUtc))
		return notRead(`must be a day of the calendar and a time of day, got ${quote(value)}`);
	if (!offset) return validMoment(value, inZone(asUtc, zone));
	const zoned = /^Z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
	return validMoment(value, Date.parse(`${date}T${time}${seconds}${zoned}`));
}

const invalidMoment = (value: unknown) =>
	notRead(`must be a date and time such as 2026-12-31T09:00:00, got ${quote(value)}`);

const validMoment = (value: unknown, time: number): Parsed<number> =>
	Number.isNaN(time) ? invalidMoment(value) : ok(time);

/** `asUtc`: the local time in the zone, read as if it were UTC. */
function inZone(asUtc: number, zone: string): number {
	const guess = asUtc - offsetMsAt(asUtc, zone);
	return asUtc - offsetMsAt(guess, zone);
}

function offsetMsAt(moment: number, zone: string): number {
	// Swedish writes dates as in ISO 8601.
	const shown = new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
	return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000;
}

/** Some services write a due date as the end of the day. */
const endOfDay = /T23:59(:59(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Like {@link toDate}, for the due date of an invoice (spec 2.5). At the end of the day, too, the day stays as written. */
export const dueDayOf = (due: unknown, zone: string): Parsed<string> =>
	toDate(typeof due === 'string' ? due.replace(endOfDay, '') : due, zone);

/** Negative if `to` is earlier. Days are YYYY-MM-DD. */
export const daysBetween = (from: string, to: string): number =>
	(Date.parse(to) - Date.parse(from)) / dayMs;

/** `days`: may be negative. Days are YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
	new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const todayIn = (zone: string): string => dateIn(zone, new Date(clock.now()));
