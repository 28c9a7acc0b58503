import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import {
	PagingError,
	UnreadablePageError,
} from '../../../nodes/InvoicingPaymentsTrigger/watch/errors';
import type { PollResult, WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { EntryModelOptions, Stay } from './entryModel';
import { EntryModel } from './entryModel';
import { entryTask } from './entryWatch';

const minute = 60_000;
/** A stay this long is delivered. All durations are in milliseconds. */
const promisedStay = 16 * minute;
/** An invoice that returns within this time is not delivered again. */
const shortAbsence = 14 * minute;
/** One that returns after this time is delivered again. It takes longer if pages do not overlap. */
const longAbsences = { overlapping: 60 * minute, other: 120 * minute };
/** A shorter stay may escape all polls. */
const briefStay = 20 * minute;

export interface EntryHistoryOptions extends EntryModelOptions {
	/** Number of invoices at the start, and percent of them that have the status. */
	existing: number;
	entered: number;
	start: 'newOnly' | 'all';
	maxEntries: number;
	pageSize: number;
	steps: number;
	/** Most invoices that change at once. */
	burst: number;
	/** Percent of requests before which an invoice changes, and percent that fail. */
	changes: number;
	failures: number;
	/** Percent of polls with very little time. */
	hurry: number;
	/** Percent of polls after which an older cursor is restored. */
	rollbacks: number;
	/** Percent of polls that see a lagging list, which lacks a part, and percent that see an empty one by mistake. */
	flicker: number;
	empty: number;
	/** Parallel requests. */
	concurrency: number;
}

/** An event that starts the workflow. Stays with a short absence in between count as one. */
interface Entry extends Stay {
	/** May be delivered or not: it may be older than the trigger, or count as the previous entry. */
	isDoubtful: boolean;
	/** Older than the trigger. */
	isOld: boolean;
	/** End of the last stay that was not brief (milliseconds since 1970). */
	awaySince: number;
}

/**
 * Runs a history of polls while invoices get and lose a status. Throws if an invoice is lost, late, delivered twice or not new, or if
 * polls make no progress.
 */
export async function runEntryHistory(options: EntryHistoryOptions, core = findNew): Promise<void> {
	const model = new EntryModel(options);
	// An invoice that returns to another place looks like another order. Then only the count is reliable.
	const isMoving = options.order === 'entered' && options.count !== 'told';
	const overlaps =
		options.sizes === 'given' && Math.min(options.cap, options.pageSize) >= 10 && !isMoving;
	const isStable = overlaps && options.order !== 'shuffled';
	const longAbsence = longAbsences[isStable ? 'overlapping' : 'other'];
	/** Every poll can read everything. */
	const isSteady = [options.failures, options.hurry, options.flicker, options.empty].every(
		(percent) => percent === 0,
	);
	/** Invoices whose next entry may count as the previous one, because an older cursor was restored. */
	const doubtful = new Set<string>();
	let delivered: Array<{ id: string; from: number; to: number }> = [];
	const saved: Array<{ cursor: string; delivered: typeof delivered }> = [];

	for (let left = options.existing; left > 0; left--) {
		const id = model.add();
		if (model.chance(options.entered)) model.enter(id);
	}
	const pay = () => {
		const id = model.chance(50) ? model.add() : (model.any(false) ?? model.add());
		const before = model.stays.filter((stay) => stay.id === id).pop();
		const absence = model.now - (before?.to ?? -Infinity);
		// After an absence in between, it may count or not.
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
			// The count does not change.
			drop();
			pay();
		} else model.add();
	};

	let cursor = JSON.stringify(freshCursor(options.start === 'newOnly'));
	const beginning = model.now;
	let begun = options.start === 'all' ? model.now : Infinity;
	/** Number of polls of the first reading. If there are several, pages that do not overlap may miss something. */
	let beginnings = 0;
	let lastWhole = model.now;
	/** Whether a poll has seen everything since a part was hidden. */
	let wasClear = false;
	/** Times of polls that could not read everything. */
	const unsettled: number[] = [];

	const poll = async (time: number): Promise<PollResult | undefined> => {
		const { maxEntries, pageSize, concurrency } = options;
		const settings = { maxEntries, pageSize, lookBack: 0 };
		const now = model.machineTime;
		const task: WatchTask = { ...entryTask(model, time), settings, concurrency, now };
		const from = model.now;
		const began = model.machineTime();
		// If no poll ever sees a hidden invoice in between, the trigger must think that it has left.
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
		// If many leave at once, it may be a mistake of the service.
		const hasBatch = gone.some(({ isBatch }) => isBatch);
		if (reading || hasMore || hasBatch) unsettled.push(from);
		const isWhole = !reading && !hasMore && (wholeAt ?? began) >= began;
		wasClear ||= isWhole && !isHidden;
		return found;
	};

	const checkNotLate = () => {
		// If pages do not overlap, a reading of a changing list may miss something. The next one finds it.
		if (!isSteady || !isStable || options.maxEntries < 1000 || options.rollbacks > 0) return;
		const isLate = entriesOf().find(
			(entry) =>
				!entry.isOld &&
				!entry.isDoubtful &&
				entry.to === Infinity &&
				model.now - entry.from > promisedStay + 3 * minute &&
				!unsettled.some((time) => time >= entry.from) &&
				deliveriesIn(entry).length === 0,
		);
		if (isLate) throw new Error(`${isLate.id} is late`);
	};

	/** The entries that must or may start the workflow. `ids`: only of these invoices. */
	function entriesOf(ids?: Set<string>): Entry[] {
		const byId = new Map<string, Entry[]>();
		for (const stay of model.stays) {
			if (ids && !ids.has(stay.id)) continue;
			const before = byId.get(stay.id) ?? [];
			const last = before[before.length - 1];
			const absence = stay.from - (last?.to ?? -Infinity);
			if (last && absence < longAbsence) {
				// The first reading may have missed an invoice that left meanwhile.
				last.isDoubtful ||= last.to <= begun && options.start === 'newOnly';
				last.to = stay.to;
				// Polls that could not read everything may not have seen it leave and return.
				last.isDoubtful ||= stay.from - last.awaySince > shortAbsence || !isSteady;
				if (stay.to - stay.from > briefStay) last.awaySince = stay.to;
			} else {
				const isOld = options.start === 'newOnly' && stay.from <= beginning;
				const isInBaseline = stay.from > beginning && stay.from <= begun && begun !== beginning;
				// Only a complete reading shows that an invoice left.
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
		// n8n is off for a while.
		if (what === 7) model.now += model.draw(1, 10) * minute;
		// In two quiet hours, the trigger notices what has left.
		if (what === 8 && (quiet += 1) <= 2) {
			model.latency = 10;
			for (let polls = 0; polls < 26; polls++) {
				await poll(240_000);
				model.now += 5 * minute;
			}
		}
		model.setBack();
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

	// Nothing changes any more: everything missing must come, and then nothing.
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
		await poll(240_000);
		model.now += minute;
	}
	if (cursor.length > 2000 + 40 * (model.stays.length + options.existing))
		throw new Error('the cursor is too large');
}
