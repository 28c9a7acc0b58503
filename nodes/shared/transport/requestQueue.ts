import { clock } from '../clock';

export interface QueueRequest {
	/** How many requests may be in flight, including this one. */
	size: number;
	mayWait(ms: number): boolean;
	/** Call {@link RequestQueue.dismissAborted} after aborting it. */
	signal: AbortSignal;
	/** Retries go before first attempts. */
	isRepeat?: boolean;
}

/** `pausing`: the service asked for a longer pause than the request may wait. */
type Admission = 'admitted' | 'stopped' | 'pausing';

interface Waiter extends QueueRequest {
	settle(admission: Admission): void;
}

const maxPauseMs = 3_600_000;

/** All requests of an account in this n8n process. They wait while the service asks for a pause. */
export class RequestQueue {
	private inFlight = 0;
	/** Monotonic clock: if n8n's clock is set back, the pause gets no longer. */
	private pausedUntil = 0;
	private isResuming = false;
	/** Halved when the service asks for a pause, then raised by one with each round of requests. */
	private adaptiveLimit = Infinity;
	private waiting: Waiter[] = [];

	/** Call {@link leave} when an admitted request has ended. */
	async enter(request: QueueRequest): Promise<Admission> {
		if (request.signal.aborted) return 'stopped';
		return await new Promise((settle) => {
			const firstAttemptAt = this.waiting.findIndex(({ isRepeat }) => !isRepeat);
			const at = request.isRepeat && firstAttemptAt >= 0 ? firstAttemptAt : this.waiting.length;
			this.waiting.splice(at, 0, { ...request, settle });
			this.admit();
		});
	}

	/** A property, because a signal keeps each function only once. */
	readonly dismissAborted = (): void => {
		this.dismiss('stopped', ({ signal }) => signal.aborted);
		this.admit();
	};

	leave(): void {
		this.inFlight -= 1;
		if (clock.elapsed() >= this.pausedUntil) this.adaptiveLimit += 1 / this.adaptiveLimit;
		this.admit();
	}

	/** Call this before {@link leave} for the request that caused the pause. */
	pause(ms: number): void {
		const now = clock.elapsed();
		const isFirst = now >= this.pausedUntil;
		// Halve the limit only once: the other requests in flight get the same answer.
		if (isFirst)
			this.adaptiveLimit = Math.max(1, Math.floor(Math.min(this.adaptiveLimit, this.inFlight) / 2));
		const until = now + Math.min(ms, maxPauseMs);
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		this.admit();
	}

	/** If no request waits, sets no timer: it would keep the process alive. */
	private async resume(): Promise<void> {
		if (this.isResuming || this.waiting.length === 0) return;
		this.isResuming = true;
		// Timers may fire early, and the pause may get longer.
		for (let left = 1; left > 0; left = this.pausedUntil - clock.elapsed()) await clock.sleep(left);
		this.isResuming = false;
		this.admit();
	}

	private admit(): void {
		const pause = this.pausedUntil - clock.elapsed();
		if (pause > 0) {
			this.dismiss('pausing', ({ mayWait }) => !mayWait(pause));
			void this.resume();
			return;
		}
		this.dismiss('pausing', ({ mayWait }) => !mayWait(0));
		for (;;) {
			const [first] = this.waiting as Array<Waiter | undefined>;
			if (!first || this.inFlight >= Math.min(first.size, Math.floor(this.adaptiveLimit))) return;
			this.inFlight += 1;
			this.waiting.shift();
			first.settle('admitted');
		}
	}

	private dismiss(admission: Admission, which: (waiter: Waiter) => boolean): void {
		const dismissed = this.waiting.filter(which);
		this.waiting = this.waiting.filter((waiter) => !which(waiter));
		dismissed.forEach(({ settle }) => settle(admission));
	}
}
