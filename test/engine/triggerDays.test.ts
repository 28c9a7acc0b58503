import { passTime } from '../helpers/n8n/clock';
import type { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { idsOf } from '../helpers/n8n/pollEngine';
import { dayIn, minute, useTrigger } from '../helpers/n8n/useTrigger';

/** Invoice Due Soon and Invoice Overdue by Days depend on the day as well as on the list. */
const { service, begin, trigger, published, answerWith } = useTrigger(() => ({ invoices: 0 }));
const hour = 60 * minute;
const account = () => service.world.account;
const add = (days: number, status: 'unpaid' | 'overdue') =>
	String(account().addInvoice({ status, due_date: dayIn(days) }, Date.now()).id);

/** Noon in Stockholm, the time zone of the workflow. */
beforeEach(() => {
	const sinceNoon = (Date.now() - 10 * hour) % (24 * hour);
	passTime(24 * hour - sinceNoon);
});

/** Polls every ten minutes, or every so many. Gives the delivered IDs. */
async function pollFor(active: ActiveTrigger, hours: number, minutes = 10): Promise<string[]> {
	const ids: string[] = [];
	for (let left = (hours * 60) / minutes; left > 0; left--) {
		passTime(minutes * minute);
		ids.push(...(idsOf(await active.poll()) ?? []).map(String));
	}
	return ids;
}
const soon = { event: 'invoiceDueSoon', days: 3 };

test.each([0, 1000])('[T18] delivers an invoice on its day, among %d others', async (others) => {
	const active = await published(soon);
	for (let made = 0; made < others; made++) add(200, 'unpaid');
	const id = add(5, 'unpaid');
	expect(await active.poll()).toBeNull();
	passTime(34 * hour);
	expect(await pollFor(active, 1)).toEqual([]);
	passTime(50 * minute);
	expect(await pollFor(active, 1)).toEqual([id]);
	passTime(24 * hour);
	expect(await pollFor(active, 1)).toEqual([]);
});

test('[T18] the day begins at midnight in the time zone of the workflow', async () => {
	const active = await published(soon);
	const id = add(4, 'unpaid');
	// 23:50 in Stockholm, which is 21:50 in UTC.
	expect(await pollFor(active, 11)).toEqual([]);
	passTime(40 * minute);
	expect(await pollFor(active, 1)).toEqual([id]);
});

test('[T18] delivers an invoice again after another due date, but no paid ones', async () => {
	const active = await published(soon);
	const [moved, paid] = [add(2, 'unpaid'), add(5, 'unpaid')];
	expect(idsOf(await active.poll())).toEqual([moved]);
	account().postponeInvoice(moved, dayIn(8));
	account().changeInvoice(paid, 'paid');
	expect(await pollFor(active, 4 * 24, 60)).toEqual([]);
	expect(await pollFor(active, 36, 60)).toEqual([moved]);
});

test('[T18] each of three reminder triggers delivers an invoice once', async () => {
	begin();
	const late = [1, 7, 14].map((days) => trigger({ event: 'invoiceOverdueByDays', days }));
	for (const one of late) await one.activate();
	const id = add(0, 'overdue');
	const days: number[] = [];
	for (let day = 1; day <= 20; day++) {
		passTime(24 * hour);
		for (const one of late) if (idsOf(await one.poll())?.includes(id)) days.push(day);
	}
	expect(days).toEqual([1, 7, 14]);
});

test('[T18] ignores invoices without a due date', async () => {
	const active = await published(soon, { invoices: 3 });
	answerWith([{ id: 'a', status: 'unpaid' }]);
	expect(await active.poll()).toBeNull();
});
