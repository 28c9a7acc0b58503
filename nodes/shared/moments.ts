import type { Outcome } from './values';
import { quote } from './values';

/**
 * A moment in milliseconds since 1970, of a date picker, text, a Date or a Luxon DateTime. Without an offset it is meant as it is
 * written in `zone` (the workflow's), a date without a time is its midnight. Day and month are never guessed.
 */
export function toMoment(value: unknown, zone: string): Outcome<number> {
	if (value instanceof Date) return checked(value, value.getTime());
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		return checked(value, (value as { toMillis(): number }).toMillis());
	}
	const text = typeof value === 'string' ? value.trim() : '';
	const match =
		/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
			text,
		);
	if (!match) return wrong(value);
	const [, date, time = '00:00', seconds = ':00', offset] = match;
	const asUtc = Date.parse(`${date}T${time}${seconds}Z`);
	// Date.parse takes 31 April for 1 May.
	const isDay = !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(date);
	if (!isDay)
		return { problem: `must be a day of the calendar and a time of day, got ${quote(value)}` };
	if (!offset) return checked(value, inZone(asUtc, zone));
	const zoned = /^Z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
	return checked(value, Date.parse(`${date}T${time}${seconds}${zoned}`));
}

const wrong = (value: unknown) => ({
	problem: `must be a date and time such as 2026-12-31T09:00:00, got ${quote(value)}`,
});

const checked = (value: unknown, time: number): Outcome<number> =>
	Number.isNaN(time) ? wrong(value) : { value: time };

/** The moment at which a clock in the zone shows what a clock in UTC shows at `asUtc`. */
function inZone(asUtc: number, zone: string): number {
	const guess = asUtc - offsetAt(asUtc, zone);
	return asUtc - offsetAt(guess, zone);
}

/** How far the zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(moment);
	const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
	const shown = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shown - Math.floor(moment / 1000) * 1000;
}
