import type { IDataObject } from 'n8n-workflow';
import { plainHeader } from '../../nodes/InvoicingPayments/sheet/headers';
import { bareAmount, rowFields } from '../../nodes/InvoicingPayments/sheet/rowFields';
import { languages, totalsOf } from '../../nodes/InvoicingPayments/sheet/words';
import { languageSheets } from '../../tools/commands/languageSheets';
import { runNode } from '../helpers/engine';
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
