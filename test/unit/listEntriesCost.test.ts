import type { EntryCursor } from '../../nodes/InvoicingPaymentsTrigger/listEntries/cursor';
import { freshCursor } from '../../nodes/InvoicingPaymentsTrigger/listEntries/cursor';
import type { EntryTask } from '../../nodes/InvoicingPaymentsTrigger/listEntries/entryPoll';
import { findEntries } from '../../nodes/InvoicingPaymentsTrigger/listEntries/findEntries';
import { wholeEvery } from '../../nodes/InvoicingPaymentsTrigger/listEntries/quickLook';
import { longestList } from '../../nodes/InvoicingPaymentsTrigger/listEntries/tooLong';
import { fs, path, projectFolder } from '../../tools/node';
import { EntryModel } from '../helpers/entryModel';

const minute = 60_000;

/** A list of so many invoices, in an order that says nothing, and a trigger that knows them. */
async function watched(count: number) {
	const model = new EntryModel({
		seed: 1,
		order: 'fixed',
		cap: 100,
		sizes: 'given',
		count: 'told',
		pastTheEnd: 'empty',
		filter: 'exact',
	});
	model.latency = 1;
	for (let left = count; left > 0; left--) model.enter(model.add());
	const task = (): EntryTask => ({
		fetchPage: model.fetchPage,
		isEntry: ({ status }) => status === 'paid',
		noun: 'invoices',
		settings: { maxEntries: 1000, pageSize: 100 },
		concurrency: 5,
		now: () => model.now,
		until: model.now + 240_000,
	});
	let cursor: EntryCursor = freshCursor(true);
	const poll = async () => {
		model.requests = 0;
		const found = await findEntries(task(), cursor);
		cursor = JSON.parse(JSON.stringify(found.cursor)) as EntryCursor;
		model.now += minute;
		return { ids: found.entries.map(({ id }) => id), requests: model.requests };
	};
	const publishing = await poll();
	return { model, poll, publishing, bytes: () => JSON.stringify(cursor).length };
}

/** Lists as long as the table of the guide has them. */
const lengths = [100, 2000, 20_000];

/** Invoices until one lies where it is wanted, which is paid then. `at`: from 0, the beginning, to 1. */
function payAt(model: EntryModel, from: number, to: number): string {
	for (;;) {
		const id = model.add();
		model.enter(id);
		const place = model.placeOf(id);
		if (place >= from && place < to) return id;
		model.discard(id);
	}
}

async function costsOf(count: number) {
	const { model, poll, publishing, bytes } = await watched(count);
	const idle = await poll();
	expect(idle.ids).toEqual([]);
	const first = payAt(model, 0, 50);
	const early = await poll();
	expect(early.ids).toEqual([first]);
	const second = payAt(model, count * 0.3, count * 0.32);
	const middle = await poll();
	expect(middle.ids).toEqual([second]);
	expect((await poll()).requests).toBe(count > 500 ? 1 : Math.ceil((count + 2) / 100));
	model.now += wholeEvery;
	const whole = await poll();
	const kept = bytes();
	return [publishing, idle, early, middle, whole].map(({ requests }) => requests).concat(kept);
}

test('[R7] the guide says what polls of the other events cost', async () => {
	const guide = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');
	const [, section = ''] = guide.split('### Other events');
	const told = [...section.matchAll(/^\| (?:Requests|Bytes)[^|]* \| (.+) \|$/gm)].map(([, cells]) =>
		cells.split(' | ').map((cell) => Number(cell.replace(/,/g, ''))),
	);
	const costs: number[][] = [];
	for (const length of lengths) costs.push(await costsOf(length));
	const rows = costs[0].map((_, row) => costs.map((column) => column[row]));
	expect(told).toEqual(rows);
}, 60_000);

test('a list of the greatest length is watched, a longer one is told', async () => {
	const { poll, model, bytes } = await watched(longestList);
	expect((await poll()).requests).toBe(1);
	expect(bytes()).toBeLessThan(9 * longestList);
	model.enter(model.add());
	await expect(poll()).rejects.toThrow(
		'The list has 50001 invoices; the trigger can watch up to 50,000. Narrow the filters',
	);
}, 60_000);
