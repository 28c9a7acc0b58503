import fc from 'fast-check';
import { plainHeader } from '../../nodes/InvoicingPayments/sheet/headers';
import { bareAmount, rowFields } from '../../nodes/InvoicingPayments/sheet/rowFields';
import { languages, totalsOf } from '../../nodes/InvoicingPayments/sheet/words';
import { fold } from '../../nodes/shared/fields/text';
import { languageSheets } from '../../tools/commands/languageSheets';
import { nodeProcess } from '../../tools/node';
import { textOf, useNode } from '../helpers/nodeRuns';

/** Sheets in all known languages, with headers that programs use, and without any setting. */
const { service, fromRows, validate } = useNode();
const email = () => String(service.world.account.customers[11].email);

/** Cells are separated by semicolons; `@` stands for the email of a customer. */
const runSheet = async (headers: string, rows: string[]) => {
	const names = headers.split(';');
	const items = rows.map((row) => {
		const cells = row.replace('@', email()).split(';');
		return Object.fromEntries(cells.map((cell, at) => [names[at], cell]));
	});
	return await fromRows({}, items);
};

describe.each(Object.entries(languageSheets))('[S1] %s', (_, { headers, rows, tax }) => {
	test('is billed without a setting', async () => {
		const { error } = await runSheet(headers, rows);
		expect(error).toBeUndefined();
		expect(service.created.map(({ full }) => [full.amount, full.due_date.slice(0, 10)])).toEqual([
			['2500.00', '2027-04-04'],
			['120.00', '2027-03-05'],
		]);
	});

	test('stops if it contains taxes', async () => {
		const taxed = rows.map((row) => `${row};37,50`);
		expect(textOf(await runSheet(`${headers};${tax}`, taxed))).toContain(`"${tax}"`);
		expect(service.created).toEqual([]);
	});
});

test('no two fields share a header in any language', () => {
	const kinds = ['invoice', 'invoiceOrRow', 'subtotal', 'balance'] as const;
	const all = [
		...[...rowFields, bareAmount].flatMap(({ name, headers, fallbacks }) =>
			[...headers, ...fallbacks].map((header) => [header, name]),
		),
		...kinds.flatMap((kind) => totalsOf(kind).map((total) => [plainHeader(total), kind])),
	];
	const owners = new Map<string, Set<string>>();
	for (const [header, name] of all) owners.set(header, (owners.get(header) ?? new Set()).add(name));
	expect([...owners].filter(([, { size }]) => size > 1)).toEqual([]);
	expect(languages.map(({ code }) => code)).toEqual(['en', ...Object.keys(languageSheets)]);
});

test.each(languages)('the words of $code are in lower case and without accents', (language) => {
	const { identifiers, dates, times, taxes, counts, amounts, sums, totals, deductions, done } = {
		...language,
		...language.otherMoney,
	};
	const words = [identifiers, dates, times, taxes, counts, amounts, sums, totals, deductions, done];
	expect(words.filter((list) => list.length === 0)).toEqual([]);
	expect(words.flat().filter((word) => fold(word) !== word)).toEqual([]);
});

/** The columns of a random sheet. */
const fields = [
	...['invoiceNumber', 'customerEmail', 'itemName', 'itemQuantity', 'itemAmount'],
	...['currency', 'dueDate'],
];
/** The headers of a field in these languages, or in English if they have none. */
const headersOf = (codes: string[], field: string): string[] => {
	const known = languages.filter(({ code }) => codes.includes(code));
	const headers = known.flatMap((language) => language.headers[field] ?? []);
	return headers.length ? headers : headersOf(['en'], field);
};

const anyTable = fc.record({
	codes: fc.uniqueArray(fc.constantFrom(...languages.map(({ code }) => code)), { minLength: 1, maxLength: 3 }),
	picks: fc.array(fc.nat(), { minLength: fields.length, maxLength: fields.length }),
	order: fc.shuffledSubarray(fields, { minLength: fields.length }),
	hasCommas: fc.boolean(),
	isDotted: fc.boolean(),
	rows: fc.array(
		fc.record({ invoice: fc.integer({ min: 1, max: 3 }), quantity: fc.integer({ min: 1, max: 40 }), cents: fc.integer({ min: 101, max: 999_999 }) }),
		{ minLength: 1, maxLength: 5 },
	),
}); // prettier-ignore

test('[S1] headers of one or several languages, in any order and format, give the right totals or stop', async () => {
	const runs = Number(nodeProcess.env.SHEETS ?? 60);
	const stops: string[] = [];
	const table = fc.asyncProperty(anyTable, async (drawn) => {
		const { codes, picks, order, hasCommas, isDotted, rows } = drawn;
		const headers = fields.map((field, at) => {
			const all = headersOf(codes, field);
			return all[picks[at] % all.length];
		});
		const items = rows.map(({ invoice, quantity, cents }) => {
			const price = (cents / 100).toFixed(2);
			const due = isDotted ? `0${invoice}.04.2027` : `2027-04-0${invoice}`;
			const amount = hasCommas ? price.replace('.', ',') : price;
			const cells = [`L-${invoice}`, email(), 'Beratung', quantity, amount, 'EUR', due];
			const columns = order.map((field) => fields.indexOf(field));
			return Object.fromEntries(columns.map((at) => [headers[at], cells[at]]));
		});
		const outcome = await validate(items);
		if ('message' in outcome) return void stops.push(outcome.message);
		const sums = new Map<number, number>();
		for (const { invoice, quantity, cents } of rows)
			sums.set(invoice, (sums.get(invoice) ?? 0) + quantity * cents);
		expect(outcome.invoices).toMatchObject(
			[...sums].map(([invoice, cents]) => ({
				invoice_number: `L-${invoice}`,
				total: (cents / 100).toFixed(2),
				due_date: `2027-04-0${invoice}`,
			})),
		);
	});
	await fc.assert(table, { numRuns: runs });
	// For example a price of a unit beside hours.
	expect(stops.length).toBeLessThan(runs / 10);
});
