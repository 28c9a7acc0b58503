import { creationTimeOf } from '../../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import { casesOf } from '../../helpers/casesOf';
import { expectCharges, isByAge } from '../../helpers/lists/expectCharges';
import { minute } from '../../helpers/lists/history';
import type { Listed } from '../../helpers/lists/list';
import { numberOf, Watch } from '../../helpers/lists/watch';
import { someOf } from '../../helpers/someOf';

/** New Charge reads dates in any format, and fails at a charge without a date or an ID, so that it is not skipped. */

const orders = ['newestFirst', 'oldestFirst', 'none'] as const;

/** The local time of a moment, this many minutes ahead of UTC. */
const inZone = (created: string, ahead: number) =>
	new Date(Date.parse(created) + ahead * minute).toISOString().replace(/\.\d+Z/, '');

/** Other formats of a moment such as 2026-06-01T09:00:05.120Z. */
const formats: Array<[string, (created: string) => string]> = [
	['basic', (created) => created.replace(/[-:]|\.\d+/g, '')],
	['with an offset', (created) => `${inZone(created, 120)}+02:00`],
	['with nanoseconds', (created) => created.replace('T', ' ').replace('Z', '456789Z')],
	['with a comma', (created) => created.replace(/\.(\d)\d+Z/, ',$1Z')],
	['without an offset', (created) => created.replace('Z', '')],
	['basic with an offset', (created) => `${inZone(created, -210).replace(/[-:]/g, '')}-0330`],
];
const inFormat = (toFormat: (created: string) => string) => (charge: Listed) => ({
	...charge,
	created: toFormat(String(charge.created)),
});

describe.each(someOf(orders))('[T8] other formats of created, listed %s', (order) => {
	// Whole seconds, so no format loses precision.
	const watched = (before: number) => Watch.charges(before, { order, granularity: 1000 }, 100);

	test('delivers mixed formats once each, in order of time', async () => {
		const watch = watched(40);
		watch.shown = (charge) => inFormat(formats[numberOf(charge) % formats.length][1])(charge);
		await watch.beginWithNew();
		const ids = watch.list.pay(12);
		expect(await watch.pollIds()).toEqual(ids);
		expectCharges(await watch.drain(), []);
	});

	test.each(formats)('delivers all existing charges if dates are %s', async (_, toFormat) => {
		const watch = watched(190);
		watch.shown = inFormat(toFormat);
		const charges = await watch.drain();
		expectCharges(charges, watch.list.listed);
		expect(isByAge(charges)).toBe(true);
	});

	test('delivers nothing if only the format changes', async () => {
		const watch = watched(40);
		await watch.beginWithNew();
		const ids = watch.list.pay();
		expect(await watch.pollIds()).toEqual(ids);
		for (const [, toFormat] of formats) {
			watch.shown = inFormat(toFormat);
			expect(await watch.pollIds()).toEqual([]);
		}
	});

	test('delivers nothing if a delivered charge gets a later date', async () => {
		const watch = watched(40);
		await watch.beginWithNew();
		const [id, other] = watch.list.pay(2);
		expect(await watch.pollIds()).toEqual([id, other]);
		watch.list.leave(id);
		const [later] = watch.list.pay();
		watch.shown = (charge) => (charge.id === later ? { ...charge, id } : charge);
		// Meanwhile, polls look for late charges.
		for (let looks = 0; looks < 3; looks++) {
			expectCharges(await watch.drain(), []);
			watch.list.now += 10 * minute;
		}
		const last = watch.list.pay();
		expectCharges(await watch.drain(), last);
	});
});

/** What the service must not do: the poll fails, and the charge comes when the service has mended it. */
const contradictions: Array<[string, (charge: Listed) => Listed, RegExp]> = [
	...[undefined, null, '', {}].map((id): [string, (charge: Listed) => Listed, RegExp] => [
		`the ID ${JSON.stringify(id)}`,
		(charge) => ({ ...charge, id }),
		/lists charges without an id, so the trigger cannot tell new ones from old ones/,
	]),
	...[undefined, null, 5, 'yesterday'].map(
		(created): [string, (charge: Listed) => Listed, RegExp] => [
			`the date ${JSON.stringify(created)}`,
			(charge) => ({ ...charge, created }),
			/The charge charge-1-\d+ has no created that can be read/,
		],
	),
];

test.each(
	contradictions.flatMap(([what, shown, error]) =>
		[30, 1000].map((count) => [what, count, shown, error] as const),
	),
)(
	'[T8] a charge with %s is an error, and is not skipped (%i charges)',
	async (_, count, shown, error) => {
		const watch = Watch.charges(count);
		await watch.beginWithNew();
		await watch.poll();
		const ids = watch.list.pay(3);
		watch.shown = (charge) => (charge.id === ids[1] ? shown(charge) : charge);
		for (let polls = 0; polls < 3; polls++) await expect(watch.poll()).rejects.toThrow(error);
		watch.shown = (charge) => charge;
		expect(await watch.pollIds()).toEqual(ids);
	},
);

const nine = Date.UTC(2026, 5, 1, 9);
const midnight = Date.UTC(2026, 5, 1);
const twoHours = 7_200_000;

describe('the creation time of a charge', () => {
	test.each(
		casesOf(
			// Extended and basic.
			[nine, '2026-06-01T09:00:00Z', '2026-06-01T09:00Z', '2026-06-01T09Z', '2026-06-01 09:00:00Z'],
			[nine, '20260601T090000Z', '20260601T0900Z', '20260601T09Z', '20260601090000'],
			[nine, '2026-06-01t09:00:00z', ' 2026-06-01T09:00:00Z\n'],
			// Offsets.
			[nine, '2026-06-01T09:00:00', '2026-06-01T09:00:00 UTC', '2026-06-01 09:00:00 GMT'],
			[nine, '2026-06-01 09:00:00UTC', '2026-06-01T09:00:00+00:00', '2026-06-01T09:00:00-00:00'],
			[nine, '2026-06-01T14:30:00+05:30', '2026-06-01T14:30:00+0530', '20260601T143000+0530'],
			[nine, '2026-06-01T14:00:00+05', '2026-06-01 14:00:00 +05', '2026-06-01T05:30:00-0330'],
			[nine, '2026-05-31T22:00:00-11:00', '2026-06-01T23:00:00+14:00', '2026-06-01T06:00:00-03:00'],
			// Fractions of a second.
			[nine + 500, '2026-06-01T09:00:00.5Z', '2026-06-01T09:00:00,5Z'],
			[nine + 123, '2026-06-01T09:00:00.123Z', '2026-06-01T09:00:00.1234567Z'],
			[nine + 123, '2026-06-01T09:00:00,123456789Z', '2026-06-01T09:00:00.123999999Z'],
			[nine + 120, '2026-06-01T09:00:00.12Z', '2026-06-01 14:30:00,12+05:30'],
			[nine + 1, '2026-06-01T09:00:00.001'],
			[nine + 250, '20260601T090000.250Z'],
			// Days.
			[midnight, '2026-06-01', '20260601', '2026-06-01T00:00:00Z'],
			[midnight, '2026-05-31T24:00:00Z', '2026-05-31T24:00Z', '20260531T240000Z'],
			[midnight - twoHours, '2026-05-31T24:00:00+02:00'],
			[Date.UTC(2027, 0, 1), '2026-12-31T24:00:00Z'],
			[Date.UTC(2024, 1, 29, 9), '2024-02-29T09:00:00Z'],
			[Date.UTC(2024, 2, 1), '2024-02-29T24:00:00Z'],
			[Date.UTC(2000, 0, 1) - 1, '1999-12-31T23:59:59.999Z'],
			// Not a time.
			[undefined, undefined, null, 5, nine, true, {}, ['2026-06-01T09:00:00Z'], '', ' '],
			[undefined, 'yesterday', 'null', '1780304400', '09:00:00Z', '2026', '2026-06'],
			[undefined, '31/12/2026', '01.06.2026', 'Mon, 01 Jun 2026 09:00:00 GMT', '2026-06-31'],
			[undefined, '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-06-00T00:00:00Z'],
			[undefined, '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-02-30T24:00:00Z'],
			[undefined, '2026-06-01T25:00:00Z', '2026-06-01T09:60:00Z', '2026-06-01T09:00:61Z'],
			[undefined, '2026-06-01T24:00:01Z', '2026-06-01T24:30:00Z', '2026-13-01T24:00:00Z'],
			[undefined, '2026-06-01T09:00:00.Z', '2026-06-01T09:00:00+5', '2026-06-01T09:00:00 CEST'],
			[undefined, '2026-06-01T09:00:00Z and more'],
		),
	)('reads %p as %p', (created, time) => expect(creationTimeOf({ created })).toBe(time));

	test('ignores other fields', () => {
		expect(creationTimeOf({ id: '2026-06-01', events: { created: '2026-06-01' } })).toBeUndefined();
		expect(creationTimeOf({})).toBeUndefined();
	});
});
