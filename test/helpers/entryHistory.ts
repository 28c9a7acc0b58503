import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import {
	PagingError,
	UnreadablePageError,
} from '../../nodes/InvoicingPaymentsTrigger/watch/errors';
import type { PollResult, WatchTask } from '../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { EntryModelOptions, Stay } from './entryModel';
import { EntryModel } from './entryModel';

const minute = 60_000;
/** A stay this long (milliseconds) is delivered, however the list hides it. */
const promised = 16 * minute;
/** Out of the list for less than this, an invoice that comes back starts nothing again. */
const shortAbsence = 14 * minute;
/** Out of it for longer, it does: the second where pages of the list do not overlap. */
const longAbsences = { overlapping: 60 * minute, other: 120 * minute };

/** In so short a time no poll may see it. */
const moment = 20 * minute;

export interface EntryHistoryOptions extends EntryModelOptions {
	/** How many invoices there are at first, and how many percent of them have the status. */
	existing: number;
	entered: number;
	start: 'newOnly' | 'all';
	maxEntries: number;
	pageSize: number;
	steps: number;
	/** How many invoices may change at once. */
	burst: number;
	/** Percent of requests between which invoices change, and of those that fail. */
	changes: number;
	failures: number;
	/** Percent of polls that get very little time. */
	hurry: number;
	/** Percent of polls after which an older cursor comes back. */
	rollbacks: number;
	/** Percent of polls for which the list lags: some of it is missing; and for which it is empty by mistake. */
	flicker: number;
	empty: number;
	/** How many pages may be read at a time. */
	concurrency: number;
}

/** What a history is checked by; a planted bug has to break it. */
export type EntryCore = typeof findNew;

/** A time that starts the workflow: stays between which the invoice was out for a moment only count as one. */
interface Entry extends Stay {
	/** It may have been there when the trigger began, or may be the same as the one before. */
	isDoubtful: boolean;
	/** It was there when the trigger began. */
	isOld: boolean;
	/** Since when it has been away, or seen only for moments in between (milliseconds since 1970). */
	awaySince: number;
}

/**
 * Lives through a random history of invoices that get and lose a status, and of polls. Throws an Error that tells what went wrong: one
 * lost, one delivered twice, one that is not new, one too late, a poll that gets nowhere.
 */
export async function runEntryHistory(
	options: EntryHistoryOptions,
	core: EntryCore = findNew,
): Promise<{ requests: number; quietPolls: number }> {
	const model = new EntryModel(options);
	// What comes back to another place of the list looks like another order, in which only the count can be relied on.
	const isMoving = options.order === 'entered' && options.count !== 'told';
	const overlaps =
		options.sizes === 'given' && Math.min(options.cap, options.pageSize) >= 10 && !isMoving;
	const isStable = overlaps && options.order !== 'shuffled';
	const longAbsence = longAbsences[isStable ? 'overlapping' : 'other'];
	/** Nothing keeps a poll from reading everything. */
	const isSteady = [options.failures, options.hurry, options.flicker, options.empty].every(
		(percent) => percent === 0,
	);
	/** Invoices whose next entry may count as the same, because an older state came back. */
	const doubtful = new Set<string>();
	let delivered: Array<{ id: string; from: number; to: number }> = [];
	const saved: Array<{ cursor: string; delivered: typeof delivered }> = [];
	const costs = { requests: 0, quietPolls: 0 };

	for (let left = options.existing; left > 0; left--) {
		const id = model.add();
		if (model.chance(options.entered)) model.enter(id);
	}
	const pay = () => {
		const id = model.chance(50) ? model.add() : (model.any(false) ?? model.add());
		const before = model.stays.filter((stay) => stay.id === id).pop();
		const absence = model.now - (before?.to ?? -Infinity);
		// What comes back in between may count or not.
		if (absence > shortAbsence && absence < longAbsence) return;
		model.enter(id);
	};
	const drop = () => {
		const id = model.any(true);
		if (id) model.leave(id);
	};
	const change = () => {
		const what = model.draw(1, 10);
		if (what <= 4) pay();
		else if (what <= 6) drop();
		else if (what <= 8) {
			// The count stays as it is.
			drop();
			pay();
		} else model.add();
	};

	let cursor = JSON.stringify(freshCursor(options.start === 'newOnly'));
	const beginning = model.now;
	let begun = options.start === 'all' ? model.now : Infinity;
	/** How many polls the first reading took: pages that do not overlap may miss something where that is more than one. */
	let beginnings = 0;
	let lastWhole = model.now;
	/** Whether a poll has seen everything since something was hidden. */
	let wasClear = false;
	/** When polls could not read everything. */
	const unsettled: number[] = [];

	const poll = async (time: number): Promise<PollResult | undefined> => {
		const task: WatchTask = {
			fetchPage: model.fetchPage,
			isEntry: ({ status }) => status === 'paid',
			noun: 'invoices',
			settings: { maxEntries: options.maxEntries, pageSize: options.pageSize, lookBack: 0 },
			concurrency: options.concurrency,
			now: () => model.now,
			until: model.now + time,
			interval: minute,
		};
		const from = model.now;
		// What is hidden again and again, with no poll in between that sees it, has left as far as anybody can tell.
		const mayHide = begun !== Infinity && wasClear;
		if (mayHide && model.chance(options.flicker)) model.hidden = 'some';
		if (mayHide && model.chance(options.empty)) model.hidden = 'everything';
		const found = await core(task, JSON.parse(cursor) as Cursor).catch((e: Error) => e);
		const isHidden = model.hidden !== 'nothing';
		if (isHidden) {
			unsettled.push(from);
			wasClear = false;
		}
		model.hidden = 'nothing';
		if (found instanceof Error) {
			unsettled.push(from);
			const isChanging = options.changes > 0 || options.order === 'shuffled';
			if (found instanceof UnreadablePageError && options.failures > 0) return undefined;
			if (found instanceof PagingError && isChanging) return undefined;
			throw found;
		}
		if (found.entries.length > options.maxEntries) throw new Error('more than Max per Run');
		delivered = [
			...delivered,
			...found.entries.map(({ id }) => ({ id: String(id), from, to: model.now })),
		];
		if (found.entries.length) checkDelivered(new Set(found.entries.map(({ id }) => String(id))));
		cursor = JSON.stringify(found.cursor);
		if (begun === Infinity) beginnings += 1;
		if (begun === Infinity && !found.cursor.isBaseline) begun = model.now;
		saved.push({ cursor, delivered });
		const { reading, hasMore, wholeAt, missing: gone = [] } = found.cursor;
		if (!reading && !hasMore) lastWhole = from;
		// Where many are gone at once, it may be a mistake.
		const hasMass = gone.some(({ isMass }) => isMass);
		if (reading || hasMore || hasMass) unsettled.push(from);
		const isWhole = !reading && !hasMore && (wholeAt ?? from) >= from;
		wasClear ||= isWhole && !isHidden;
		return found;
	};

	const checkNotLate = () => {
		// Where pages do not overlap, a reading while the list changes may miss something; the next one finds it.
		if (!isSteady || !isStable || options.maxEntries < 1000 || options.rollbacks > 0) return;
		const isLate = entriesOf().find(
			(entry) =>
				!entry.isOld &&
				!entry.isDoubtful &&
				entry.to === Infinity &&
				model.now - entry.from > promised + 3 * minute &&
				!unsettled.some((time) => time >= entry.from) &&
				deliveriesIn(entry).length === 0,
		);
		if (isLate) throw new Error(`${isLate.id} is late`);
	};

	/** Times that are to start the workflow, and those that may. */
	function entriesOf(ids?: Set<string>): Entry[] {
		const byId = new Map<string, Entry[]>();
		for (const stay of model.stays) {
			if (ids && !ids.has(stay.id)) continue;
			const before = byId.get(stay.id) ?? [];
			const last = before[before.length - 1];
			const absence = stay.from - (last?.to ?? -Infinity);
			if (last && absence < longAbsence) {
				// What left while the list was read for the first time may not have been seen.
				last.isDoubtful ||= last.to <= begun && options.start === 'newOnly';
				last.to = stay.to;
				// Whether polls saw it leave, and come back, depends on what they could read.
				last.isDoubtful ||= stay.from - last.awaySince > shortAbsence || !isSteady;
				if (stay.to - stay.from > moment) last.awaySince = stay.to;
			} else {
				const isOld = options.start === 'newOnly' && stay.from <= beginning;
				const isInBaseline = stay.from > beginning && stay.from <= begun && begun !== beginning;
				// Only whole readings tell what has left.
				const isUnseen = unsettled.some((time) => last && time >= last.to && time <= stay.from);
				const isDoubtful = (options.start === 'newOnly' && isInBaseline) || isUnseen;
				before.push({ ...stay, isOld, isDoubtful, awaySince: stay.to });
			}
			byId.set(stay.id, before);
		}
		return [...byId.values()].flat().map((entry) => ({
			...entry,
			isDoubtful: entry.isDoubtful || doubtful.has(entry.id),
		}));
	}

	function deliveriesIn({ id, from, to }: Stay) {
		return delivered.filter((one) => one.id === id && one.to >= from && one.from <= to);
	}

	const checkDelivered = (ids: Set<string>) => {
		const entries = entriesOf(ids);
		for (const { id, isDoubtful, isOld, ...entry } of entries) {
			const times = deliveriesIn({ id, ...entry }).length;
			if (isDoubtful) continue;
			if (times > 1) throw new Error(`${id} was delivered ${times} times`);
			if (isOld && times > 0 && (overlaps || beginnings <= 1)) throw new Error(`${id} is not new`);
		}
		const known = new Set(entries.map(({ id }) => id));
		const strange = [...ids].find((id) => !known.has(id));
		if (strange) throw new Error(`${strange} never had the status`);
	};

	let quiet = 0;
	for (let step = 0; step < options.steps; step++) {
		const what = model.draw(1, 10);
		const times = model.draw(1, options.burst);
		for (let left = times; left > 0 && what <= 6; left--) {
			if (what <= 3) pay();
			else if (what === 4) drop();
			else change();
		}
		// n8n does not run for a while, in which nothing is seen.
		if (what === 7) model.now += model.draw(1, 10) * minute;
		// Two quiet hours, in which what left is seen to be gone.
		if (what === 8 && (quiet += 1) <= 2) {
			model.latency = 10;
			for (let polls = 0; polls < 26; polls++) {
				await poll(240_000);
				model.now += 5 * minute;
			}
		}
		model.latency = model.draw(1, 1500);
		const mayChange = overlaps || begun !== Infinity;
		model.beforeRequest = () => {
			if (mayChange && model.chance(options.changes)) change();
			if (model.chance(options.failures)) model.failing = 1;
		};
		await poll(model.chance(options.hurry) ? model.draw(0, 3000) : 240_000);
		model.beforeRequest = () => {};
		if (step % 5 === 4) checkNotLate();
		model.now += minute;
		if (model.chance(options.rollbacks) && saved.length) {
			const at = saved[model.draw(0, saved.length - 1)];
			cursor = at.cursor;
			delivered = at.delivered;
			wasClear = false;
			begun = Math.max(begun, (JSON.parse(cursor) as Cursor).isBaseline ? Infinity : begun);
			for (const { id, to } of model.stays) if (to < Infinity) doubtful.add(id);
		}
	}

	// Nothing changes any more: everything has to come, and then nothing.
	model.latency = 10;
	model.failing = 0;
	const missing = () =>
		entriesOf().filter(
			(entry) =>
				entry.to === Infinity &&
				!entry.isOld &&
				!entry.isDoubtful &&
				deliveriesIn(entry).length === 0,
		);
	const most = 40 + Math.ceil((3 * model.inList.length) / options.maxEntries);
	for (let polls = 0; polls < 25 || missing().length > 0; polls++) {
		if (polls > most) {
			const [{ id }] = missing();
			throw new Error(`lost: ${id} and ${missing().length - 1} more; last read ${lastWhole}`);
		}
		const before = model.requests;
		const found = await poll(240_000);
		if (found && !found.entries.length && polls > 20) {
			costs.requests += model.requests - before;
			costs.quietPolls += 1;
		}
		model.now += minute;
	}
	if (cursor.length > 2000 + 40 * (model.stays.length + options.existing))
		throw new Error('the cursor is too large');
	return costs;
}
