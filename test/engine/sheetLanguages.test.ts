import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { plainHeader } from '../../nodes/InvoicingPayments/sheet/headers';
import { bareAmount, rowFields } from '../../nodes/InvoicingPayments/sheet/rowFields';
import { languages, totalsOf } from '../../nodes/InvoicingPayments/sheet/words';
import { nodeProcess } from '../../tools/node';
import '../helpers/fixedSeed';
import { languageSheets } from '../../tools/commands/languageSheets';
import { executeNode, runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

/** Sheets in the languages that are known, with the headers of programs that people use, without any setting. */
const service = useSimulator();
const totals = () => service.created.map(({ full }) => full.amount);

const run = async (headers: string, rows: string[]) => {
	const names = headers.split(';');
	const { email } = service.world.account.customers[11];
	const items = rows.map(
		(row): IDataObject =>
			Object.fromEntries(
				row
					.replace('@', String(email))
					.split(';')
					.map((cell, at) => [names[at], cell]),
			),
	);
	return await runNode({
		credential: service.credential,
		parameters: {
			resource: 'invoice',
			operation: 'createFromRows',
			columns: { mappingMode: 'autoMapInputData', value: null } as never,
		},
		items,
	});
};

describe.each(Object.entries(languageSheets))('[S1] %s', (_, { headers, rows, tax }) => {
	test('is billed without a setting', async () => {
		const { error } = await run(headers, rows);
		expect([error?.message, error?.description]).toEqual([undefined, undefined]);
		expect(totals()).toEqual(['2500.00', '120.00']);
		expect(service.created.map(({ full }) => String(full.due_date).slice(0, 10))).toEqual([
			'2027-04-04',
			'2027-03-05',
		]);
	});

	test('stops where it holds taxes', async () => {
		const { error } = await run(
			`${headers};${tax}`,
			rows.map((row) => `${row};37,50`),
		);
		expect(`${error?.message} ${error?.description}`).toContain(`"${tax}"`);
		expect(totals()).toEqual([]);
	});
});

test('no two fields share a header, in whatever language', () => {
	const fields = [...rowFields, bareAmount];
	const kinds = ['invoice', 'invoiceOrRow', 'subtotal', 'balance'] as const;
	const all = [
		...fields.map(({ name, headers, fallbacks }) => [name, [...headers, ...fallbacks]] as const),
		...kinds.map((kind) => [kind, totalsOf(kind).map(plainHeader)] as const),
	];
	const owners = new Map<string, Set<string>>();
	for (const [name, headers] of all)
		for (const header of headers) owners.set(header, (owners.get(header) ?? new Set()).add(name));
	expect([...owners].filter(([, { size }]) => size > 1)).toEqual([]);
	expect(languages.map(({ code }) => code).sort()).toEqual([
		'de',
		'en',
		'es',
		'fr',
		'it',
		'nl',
		'pt',
	]);
});

/** Fields of a sheet, each with a header of one of these languages. */
const named = [
	'invoiceNumber',
	'customerEmail',
	'itemName',
	'itemQuantity',
	'itemAmount',
	'currency',
	'dueDate',
];
const headersIn = (codes: string[], field: string) =>
	languages
		.filter(({ code }) => codes.includes(code))
		.flatMap(({ headers }) => headers[field] ?? []);

const anyTable = fc.record({
	/** Of one language or of several, with English where a language has no word of its own. */
	codes: fc.uniqueArray(fc.constantFrom(...languages.map(({ code }) => code)), { minLength: 1, maxLength: 3 }),
	picks: fc.array(fc.nat(), { minLength: named.length, maxLength: named.length }),
	order: fc.shuffledSubarray(named, { minLength: named.length }),
	hasCommas: fc.boolean(),
	isDotted: fc.boolean(),
	rows: fc.array(
		fc.record({ invoice: fc.integer({ min: 1, max: 3 }), quantity: fc.integer({ min: 1, max: 40 }), cents: fc.integer({ min: 101, max: 999_999 }) }),
		{ minLength: 1, maxLength: 5 },
	),
}); // prettier-ignore

test('[S1] words of one language or of several, in any order and writing: the right totals, or a stop', async () => {
	service.world.reset();
	const email = String(service.world.account.customers[11].email);
	const runs = Number(nodeProcess.env.SHEETS ?? 60);
	const stops: string[] = [];
	await fc.assert(
		fc.asyncProperty(anyTable, async ({ codes, picks, order, hasCommas, isDotted, rows }) => {
			const headers = named.map((field, at) => {
				const own = headersIn(codes, field);
				const all = own.length ? own : headersIn(['en'], field);
				return all[picks[at] % all.length];
			});
			const money = (cents: number) => {
				const text = (cents / 100).toFixed(2);
				return hasCommas ? text.replace('.', ',') : text;
			};
			const items = rows.map(({ invoice, quantity, cents }) => {
				const due = isDotted ? `0${invoice}.04.2027` : `2027-04-0${invoice}`;
				const cells = [`L-${invoice}`, email, 'Beratung', quantity, money(cents), 'EUR', due];
				return Object.fromEntries(
					order.map((field) => {
						const at = named.indexOf(field);
						return [headers[at], cells[at]];
					}),
				);
			});
			const planned = executeNode({
				credential: service.credential,
				parameters: {
					resource: 'invoice',
					operation: 'createFromRows',
					columns: { mappingMode: 'autoMapInputData', value: null } as never,
					onlyValidate: true,
				},
				items,
			});
			const json = await planned.catch((error: Error) => void stops.push(error.message));
			if (!json) return;
			const sums = new Map<string, number>();
			for (const { invoice, quantity, cents } of rows)
				sums.set(`L-${invoice}`, (sums.get(`L-${invoice}`) ?? 0) + quantity * cents);
			const shown = json.map((one) => [one.invoice_number, one.total, one.due_date]);
			expect(shown.sort()).toEqual(
				[...sums].map(([number, cents]) => [number, (cents / 100).toFixed(2), `2027-04-0${number[2]}`]).sort(),
			);
		}),
		{ numRuns: runs },
	); // prettier-ignore
	// Such as a price for a unit beside hours.
	expect(stops.length).toBeLessThan(runs / 10);
});
