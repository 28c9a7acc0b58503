import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { ExpiringMap } from '../../shared/expiringMap';
import type { Cursor } from '../watch/cursor';

/** Hashes of the settings for which a trigger's state is valid. */
export interface Scope {
	/** The event and Start With. If it changes, the trigger starts over. */
	start: string;
	service: string;
	filters: string;
	/** The API key, if creation times do not show what is new. */
	account?: string;
}

export const isSameScope = (one: Scope, other: Scope): boolean =>
	one.start === other.start &&
	one.service === other.service &&
	one.filters === other.filters &&
	one.account === other.account;

/** A trigger's state in n8n's static data. If its fields change, or what they mean, `version` does. */
export interface Memory extends Scope {
	version: 1;
	/** A hash of all other fields, so that no damage of any of them passes for a state. */
	check: string;
	/** n8n saves the state together with the execution. */
	isDurable: boolean;
	nodeId: string;
	/** n8n keys static data by it, but users can change it, or give it to another node. */
	nodeName: string;
	/** Counts the states given to n8n. With `lookedAt`, identifies one of them. */
	saves: number;
	/** When the list was last read (this machine's clock). */
	lookedAt: number;
	cursor: Cursor;
}

type MemoryVersion = Pick<Memory, 'saves' | 'lookedAt'>;

/** What this process knows of one trigger, besides what n8n has saved. */
export class Trigger {
	private readonly backOff = new BackOff();
	/** Of the list that was read last. All triggers on that list share it. */
	listBackOff?: BackOff;
	readonly commit = new PendingCommit();

	/** From this time on, the running poll counts as stuck (monotonic clock). */
	private runningUntil = -Infinity;
	/** `at`: start (milliseconds since 1970). `endedAt`: end (monotonic clock). */
	last?: { at: number; endedAt: number };
	hadTimeout?: boolean;
	lastWarning?: string;
	/** A damaged state that was reported. */
	reported?: string;

	activations = 0;
	saves = 0;
	/** When a poll last found nothing (milliseconds since 1970). */
	lastEmptyAt = 0;
	/** `memory` of a poll that found nothing, so n8n did not save it: the next poll gets `stored` again. */
	unsaved?: { memory: Memory; stored: MemoryVersion | undefined };

	private get backOffs(): BackOff[] {
		return this.listBackOff ? [this.backOff, this.listBackOff] : [this.backOff];
	}

	isWaiting(now: number): boolean {
		return this.backOffs.some((backOff) => backOff.isWaiting(now));
	}

	/** Runs polls one at a time: n8n may start one before the previous one has ended (N8). `undefined`: another one is running. */
	async runAlone<T>(maxMs: number, work: () => Promise<T>): Promise<T | undefined> {
		const now = clock.elapsed();
		if (now < this.runningUntil) return undefined;
		const until = now + maxMs;
		this.runningUntil = until;
		return await work().finally(() => {
			if (this.runningUntil === until) this.runningUntil = -Infinity;
		});
	}

	succeeded(): void {
		for (const backOff of this.backOffs) backOff.succeeded();
	}

	/** `begin`: of the poll (monotonic clock). A temporary failure concerns all triggers on the list. */
	failed(begin: number, retryAfterMs: number | undefined, isTemporary: boolean): void {
		const times = { begin, now: clock.elapsed() };
		this.backOff.failed(times, retryAfterMs);
		if (isTemporary) this.listBackOff?.failed(times, retryAfterMs);
	}
}

class Workflow {
	/** By node ID. */
	readonly triggers = new ExpiringMap<Trigger>();
	/** Latest memory of all triggers, by node ID. n8n gives each trigger a copy of the static data and saves it whole, so every copy needs all. */
	latest: IDataObject = {};
}

/** Workflows and triggers that have not polled for a day are forgotten. */
const workflows = new ExpiringMap<Workflow>();

export function workflowOf(context: IPollFunctions): Workflow {
	const id = String(context.getWorkflow().id);
	const workflow = workflows.get(id) ?? new Workflow();
	workflows.set(id, workflow);
	return workflow;
}

export function triggerOf(context: IPollFunctions): Trigger {
	const { triggers } = workflowOf(context);
	const { id } = context.getNode();
	const trigger = triggers.get(id) ?? new Trigger();
	triggers.set(id, trigger);
	return trigger;
}

const maxWait = 30 * 60_000;
/** Each wait is shortened by a random share of up to this, so that processes do not all retry at once. */
const jitter = 0.2;

/** Without back-off, an hour of downtime would mean sixty failed executions of each workflow. Times are monotonic. */
class BackOff {
	private streak: { failures: number; lastAt: number; waitUntil: number } | undefined;

	isWaiting(now: number): boolean {
		return now < (this.streak?.waitUntil ?? -Infinity);
	}

	/** No wait after the first failure, then about 1, 2, 4, ... minutes. Polls that ran at the same time count as one failure. */
	failed({ begin, now }: { begin: number; now: number }, retryAfterMs = 0): void {
		if (this.streak && begin < this.streak.lastAt) return;
		const failures = (this.streak?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(maxWait, 60_000 * 2 ** (failures - 2));
		const minWait = Math.min(maxWait, retryAfterMs);
		const waitUntil = now + Math.max(wait * (1 - jitter * Math.random()), minWait);
		this.streak = { failures, lastAt: now, waitUntil };
	}

	succeeded(): void {
		this.streak = undefined;
	}
}

/** If the service is down, one trigger tries for all on the same list. A part of an account. */
export class ListBackOffs {
	private readonly byPath = new Map<string, BackOff>();

	of(path: string): BackOff {
		const backOff = this.byPath.get(path) ?? new BackOff();
		this.byPath.set(path, backOff);
		return backOff;
	}
}

/** Default lease of a task in n8n's scheduler (milliseconds). */
const lease = 60_000;
/** n8n usually saves items within seconds, but under heavy load it can take longer than a lease (milliseconds). */
const maxSaveTime = 3 * lease;

export const isSameVersion = (one: MemoryVersion | undefined, other: MemoryVersion | undefined) =>
	one?.saves === other?.saves && one?.lookedAt === other?.lookedAt;

/** A poll that starts before n8n has saved the last one would deliver items again. Times are monotonic: a computer asleep saves nothing. */
class PendingCommit {
	private pending: (MemoryVersion & { at: number; until: number }) | undefined;

	expect({ saves, lookedAt }: MemoryVersion, isSlow: boolean, now: number): void {
		const until = Math.max(this.pending?.until ?? now, now + (isSlow ? maxSaveTime : lease));
		this.pending = { saves, lookedAt, at: now, until };
	}

	/** Whether a poll started from older state, because n8n may not have saved that of the last poll yet. */
	isBehind(memory: MemoryVersion | undefined, now: number): boolean {
		if (!this.pending || now >= this.pending.until) return false;
		return (memory?.saves ?? 0) <= this.pending.saves && !isSameVersion(memory, this.pending);
	}

	/** If the workflow was deactivated meanwhile, n8n drops the last poll. So wait a lease at most, or not at all if n8n never saved. */
	activated(memory: MemoryVersion | undefined): void {
		if (!memory) this.pending = undefined;
		else if (this.pending)
			this.pending.until = Math.min(this.pending.until, this.pending.at + lease);
	}
}
