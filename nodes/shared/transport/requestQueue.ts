import { clock } from '../clock';

export interface QueueRequest {
	/** How many requests may be in flight when this one starts. */
	size: number;
	/** Whether it may wait for `ms` milliseconds from now. */
	mayWait(ms: number): boolean;
	/** Aborted when the request is not wanted any more; {@link RequestQueue.sendAway} has to follow. */
	signal: AbortSignal;
	/** Sent before, so it goes before those that were not. */
	isRepeat?: boolean;
	/** Whether others go before it for now; {@link RequestQueue.admit} has to follow when it is not held any longer. */
	isHeld?(): boolean;
}

/** `pausing`: the service asked for a pause that is longer than it may wait. */
export type Admission = 'admitted' | 'stopped' | 'pausing';

interface Waiter extends QueueRequest {
	settle(admission: Admission): void;
}

/** However long a service asks to be left alone, it is asked again after this time. */
const longestPause = 3_600_000;

/**
 * The line in which all requests of this n8n process for one account wait: it bounds how many are in flight, keeps their order,
 * and holds them all back while the service asks for a pause.
 */
export class RequestQueue {
	private inFlight = 0;
	private pausedUntil = 0;
	private isResuming = false;
	/** How many at a time the service seems to bear: halved when it asks for a pause, then one more with each round that goes well. */
	private bearable = Infinity;
	private waiting: Waiter[] = [];

	/** Resolves when the request may be sent, which {@link leave} has to follow, or when it is not to be sent. */
	async enter(wish: QueueRequest): Promise<Admission> {
		if (wish.signal.aborted) return 'stopped';
		return await new Promise((settle) => {
			const behind = this.waiting.findIndex(({ isRepeat }) => !isRepeat);
			const at = wish.isRepeat && behind >= 0 ? behind : this.waiting.length;
			this.waiting.splice(at, 0, { ...wish, settle });
			this.admit();
		});
	}

	/** Sends away all that wait with a signal that is aborted. */
	sendAway(): void {
		this.dismiss('stopped', ({ signal }) => signal.aborted);
		this.admit();
	}

	/** Every request that was admitted leaves when it has ended. */
	leave(): void {
		this.inFlight -= 1;
		if (clock.now() >= this.pausedUntil) this.bearable += 1 / this.bearable;
		this.admit();
	}

	/** Holds all requests back for `ms` milliseconds. To be called before the request that was asked to wait leaves. */
	pause(ms: number): void {
		const now = clock.now();
		const isFirst = now >= this.pausedUntil;
		// What else was in flight is asked to wait as well: that is one and the same complaint.
		if (isFirst)
			this.bearable = Math.max(1, Math.floor(Math.min(this.bearable, this.inFlight) / 2));
		const until = now + Math.min(ms, longestPause);
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		this.admit();
	}

	/** Where nobody waits there is no timer either: it would keep the process from ending. */
	private async resume(): Promise<void> {
		if (this.isResuming || this.waiting.length === 0) return;
		this.isResuming = true;
		// A timer may be a little early, and the pause may have grown.
		for (let left = 1; left > 0; left = this.pausedUntil - clock.now()) await clock.sleep(left);
		this.isResuming = false;
		this.admit();
	}

	/** Admits the requests that can be sent. Call it when a request is no longer held back. */
	admit(): void {
		const pause = this.pausedUntil - clock.now();
		if (pause > 0) {
			this.dismiss('pausing', ({ mayWait }) => !mayWait(pause));
			void this.resume();
			return;
		}
		this.dismiss('pausing', ({ mayWait, isHeld }) => !isHeld?.() && !mayWait(0));
		for (;;) {
			const at = this.waiting.findIndex(({ isHeld }) => !isHeld?.());
			const first = this.waiting[at];
			if (!first || this.inFlight >= Math.min(first.size, Math.floor(this.bearable))) return;
			this.inFlight += 1;
			this.waiting.splice(at, 1);
			first.settle('admitted');
		}
	}

	private dismiss(admission: Admission, which: (waiter: Waiter) => boolean): void {
		const dismissed = this.waiting.filter(which);
		this.waiting = this.waiting.filter((waiter) => !which(waiter));
		dismissed.forEach(({ settle }) => settle(admission));
	}
}
