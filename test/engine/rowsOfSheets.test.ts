import type { IDataObject } from 'n8n-workflow';
import { fromRows } from '../helpers/fromRows';
import { useSimulator } from '../helpers/service';

/** Rows that should not be billed as they stand: sums, deductions, and what is paid already. */
const service = useSimulator();
const run = fromRows(service);
const [first, second] = [0, 1];
const customer = (at: number) => service.world.account.customers[at].id;

/** Rows with a customer each, by index. */
const sheet = (headers: string, rows: Array<[number | '', ...Array<string | number>]>) =>
	rows.map(
		([at, ...cells]): IDataObject => ({
			...(at !== '' && { 'Customer ID': customer(at) }),
			Currency: 'EUR',
			'Due Date': '2027-03-31',
			...Object.fromEntries(headers.split('|').map((header, column) => [header, cells[column]])),
		}),
	);

const plan = async (items: IDataObject[], options: object = {}) => {
	const { json, error, hints } = await run({ onlyValidate: true, options }, items);
	const text = error ? `${error.message}\n${String(error.description ?? '')}` : '';
	return { totals: json.map(({ total }) => total), text, hints };
};

describe('rows that are the sum of others', () => {
	test('a subtotal below the rows of each customer', async () => {
		const { text } = await plan(
			sheet('Item|Amount', [
				[first, 'A', 100],
				[first, 'B', 250],
				[first, 'Together', 350],
				[second, 'C', 75],
				[second, 'D', 80],
				[second, 'Together', 155],
			]),
		);
		expect(text).toContain('Row 4: "Together" is exactly the sum of other rows');
		expect(text).toContain('Row 7: "Together"');
	});

	test('one whose hours are a sum as well', async () => {
		const rows = (...more: Array<[number, string, number, number]>) =>
			sheet('Item|Hours|Line Total', [[first, 'A', 2, 100], ...more]);
		const { text } = await plan(
			rows([first, 'B', 2, 300], [first, 'Project Alpha', 4, 400], [first, 'C', 1, 70]),
		);
		expect(text).toContain('Row 4: "Project Alpha" is exactly the sum');
		// At one rate, hours add up whenever amounts do.
		const same = rows([first, 'B', 3, 150], [first, 'D', 5, 250], [first, 'C', 4, 200]);
		expect((await plan(same)).text).toBe('');
	});

	test('one below two rows that leaves out what they have', async () => {
		const rows = sheet('Date|Item|Amount', [
			[first, '2027-03-01', 'A', 360],
			[first, '2027-03-02', 'B', 585],
			[first, '', 'In all', 945],
		]);
		expect((await plan(rows)).text).toContain('Row 4: "In all" is exactly the sum');
	});

	test('subscriptions at usual prices are none', async () => {
		const prices = [50, 50, 100, 50, 150, 50, 50, 100];
		const rows = sheet('Item|Amount', prices.map((price, at) => [at, 'Plan', price])); // prettier-ignore
		expect((await plan(rows)).text).toBe('');
	});

	test('a price that happens to be the sum of two is a warning', async () => {
		const { totals, text } = await plan(
			sheet('Item|Amount', [
				[first, 'A', 100],
				[first, 'B', 250],
				[second, 'C', 350],
				[second, 'D', 80],
			]),
		);
		expect([totals.length, text]).toEqual([4, '']);
	});

	test.each(['Gesamtergebnis', 'Insgesamt', 'A pagar', 'Da pagare', 'Total horas', 'Balance b/f'])(
		'%s is a total',
		async (name) => {
			const { text } = await plan(sheet('Item|Amount', [[first, 'A', 10], [first, name, 70]])); // prettier-ignore
			expect(text).toContain(`looks like a total ("${name}")`);
		},
	);
});

describe('a total row that is skipped', () => {
	const rows = (total: number) =>
		sheet('Invoice Number|Item|Amount', [
			[first, 'T-1', 'A', 100],
			[first, 'T-1', 'B', 250],
			[second, 'T-2', 'C', 50],
			['', '', 'Total', total],
		]);
	const skip = { totalRows: 'skip' };

	test('agrees with what is billed', async () => {
		expect((await plan(rows(400), skip)).totals).toEqual(['350.00', '50.00']);
	});

	test('may be one of several levels, and an average is no sum', async () => {
		const line = (name: string, amount: number) => [first, 'L-1', name, amount] as [number, string, string, number]; // prettier-ignore
		const levels = [line('A', 1), line('Subtotal', 1), line('B', 2), line('Subtotal', 2), line('Total', 3), line('C', 5)];
		const rows = sheet('Invoice Number|Item|Amount', [...levels, line('Grand total', 8), line('Average', 4)]);
		expect((await plan(rows, skip)).totals).toEqual(['8.00']);
	}); // prettier-ignore

	test('that adds up prices shows that they are those of lines', async () => {
		const rows = sheet('Item|Qty|Price', [
			[first, 'Chair', 3, '30.00'],
			[first, 'Table', 2, '40.00'],
			['', 'Total', '', '70.00'],
		]);
		expect((await plan(rows, skip)).text).toContain('says 70.00, but its rows come to 170.00');
	});

	test('stops the sheet if it does not', async () => {
		const { text } = await plan(rows(850), skip);
		expect(text).toContain('Row 5 ("Total") says 850.00, but its rows come to 400.00');
		const { totals } = await plan(rows(850), { ...skip, checkTotals: false });
		expect(totals).toEqual(['350.00', '50.00']);
	});
});

describe('what a column says of a row', () => {
	const status = (says: string, header = 'Status') =>
		sheet(`Item|Amount|${header}`, [
			[first, 'A', 600, 'open'],
			[second, 'B', 200, says],
		]);

	test.each([
		...['Cobrada', 'Facturadas', 'Quitado', 'Saldata', 'Incassata', 'Encaissée', 'Gecrediteerd'],
		...[
			'Fully paid',
			'Teilweise bezahlt',
			'Ya pagada',
			'Già pagata',
			'Déjà payée',
			'Reeds betaald',
		],
		...['Stornorechnung', "Facture d'avoir", 'Rectificativa', 'Nota de crédito', 'Creditfactuur'],
	])('"%s" stops', async (says) => {
		expect((await plan(status(says))).text).toContain('says that rows should not be billed');
	});

	test.each([
		...['Not paid', 'Nicht bezahlt', 'Non payée', 'No pagada', 'Niet betaald', 'to be paid'],
		...['Facture', 'Pendiente', 'Paid search', 'Offen', 'Sold', 'Pay by card', 'Pays-Bas'],
		...[
			'Pendiente de pago',
			'Aguardando pago',
			'Wird abgerechnet',
			'Annually billed',
			'Freight Prepaid',
		],
	])('"%s" does not', async (says) => {
		expect((await plan(status(says))).text).toBe('');
	});

	test.each([
		['Abrechnen', 'nein'],
		['Facturar', 'No'],
		['Zahlungseingang', '2027-03-02'],
		['Fecha de cobro', '2027-03-02'],
		['Saldata', 'sì'],
	])('"%s" with %s stops', async (header, says) => {
		const rows = sheet(`Item|Amount|${header}`, [
			[first, 'A', 600, ''],
			[second, 'B', 200, says],
		]);
		expect((await plan(rows)).text).toContain('says that rows should not be billed');
	});

	test('yes and no are no invoice numbers', async () => {
		const rows = sheet('Item|Amount|Rechnung', [
			[first, 'A', 600, 'ja'],
			[second, 'B', 200, 'nein'],
		]);
		expect((await plan(rows)).text).toContain('Invoice Number cannot be "ja"');
	});
});

test.each(['Señal recibida', 'Dto. pronto', 'Già pagato', 'Caparra versata', 'Retour - stoel', 'Déjà réglé', '10% off'])(
	'"%s" is taken off, and needs a minus',
	async (name) => {
		const rows = sheet('Invoice Number|Item|Amount', [
			[first, 'D-1', 'Table', 100],
			[first, 'D-1', name, 20],
		]);
		expect((await plan(rows)).text).toContain('sounds like money that is taken off');
	},
); // prettier-ignore

test('whoever a column says is billed has to be known, unless it is an address', async () => {
	const { name } = service.world.account.customers[11];
	const row = { Item: 'A', Price: 5, Currency: 'EUR', 'Due Date': '2027-03-31', Customer: name };
	const { text } = await plan([{ ...row, 'Bill To': 'Example Holdings' }]);
	expect(text).toContain('No customer with the name "Example Holdings"');
	expect(text).toContain('Or add "Bill To" to \'Ignore Columns\'');
	expect((await plan([{ ...row, 'Bill To': '12 Main St, Springfield' }])).totals).toEqual(['5.00']);
});

test('times of a day that arrive as fractions are said to be times', async () => {
	const { text } = await plan(sheet('Item|Hours|Rate', [[first, 'A', 0.0625, 80]]));
	expect(text).toContain('may be a time (0.0625 is 1:30 in a spreadsheet)');
	expect(text).not.toContain('Round');
});
