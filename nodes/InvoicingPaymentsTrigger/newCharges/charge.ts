import { keyOf } from '../common/identity';
import { hashOf } from '../../shared/hash';

/** A charge as the service lists it (spec 2.10). Which of its fields are always there is not known. */
export type Charge = Record<string, unknown>;

const moment =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * When a charge was made, in milliseconds since 1970; `undefined` where it does not say. Any date and time of ISO 8601, extended
 * (2026-06-01T09:00:00Z) or basic (20260601T090000Z), with any offset and precision; without an offset it is UTC (spec 2.1).
 */
export function timeOf(charge: Charge): number | undefined {
	if (!times.has(charge)) times.set(charge, readTime(charge));
	return times.get(charge);
}

/** A charge is compared with many others. */
const times = new WeakMap<Charge, number | undefined>();

function readTime({ created }: Charge): number | undefined {
	const match = typeof created === 'string' ? moment.exec(created.trim()) : null;
	if (!match) return undefined;
	const [year, month, day, hours, minutes, seconds] = match
		.slice(1, 7)
		.map((part) => Number(part ?? 0));
	const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
	// What is no day of the calendar moves to another month.
	const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
	const isMidnight = hours === 24 && minutes + seconds + milliseconds === 0;
	const isTime = (hours < 24 || isMidnight) && minutes < 60 && seconds <= 60;
	if (!isDay || !isTime) return undefined;
	const time = Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds);
	return time - offsetOf(match[8] ?? 'Z');
}

/** How far ahead of UTC an offset such as +05:30 is, in milliseconds. */
function offsetOf(offset: string): number {
	const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	if (!sign) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A charge and what it is sorted and remembered by. */
export interface Dated {
	charge: Charge;
	/** `undefined`: it does not say when it was made. */
	time: number | undefined;
	hash: string;
}

export function dated(charge: Charge): Dated {
	const known = all.get(charge);
	if (known) return known;
	const one = { charge, time: timeOf(charge), hash: hashOf(keyOf(charge)) };
	all.set(charge, one);
	return one;
}

const all = new WeakMap<Charge, Dated>();

/** Oldest first, and those that do not say when they were made last. */
export const byAge = (a: Dated, b: Dated) => (a.time ?? Infinity) - (b.time ?? Infinity) || 0;

/** Whether two charges say that they were made at the same moment. */
export function isSameMoment(a: Charge, b: Charge | undefined): boolean {
	const time = timeOf(a);
	return time !== undefined && b !== undefined && time === timeOf(b);
}
