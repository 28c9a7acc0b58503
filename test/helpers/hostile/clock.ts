import { globals } from '../../../tools/node';

const RealDate = Date;
/** By how much faster time goes than on the wall. */
let speed = 1;
let begin = RealDate.now();
let shown = begin;

const now = () => shown + (RealDate.now() - begin) * speed;

class MovedDate extends RealDate {
	constructor(...given: [] | [number | string]) {
		super(...((given.length ? given : [now()]) as [number | string]));
	}

	static override now(): number {
		return Math.round(now());
	}
}

/** Lets the clock of this process go so many times as fast: what waits looks at the clock now and then. */
export function hurry(times: number): void {
	shown = now();
	begin = RealDate.now();
	speed = times;
	globals.Date = MovedDate as DateConstructor;
}

/** Moves the clock of this process forward, in milliseconds. */
export const passTime = (milliseconds: number): void => void (shown += milliseconds);
