import { PollContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NewCharge } from '../../simulator/account';
import type { SettingsInput } from '../../simulator/settings';
import { passTime } from '../helpers/clock';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';
import { expectOnce } from '../helpers/expectOnce';
import { someOf } from '../helpers/someOf';

const service = useSimulator();
const second = 1000;
const minute = 60 * second;
const orders = ['newestFirst', 'oldestFirst', 'none'] as const;
/** A poll that delivers nothing may only have searched: so many in a row are the end. */
const leastSilence = 3;

const warnings: string[] = [];

// The clock stands still but where a test moves it: no poll runs out of time, however slow the machine is.
beforeEach(() => {
	warnings.length = 0;
	const logger = { warn: (text: string) => void warnings.push(text) };
	for (const level of ['error', 'info', 'debug']) Object.assign(logger, { [level]: () => {} });
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
});
afterEach(() => {
	jest.restoreAllMocks();
});

const wait = passTime;

/** `ago`: how old the newest charge is, in milliseconds. */
const begin = ({ ago = 10 * minute, ...settings }: SettingsInput & { ago?: number } = {}) =>
	service.world.reset({
		newest: new Date(Date.now() - ago).toISOString().slice(0, 19) + 'Z',
		...settings,
	});

const trigger = (parameters: INodeParameters = {}) =>
	new ActiveTrigger({ credential: service.credential, parameters });

const all = (maxChargesPerRun: number) =>
	trigger({ startWith: 'all', options: { maxChargesPerRun } });

/** A charge that is made a second later than whatever was before. */
const pay = (change: NewCharge = {}): string => {
	wait(second);
	return service.world.account.addCharge(change, Date.now()).id as string;
};

/** A charge of which the service shows some fields otherwise; `undefined`: not at all. */
const payAs = (fields: (created: string) => object, change: NewCharge = {}) => {
	wait(second);
	const charge = service.world.account.addCharge(change, Date.now());
	return Object.assign(charge, fields(charge.created as string));
};

const idsOf = (charges: IDataObject[] | null) => (charges ?? []).map(({ id }) => id as string);

/** The IDs of the `most` newest charges that the account holds, oldest first. */
const held = (most = 100_000) =>
	idsOf(
		service.world.account.listCharges({}, 1, most, 'newestFirst')
			.results as unknown as IDataObject[],
	).reverse();

/** A minute later. */
const poll = async (active: ActiveTrigger) => {
	wait(minute);
	return await active.poll();
};

/** What polls deliver until nothing more comes. */
async function drain(active: ActiveTrigger, most = 80): Promise<IDataObject[]> {
	const charges: IDataObject[] = [];
	let silence = 0;
	for (let polls = 0; silence < leastSilence; polls++) {
		if (polls === most) throw new Error(`Charges still come after ${most} polls`);
		const found = await poll(active);
		silence = found ? 0 : silence + 1;
		for (const charge of found ?? []) charges.push(charge);
	}
	return charges;
}

/** The same for a trigger that is activated first. */
const drainFromStart = async (active: ActiveTrigger) => [
	...((await active.activate()) ?? []),
	...(await drain(active)),
];

const expectCharges = (charges: IDataObject[], ids: string[]) => expectOnce(idsOf(charges), ids);

const isByAge = (charges: IDataObject[]) => {
	const times = charges.map(({ created }) => Date.parse(created as string));
	return times.every((time, at) => at === 0 || times[at - 1] <= time);
};

/** A few services of each kind; test/unit/newChargesServices.test.ts has all combinations. */
describe.each([400, 500])('[T7] deep pages are refused with status %i', (beyondMaxResults) => {
	const deep = { charges: 15_000, maxResults: 10_000, beyondMaxResults };
	const words = 'Result window is too large: at most 10000 results';

	test('newest first: only new charges, and Fetch Test Event', async () => {
		begin(deep);
		expect(idsOf(await trigger().show())).toEqual(held(10));
		const active = trigger();
		expect(await active.activate()).toBeNull();
		const id = pay();
		expect(idsOf(await poll(active))).toEqual([id]);
		expectCharges(await drain(active), []);
	}, 120_000);

	// A status of 5xx is tried again and again, as it should, which takes a while.
	if (beyondMaxResults === 500) return;

	test('newest first: all that can be read, and the log says what cannot', async () => {
		begin(deep);
		const ids = held(10_000);
		const active = all(5000);
		expectCharges(await drainFromStart(active), ids);
		const notes = warnings.filter((text) => text.includes('refuses to list charges'));
		expect(notes.length).toBeGreaterThan(0);
		expect(notes[0]).toMatch(/^Trigger: .* beyond the first \d+ \(status \d+: /);
		expect(notes[0]).toContain(`status ${beyondMaxResults}`);
		expect(notes[0]).toContain(words);
		const id = pay();
		expect(idsOf(await poll(active))).toEqual([id]);
		expectCharges(await drain(active), []);
	}, 240_000);

	test.each([
		['only new charges', {}],
		['all charges', { startWith: 'all', options: { maxChargesPerRun: 5000 } }],
	])(
		'oldest first, where the newest cannot be read: %s',
		async (_, parameters) => {
			begin({ ...deep, order: 'oldestFirst' });
			const active = trigger(parameters);
			await expect(active.activate()).rejects.toThrow(words);
			await expect(poll(active)).rejects.toThrow(words);
		},
		120_000,
	);
});

describe.each([
	['perPage', 'oldestFirst'],
	['perRequest', 'newestFirst'],
] as const)('equal moments drawn %s, %s', (equalMoments, order) => {
	const equal = { charges: 600, equalMoments, order, chargesPerMoment: 20, ago: 5 * minute };

	test('all existing', async () => {
		begin(equal);
		const charges = await drainFromStart(all(100));
		expectCharges(charges, held());
		expect(isByAge(charges)).toBe(true);
	}, 120_000);

	test('only new, then 250 of one moment', async () => {
		begin(equal);
		const active = trigger({ options: { maxChargesPerRun: 100 } });
		expect(await active.activate()).toBeNull();
		const created = new Date(Date.now()).toISOString();
		const burst = Array.from({ length: 250 }, () => pay({ created }));
		expectCharges(await drain(active), burst);
		const id = pay();
		expectCharges(await drain(active), [id]);
	}, 120_000);
});

describe.each([
	['pageLength', 'none'],
	['zero', 'newestFirst'],
	['cappedAt100', 'oldestFirst'],
	['oneTooMany', 'none'],
	['missing', 'oldestFirst'],
] as const)('a count that is %s, of a service that lists %s', (count, order) => {
	test('only new charges', async () => {
		begin({ count, order, charges: 700 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		expectCharges(await drain(active), []);
		const ids = [pay(), pay(), pay()];
		expectCharges(await drain(active), ids);
	}, 120_000);

	test('all charges, 200 at a time', async () => {
		begin({ count, order, charges: 700 });
		const active = all(200);
		expectCharges(await drainFromStart(active), held());
		const id = pay();
		expectCharges(await drain(active), [id]);
	}, 120_000);

	test('an account without charges begins with the first one', async () => {
		begin({ count, charges: 0 });
		const active = trigger();
		expect(await active.activate()).toBeNull();
		expect(await poll(active)).toBeNull();
		const id = pay();
		expectCharges(await drain(active), [id]);
	});
});

test('an account without charges, and the first one before the first poll', async () => {
	begin({ count: 'oneTooMany', charges: 0 });
	const active = trigger();
	expect(await active.activate()).toBeNull();
	const id = pay();
	expect(idsOf(await poll(active))).toEqual([id]);
	expectCharges(await drain(active), []);
});

/** A moment such as 2026-06-01T09:00:05.120Z in other words. */
const forms: Array<[string, (created: string) => string]> = [
	['basic', (created) => created.replace(/[-:]|\.\d+/g, '')],
	[
		'with an offset',
		(created) => {
			const local = new Date(Date.parse(created) + 120 * minute).toISOString();
			return local.replace(/\.\d+Z/, '+02:00');
		},
	],
	['of nanoseconds', (created) => created.replace('T', ' ').replace('Z', '456789Z')],
	['with a comma', (created) => created.replace(/\.(\d)\d+Z/, ',$1Z')],
	['without an offset', (created) => created.replace('Z', '')],
	[
		'basic with an offset',
		(created) => {
			const local = new Date(Date.parse(created) - 210 * minute).toISOString();
			return local.replace(/[-:]|\.\d+Z/g, '') + '-0330';
		},
	],
];

describe.each(someOf(orders))('[T8] created in other forms, listed %s', (order) => {
	// Whole seconds, so that no form cuts anything off.
	beforeEach(() => passTime((second - (Date.now() % second)) % second));

	describe.each([40])('%i before', (charges) => {
		test('mixed: each once, ordered by their moment', async () => {
			begin({ order, charges });
			const active = trigger();
			expect(await active.activate()).toBeNull();
			const ids = [...forms, ...forms].map(([, toForm]) => {
				const { id } = payAs((created) => ({ created: toForm(created) }));
				return id as string;
			});
			const charged = await poll(active);
			expect(idsOf(charged)).toEqual(ids);
			expectCharges(await drain(active), []);
			const id = pay();
			expect(idsOf(await poll(active))).toEqual([id]);
		}, 60_000);

		test.each(forms)(
			'all %s, and all existing',
			async (_, toForm) => {
				begin({ order, charges });
				const ids = Array.from({ length: 150 }, () => {
					const { id } = payAs((created) => ({ created: toForm(created) }));
					return id as string;
				});
				const active = all(100);
				const charged = await drainFromStart(active);
				expectCharges(charged, held());
				expectCharges(
					charged.filter(({ id }) => ids.includes(id as string)),
					ids,
				);
			},
			60_000,
		);

		test('another form of the same moment is no new charge', async () => {
			begin({ order, charges });
			const active = trigger();
			await active.activate();
			const charge = payAs(() => ({}));
			const { created } = charge;
			expect(idsOf(await poll(active))).toEqual([charge.id]);
			for (const [, toForm] of forms) {
				Object.assign(charge, { created: toForm(created as string) });
				expect(await poll(active)).toBeNull();
			}
		}, 60_000);

		test('a later date after it was delivered makes no new charge', async () => {
			begin({ order, charges });
			const active = trigger();
			await active.activate();
			const id = pay();
			const other = pay();
			expect(idsOf(await poll(active))).toEqual([id, other]);
			expect(service.world.account.removeCharge(id)).toBe(true);
			expect(pay({ id })).toBe(id);
			// Late charges are looked for meanwhile.
			for (let looks = 0; looks < 3; looks++) {
				expectCharges(await drain(active), []);
				wait(10 * minute);
			}
			const last = pay();
			expectCharges(await drain(active), [last]);
		}, 60_000);
	});
});

test('forms as the service may send them, word for word', async () => {
	begin({ charges: 0 });
	const active = trigger({ startWith: 'since', since: '2026-06-01T00:00:00Z' });
	const created = {
		third: '2026-06-01T09:00:02,5Z',
		second: '2026-06-01 09:00:01.123456789Z',
		first: '2026-06-01T11:00:00+02:00',
		none: '20260531T235959Z',
		zeroth: '20260601T085959Z',
	};
	const results = Object.entries(created).map(([id, at]) => ({ id, created: at, total: '1.00' }));
	const body = { count: results.length, next: null, previous: null, results };
	service.world.faults.add({ times: null, action: { kind: 'json', body } });
	expect(idsOf(await active.activate())).toEqual(['zeroth', 'first', 'second', 'third']);
	expect(await drain(active)).toEqual([]);
});

describe.each(someOf(orders))('[T6] charges without an ID, listed %s', (order) => {
	describe.each([30])('%i before', (charges) => {
		describe.each([
			['missing', undefined],
			['empty', ''],
			['an object', {}],
			['null', null],
		])('%s', (_, id) => {
			test.each([
				['with', {}],
				['without', { reference_id: undefined }],
			])(
				'%s a reference: once each',
				async (__, more) => {
					begin({ order, charges });
					const active = trigger({ simplify: false });
					expect(await active.activate()).toBeNull();
					for (let rounds = 0; rounds < 2; rounds++) {
						const notes = ['a', 'b', 'c'].map((name) => `${name}${rounds}`);
						for (const note of notes) payAs(() => ({ id, note, ...more }));
						const found = await drain(active);
						expect(found.map(({ note }) => note)).toEqual(notes);
					}
				},
				60_000,
			);
		});
	});
});
