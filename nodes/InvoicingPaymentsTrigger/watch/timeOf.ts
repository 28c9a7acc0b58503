type Result = Record<string, unknown>;

const isoFormat =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Creation time in milliseconds since 1970; `undefined` if there is none. Any date and time of ISO 8601, extended
 * (2026-06-01T09:00:00Z) or basic (20260601T090000Z), with any offset and precision. Without an offset it is UTC
 * (spec 2.1).
 */
export function timeOf(result: Result): number | undefined {
	if (!times.has(result)) times.set(result, readTime(result));
	return times.get(result);
}

/** Cached, because results are compared with many others. */
const times = new WeakMap<Result, number | undefined>();

function readTime({ created }: Result): number | undefined {
	const match = typeof created === 'string' ? isoFormat.exec(created.trim()) : null;
	if (!match) return undefined;
	const [year, month, day, hours, minutes, seconds] = match
		.slice(1, 7)
		.map((part) => Number(part ?? 0));
	const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
	// A day that does not exist moves to the next month.
	const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
	const isMidnight = hours === 24 && minutes + seconds + milliseconds === 0;
	const isTime = (hours < 24 || isMidnight) && minutes < 60 && seconds <= 60;
	if (!isDay || !isTime) return undefined;
	const time = Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds);
	return time - offsetOf(match[8] ?? 'Z');
}

/** Milliseconds ahead of UTC, e.g. of +05:30. */
function offsetOf(offset: string): number {
	const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	if (!sign) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
