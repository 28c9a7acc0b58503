import type { INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../simulator/settings';
import { passTime } from '../helpers/clock';
import { ActiveTrigger, idsOf } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

/** Invoice Due Soon and Invoice Overdue by Days: what belongs to the event changes with the day, and not only with the list. */
const service = useSimulator();
const minute = 60_000;
const hour = 60 * minute;
const account = () => service.world.account;
const dayIn = (days: number) => new Date(Date.now() + days * 24 * hour).toISOString().slice(0, 10);
const add = (days: number, status: 'unpaid' | 'overdue') =>
	String(account().addInvoice({ status, due_date: dayIn(days) }, Date.now()).id);

/** Noon in Stockholm, where the workflow is. */
beforeEach(() => {
	const sinceNoon = (Date.now() - 10 * hour) % (24 * hour);
	passTime(24 * hour - sinceNoon);
});

async function published(parameters: INodeParameters, settings: SettingsInput = {}) {
	service.world.reset({ invoices: 0, ...settings });
	const active = new ActiveTrigger({ credential: service.credential, parameters });
	expect(await active.activate()).toBeNull();
	return active;
}
/** Polls every ten minutes for so many hours. Gives the IDs that came. */
async function pollFor(active: ActiveTrigger, hours: number): Promise<string[]> {
	const ids: string[] = [];
	for (let left = hours * 6; left > 0; left--) {
		passTime(10 * minute);
		ids.push(...(idsOf(await active.poll()) ?? []).map(String));
	}
	return ids;
}
const soon = { event: 'invoiceDueSoon', days: 3 };

test.each([0, 1000])(
	'[T18] an invoice that is there already comes on its day, once, in a list of %d others',
	async (others) => {
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
	},
);

test('[T18] the day begins at midnight of the workflow', async () => {
	const active = await published(soon);
	const id = add(4, 'unpaid');
	// 23:50 in Stockholm, which is 21:50 in UTC.
	expect(await pollFor(active, 11)).toEqual([]);
	passTime(40 * minute);
	expect(await pollFor(active, 1)).toEqual([id]);
});

test('[T18] another due date counts anew, and paid invoices do not', async () => {
	const active = await published(soon);
	const [moved, paid] = [add(2, 'unpaid'), add(5, 'unpaid')];
	expect(idsOf(await active.poll())).toEqual([moved]);
	account().postponeInvoice(moved, dayIn(8));
	account().changeInvoice(paid, 'paid');
	expect(await pollFor(active, 4 * 24)).toEqual([]);
	expect(await pollFor(active, 36)).toEqual([moved]);
});

test('[T18] three stages of reminders are three triggers, and each gives an invoice once', async () => {
	service.world.reset({ invoices: 0 });
	const late = [1, 7, 14].map(
		(days) =>
			new ActiveTrigger({
				credential: service.credential,
				parameters: { event: 'invoiceOverdueByDays', days },
			}),
	);
	for (const one of late) await one.activate();
	const id = add(0, 'overdue');
	const came: number[] = [];
	for (let day = 1; day <= 20; day++) {
		passTime(24 * hour);
		for (const one of late) if (idsOf(await one.poll())?.includes(id)) came.push(day);
	}
	expect(came).toEqual([1, 7, 14]);
});

test('[T18] invoices without a due date do not start it, and the log says so', async () => {
	const active = await published(soon, { invoices: 3 });
	service.world.faults.add({
		times: null,
		action: {
			kind: 'json',
			body: { count: 1, next: null, results: [{ id: 'a', status: 'unpaid' }] },
		},
	});
	expect(await active.poll()).toBeNull();
});
