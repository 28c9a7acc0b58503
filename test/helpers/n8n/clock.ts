import { clock } from '../../../nodes/shared/clock';
import { onAbort } from '../../../nodes/shared/onAbort';
import { serviceClock } from '../../../simulator/clock';
import { delay, globals, nextTurn } from '../../../tools/node';

/**
 * The clock of the tests. It stands still until the nodes and the service wait, and no request is moving between them. Then it jumps to
 * the next moment that something waits for. So a minute of back-off takes a millisecond, and a slow machine makes no difference.
 * Installed for all engine tests (jest.config.js).
 */

interface Sleeper {
	/** On the scale of `elapsed`. */
	at: number;
	wake(): void;
}

const RealDate = Date;
const begin = RealDate.parse('2026-06-15T10:00:00Z');

/** Milliseconds since the tests began. */
let elapsed = 0;
/** By how many milliseconds the time of day was set forward. */
let set = 0;
let sleepers: Sleeper[] = [];
/** Open requests of the nodes, and the number of all requests so far. */
const requests = new Set<symbol>();
let begun = 0;
let isRunning = false;
const watchers = new Set<() => void>();

const now = () => begin + elapsed + set;

class TestDate extends RealDate {
	constructor(...given: [] | [number | string]) {
		super(...((given.length ? given : [now()]) as [number | string]));
	}

	static override now(): number {
		return now();
	}

	static [Symbol.hasInstance](value: unknown): boolean {
		return Object.prototype.toString.call(value) === '[object Date]';
	}
}

/** Makes everything in this process use this clock. Call the result to give it its own time of day again. */
export function installClock(): () => void {
	// The same day for each test file. What the nodes remember of earlier ones must not come from the future.
	set = -elapsed;
	globals.Date = TestDate as DateConstructor;
	clock.elapsed = () => elapsed;
	clock.sleep = serviceClock.sleep = async (ms) => await pause(ms);
	clock.pause = pause;
	clock.deadline = async (ms, ended) => {
		const one = Symbol();
		requests.add(one);
		begun += 1;
		await pause(ms, ended);
		requests.delete(one);
	};
	return () => void (globals.Date = RealDate);
}

/**
 * Makes n8n's waits between the tries of Retry On Fail use this clock. Call the result to undo that.
 */
export function letN8nWait(): () => void {
	const { setTimeout: real } = globals;
	// n8n waits at most five seconds. Longer timers are limits of libraries.
	const wait = (work: () => void, ms = 0) =>
		ms > 1 && ms <= 5000 ? void pause(ms).then(work) : real(work, ms);
	globals.setTimeout = wait as unknown as typeof real;
	return () => void (globals.setTimeout = real);
}

/** Forgets all waits, because those of one test must not move the clock of the next. */
export function clearClock(): void {
	sleepers = [];
	requests.clear();
	serviceClock.waiting.clear();
	watchers.clear();
}

/** Moves the clock forward, and ends the waits that are due. */
export function passTime(ms: number): void {
	elapsed += ms;
	wakeDue();
}

/** Sets the time of day alone, as when the machine's clock is set. */
export function setClockForward(ms: number): void {
	set += ms;
}

/** Calls `look` before each jump, so that a test can act while everything waits. Call the result to undo that. */
export function beforeEachJump(look: () => void): () => void {
	watchers.add(look);
	return () => void watchers.delete(look);
}

/** Waits on this clock. `signal`: ends it at once. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	if (!(ms > 0)) {
		// Not a real timer: the clock would jump before it is over.
		await nextTurn();
		return;
	}
	await new Promise<void>((resolve) => {
		const sleeper: Sleeper = { at: elapsed + ms, wake: resolve };
		sleepers.push(sleeper);
		const wakeUp = () => {
			sleepers = sleepers.filter((one) => one !== sleeper);
			resolve();
		};
		if (signal) onAbort(signal, wakeUp);
		void run();
	});
}

/** Jumps from one sleeper to the next until there are none. */
async function run(): Promise<void> {
	if (isRunning) return;
	isRunning = true;
	while (sleepers.length) {
		await untilEverythingWaits();
		watchers.forEach((look) => look());
		// The watchers may have started something.
		if (watchers.size) await untilEverythingWaits();
		// Waits may have been aborted.
		if (!sleepers.length) break;
		elapsed = Math.max(elapsed, Math.min(...sleepers.map(({ at }) => at)));
		wakeDue();
	}
	isRunning = false;
}

function wakeDue(): void {
	const due = sleepers.filter(({ at }) => at <= elapsed).sort((one, other) => one.at - other.at);
	sleepers = sleepers.filter(({ at }) => at > elapsed);
	due.forEach(({ wake }) => wake());
}

/** The number of idle turns of the event loop after which everything counts as waiting. */
const quietTurns = 8;
/** Real milliseconds after which a request without a response counts as waiting. */
const longestMove = 20_000;

async function untilEverythingWaits(): Promise<void> {
	let since = RealDate.now();
	let seen = begun;
	for (let quiet = 0, turns = 0; quiet < quietTurns; turns++) {
		if (turns > 100) await delay(1);
		else await nextTurn();
		if (begun !== seen) since = RealDate.now();
		seen = begun;
		const { inFlight, waiting } = serviceClock;
		const isMoving = inFlight > waiting.size || requests.size > waiting.size;
		if (isMoving && RealDate.now() - since < longestMove) quiet = 0;
		else quiet += 1;
	}
}
