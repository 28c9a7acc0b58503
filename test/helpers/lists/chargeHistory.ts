import { creationTimeOf } from '../../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { cursorFrom, freshTimes } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { PollResult, WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { Charge, ModelOptions } from './chargeModel';
import { ChargeModel } from './chargeModel';
import { leftOf } from './listModel';

export interface ChargeHistoryOptions extends ModelOptions {
	/** Number of charges at the start. */
	existing: number;
	start: 'newOnly' | 'since' | 'all';
	maxCharges: number;
	pageSize: number;
	lookBack: number;
	steps: number;
	/** Most charges of a burst. */
	burst: number;
	/** Percent of requests before which a charge appears or disappears, and percent that fail. */
	changes: number;
	failures: number;
	/** Percent of polls with very little time. */
	hurry: number;
	/** Percent of the charges in a pause whose date is ten days ahead. */
	future: number;
	/** Charges never disappear. */
	isGrowing?: boolean;
	/** Percent of polls after which an older cursor is restored. */
	rollbacks: number;
	/** Percent of polls after which the cursor gives a wrong place for the rest of the backlog. */
	misplaced: number;
}

interface Saved {
	cursor: string;
	delivered: Set<string>;
}

/**
 * Runs a history of polls while charges appear and disappear. Throws if a charge is lost, delivered twice or passed over, or if polls
 * make no progress.
 */
export async function runChargeHistory(
	options: ChargeHistoryOptions,
	core = findNew,
): Promise<void> {
	const model = new ChargeModel(options);
	const { lookBack } = options;
	// If pages cannot overlap, an addition and a removal between the same two requests hide each other.
	const mayExchange = options.sizes === 'given' && options.cap >= 10 && options.pageSize >= 10;
	const maySlip = mayExchange || options.order !== 'none';
	const expected = new Set<string>();
	/** Charges that were listed at once, and when. */
	const onTime = new Map<string, number>();
	let delivered = new Set<string>();
	/** False if the list has no known order: then a list that is read in parts is delivered as it is found. */
	let isInOrder =
		!['none', 'grouped'].includes(options.order) &&
		options.undatedEvery === 0 &&
		options.hurry === 0 &&
		(options.timestampTies === 'stable' || options.changes === 0);
	let inPoll = false;

	const since = options.start === 'since' ? model.rounded(model.now + options.skew) : -Infinity;
	const published = model.now + options.skew;
	const addNew = (ago = 0) => {
		const { id, time, isLate } = model.add(ago);
		if (time < since) return;
		// In a list that only looks sorted, it may have been there when the workflow was published.
		if (options.order === 'grouped' && options.start === 'newOnly' && time < published) return;
		expected.add(id);
		if (!isLate) onTime.set(id, time);
	};
	const addLate = () => addNew(model.draw(0, Math.floor(lookBack * 0.7)));
	/** n8n is off for a while, and customers keep paying. */
	const pause = () => {
		for (let left = model.draw(1, 2 * options.burst); left > 0; left--) {
			if (model.chance(70)) model.now += model.draw(0, lookBack);
			if (model.chance(options.future)) addNew(-10 * 24 * 3_600_000);
			else addNew();
			if (model.chance(20)) addLate();
		}
	};
	const remove = () => {
		const { listed } = model;
		if (!listed.length) return;
		const id = listed[model.draw(0, listed.length - 1)];
		model.remove(id);
		// Polls may or may not have seen it.
		expected.delete(id);
	};
	const change = () => {
		const what = model.draw(1, 10);
		if (what <= 6) addNew();
		else if (what <= 8) addLate();
		else if (!inPoll || (mayExchange && maySlip)) remove();
	};

	for (let left = options.existing; left > 0; left--) {
		model.add(model.draw(1, 30 * 24 * 60) * 60_000);
	}
	if (options.start === 'all') model.listed.forEach((id) => expected.add(id));

	const task = (time: number): WatchTask => ({
		fetchPage: model.fetchPage,
		isEntry: () => true,
		noun: 'charges',
		settings: { maxEntries: options.maxCharges, lookBack, pageSize: options.pageSize },
		concurrency: 5,
		now: model.machineTime,
		left: leftOf(model, time),
	});
	const begin = async (): Promise<Cursor> => {
		if (options.start === 'all') return cursorFrom(null);
		if (options.start === 'since') return cursorFrom(since);
		let { cursor: first } = await core(task(600_000), freshTimes(true));
		for (let polls = 0; first.isBaseline; polls++) {
			if (polls > 5) throw new Error('it does not begin');
			({ cursor: first } = await core(task(600_000), { ...first, after: undefined }));
		}
		return first;
	};
	let cursor = JSON.stringify(await begin());
	const saved: Saved[] = [{ cursor, delivered: new Set() }];

	const poll = async (time: number): Promise<PollResult | undefined> => {
		inPoll = true;
		const before = isInOrder ? new Set(model.listed) : undefined;
		const found = await core(task(time), JSON.parse(cursor) as Cursor).catch(
			(error: Error) => error,
		);
		inPoll = false;
		if (found instanceof Error) {
			if (options.failures > 0 || /changes faster/.test(found.message)) return undefined;
			throw found;
		}
		check(found.entries);
		const { reading, times, miscount } = found.cursor;
		isInOrder &&= !reading && !miscount && times?.order?.direction !== 'none';
		// Polls must not be waiting for charges that the service does not show yet.
		isInOrder &&= !times?.gaps;
		if (before && isInOrder) checkPassedOver(before);
		if (times?.place !== undefined && model.chance(options.misplaced))
			times.place = model.draw(0, 2 * model.listed.length);
		cursor = JSON.stringify(found.cursor);
		if (options.rollbacks > 0) saved.push({ cursor, delivered: new Set(delivered) });
		return found;
	};
	const check = (charges: Charge[]) => {
		if (charges.length > options.maxCharges) throw new Error('more than Max Charges');
		for (const { id } of charges) {
			if (delivered.has(String(id))) throw new Error(`${String(id)} was delivered twice`);
			if (
				options.start === 'newOnly' &&
				// There, a slightly older charge may count as late.
				options.order !== 'grouped' &&
				!expected.has(String(id)) &&
				model.listed.includes(String(id))
			)
				throw new Error(`${String(id)} is not new`);
			delivered.add(String(id));
		}
		const times = charges.map((charge) => creationTimeOf(charge) ?? Infinity);
		if (times.some((time, at) => at > 0 && time < times[at - 1]))
			throw new Error('not oldest first');
	};

	const checkPassedOver = (before: Set<string>) => {
		const newest = [...delivered].reduce((most, id) => Math.max(most, onTime.get(id) ?? 0), 0);
		for (const [id, time] of onTime) {
			const isPassedOver = time < newest && before.has(id) && !delivered.has(id);
			if (isPassedOver && model.listed.includes(id)) throw new Error(`${id} was passed over`);
		}
	};

	for (let step = 0; step < options.steps; step++) {
		const what = model.draw(1, 10);
		if (what <= 3) for (let left = model.draw(1, options.burst); left > 0; left--) addNew();
		if (what === 4) for (let left = model.draw(1, 5); left > 0; left--) addLate();
		if (what === 5 && !options.isGrowing)
			for (let left = model.draw(1, 3); left > 0; left--) remove();
		if (what === 6) model.now += model.draw(1, 3 * lookBack);
		if (what >= 9) pause();
		model.setBack();
		model.latency = model.draw(1, 2000);
		model.beforeRequest = () => {
			if (model.chance(options.changes)) change();
			if (model.chance(options.failures)) model.failing = 1;
		};
		await poll(model.chance(options.hurry) ? model.draw(0, 3000) : 240_000);
		model.beforeRequest = () => {};
		model.now += 60_000;
		if (model.chance(options.rollbacks)) {
			const at = saved[model.draw(0, saved.length - 1)];
			cursor = at.cursor;
			delivered = new Set(at.delivered);
		}
	}

	// Nothing changes any more: everything missing must come, and then nothing.
	model.latency = 10;
	model.failing = 0;
	const most = 40 + Math.ceil((6 * model.listed.length) / options.maxCharges);
	for (let polls = 0; missing().length > 0; polls++) {
		if (polls > most)
			throw new Error(`lost: ${missing().slice(0, 5).join(', ')} of ${missing().length}`);
		const found = await poll(240_000);
		// Then polls look for late charges.
		if (!found?.entries.length) model.now += lookBack / 4;
		model.now += 60_000;
	}
	for (let polls = 0; polls < 3; polls++) {
		const found = await poll(240_000);
		if (found?.entries.some(({ id }) => expected.has(String(id))))
			throw new Error('some came late');
		model.now += lookBack / 4;
	}
	if (cursor.length > 3000 + 40 * (2000 + options.existing))
		throw new Error('the cursor is too large');

	function missing(): string[] {
		return model.listed.filter((id) => expected.has(id) && !delivered.has(id));
	}
}
