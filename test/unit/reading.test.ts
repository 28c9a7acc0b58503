import type { KnownCustomer } from '../helpers/sheets/readRows';
import { withoutShapes } from '../helpers/sheets/readLine';
import { readRows } from '../helpers/sheets/readRows';

const customers: KnownCustomer[] = [
	{ name: 'Hájek Logistics', email: 'pay@hajek.example' },
	{ name: 'Kaya Trading', email: 'pay@kaya.example' },
	{ name: 'Jane Doe', email: 'jane@doe.example' },
];

type Row = Record<string, unknown>;

/** Two invoices, of 95.50 and 60.00. `change`: columns by header, one cell for each row; `undefined` removes one. */
function rowsWith(change: Record<string, unknown[] | undefined> = {}, count = 3): Row[] {
	const plain: Record<string, unknown[]> = {
		'Invoice Number': ['A', 'A', 'B'],
		'Customer Email': ['pay@hajek.example', 'pay@hajek.example', 'pay@kaya.example'],
		'Item Name': ['Design', 'Travel', 'Hosting'],
		Quantity: [2, 1, 3],
		'Unit Price': ['40.00', '15.50', '20.00'],
		Currency: ['EUR', 'EUR', 'EUR'],
		'Due Date': ['2027-03-01', '2027-03-01', '2027-03-01'],
	};
	const all = Object.entries({ ...plain, ...change });
	return Array.from({ length: count }, (_, at) =>
		Object.fromEntries(
			all.flatMap(([header, cells]) => (cells ? [[header, cells[at] ?? '']] : [])),
		),
	);
}
const totalsOf = (rows: Row[], settings = {}) =>
	readRows(rows, customers, settings).invoices.map(({ total }) => total);
/** Findings that are no guesses. */
const lookedAt = (rows: Row[], settings = {}) =>
	readRows(rows, customers, settings).findings.flatMap(({ kind, text }) =>
		kind === 'guess' ? [] : [`${kind}: ${text}`],
	);
const guessesIn = (rows: Row[]) =>
	readRows(rows, customers).findings.flatMap(({ kind, text }) => (kind === 'guess' ? [text] : []));
const unconfirmed = 'Nobody has confirmed how this sheet is read';
/** The reading of a preview, with a change of its text. */
const readingOf = (rows: Row[], change?: (text: string) => string, settings = {}) => {
	const read = readRows(rows, customers, settings);
	return change ? change(withoutShapes(read)) : read.text;
};

test('[R1] even a sheet with the names of the fields is only billed once it is confirmed', () => {
	const { refusal, findings, text, invoices } = readRows(rowsWith(), customers);
	expect({ refusal, findings }).toEqual({ refusal: unconfirmed, findings: [] });
	expect(readRows(rowsWith(), customers, { confirmed: text }).refusal).toBeUndefined();
	expect(invoices.map(({ customer, total, due }) => [customer, total, due])).toEqual([
		['pay@hajek.example', '95.50', '2027-03-01'],
		['pay@kaya.example', '60.00', '2027-03-01'],
	]);
});

test('emails below Customer are no guess', () => {
	const [first] = rowsWith();
	const { 'Customer Email': email, ...row } = first;
	const { findings, text } = readRows([{ ...row, Customer: email }], customers);
	expect(findings).toEqual([]);
	expect(text).toContain('Customer Email = Customer');
});

test.each([
	['Unit Price', ['40.00', 'ten', '20.00'], 'Unit Price must be an amount'],
	['Quantity', [2, 'two', 3], 'Quantity must be a number'],
	['Due Date', ['2027-03-01', 'soon', 'later'], 'Due Date must be a date'],
	['Currency', ['Eur0', 'Eur0', 'Eur0'], 'Currency must be a currency code'],
])(
	'a wrong cell below %s is a problem of its row, and no other column stands in for it',
	(header, cells, problem) => {
		const { text, reading } = readRows(rowsWith({ [header]: cells }), customers);
		expect(text).toContain(`${header} = ${header}`);
		const problems = reading.drafts.flatMap(({ cellProblems }) => cellProblems);
		expect(problems.map((one) => one.text)).toContainEqual(expect.stringContaining(problem));
	},
);

/** What a person has to look at, and a similar sheet in which there is nothing. */
const oddities: Array<[what: string, raises: Row[], says: string, doesNot: Row[]]> = [
	[
		'a note that says paid',
		rowsWith({ Note: ['', '', 'PAID 12.01.'] }),
		'words: row 4 says Note: PAID 12.01.',
		rowsWith({ Note: ['', '', 'not paid'] }),
	],
	[
		'an item that is optional',
		rowsWith({ Extra: ['Design', 'Travel', 'Hosting (optional)'] }),
		'words: row 4 says Extra: Hosting (optional)',
		rowsWith({ Extra: ['Design', 'Travel', 'Optics'] }),
	],
	[
		'a note about another invoice',
		rowsWith({ Note: ['', 'see fact. 26-1190', ''] }),
		'words: row 3 says Note: see fact. 26-1190',
		rowsWith({ Note: ['', 'see chapter 26', ''] }),
	],
	[
		'a last row that is the sum of the others',
		rowsWith({ 'Unit Price': ['40.00', '15.50', '95.50'], Quantity: [2, 1, 1] }),
		'sums: row 4 (95.50) is the sum of the rows above it',
		rowsWith({ 'Unit Price': ['40.00', '15.50', '95.60'], Quantity: [2, 1, 1] }),
	],
	[
		'a stated total that differs',
		rowsWith({ Total: ['99.00', '99.00', '60.00'] }),
		'sums: Total says 99.00 in row 2, the items come to 95.50',
		rowsWith({ Total: ['95.50', '95.50', '60.00'] }),
	],
	[
		'a total that leaves the discount out',
		rowsWith({ 'Discount Percentage': [10, 10, 10], 'Grand Total': ['95.50', '95.50', '60.00'] }),
		'sums: Grand Total says 95.5',
		rowsWith({ 'Discount Percentage': [10, 10, 10], Subtotal: ['95.50', '95.50', '60.00'] }),
	],
	[
		'a due date long past',
		rowsWith({ 'Due Date': ['2027-03-01', '2027-03-01', '2024-03-01'] }),
		'dates: row 4: due on 2024-03-01',
		rowsWith({ 'Due Date': ['2027-03-01', '2027-03-01', '2026-11-20'] }),
	],
	[
		'a due date before the invoice date',
		rowsWith({ 'Invoice Date': ['2027-02-01', '2027-02-01', '2027-04-01'] }),
		'dates: row 4: due on 2027-03-01, before the invoice date 2027-04-01',
		rowsWith({ 'Invoice Date': ['2027-02-01', '2027-02-01', '2027-02-01'] }),
	],
	[
		'terms that contradict the due date',
		rowsWith({
			'Invoice Date': ['2027-02-01', '2027-02-01', '2027-02-01'],
			Terms: ['28', '28', '14'],
		}),
		'dates: row 4: due on 2027-03-01, but the terms are 14 days after 2027-02-01',
		rowsWith({
			'Invoice Date': ['2027-02-01', '2027-02-01', '2027-02-01'],
			Terms: ['28', '28', '28'],
		}),
	],
	[
		'a row that was pasted twice',
		rowsWith({
			'Invoice Number': ['A', 'A', 'A'],
			'Item Name': ['Design', 'Travel', 'Travel'],
			Quantity: [2, 1, 1],
			'Unit Price': ['40.00', '15.50', '15.50'],
			'Customer Email': ['pay@hajek.example', 'pay@hajek.example', 'pay@hajek.example'],
		}),
		'repeats: rows 3 and 4 are the same in every cell but the amount',
		rowsWith(),
	],
	[
		'an order of two customers',
		rowsWith({ Order: ['9-1', '9-2', '9-2'] }),
		'repeats: rows 3 and 4 have the same Order and several customers: 9-2',
		rowsWith({ Order: ['9-1', '9-1', '9-2'] }),
	],
	[
		'an invoice number that says void',
		rowsWith({ 'Invoice Number': ['A', 'A', '1002 VOID'] }),
		'words: row 4 says Invoice Number: 1002 VOID',
		rowsWith({ 'Invoice Number': ['INV 1', 'INV 1', 'INV 2'] }),
	],
	[
		'a note that a row is to be waived',
		rowsWith({ Note: ['', '', 'to be waived'] }),
		'words: row 4 says Note: to be waived',
		rowsWith({ Note: ['', '', 'to be paid'] }),
	],
];

test.each(oddities)('%s is found, until it is settled', (_what, raises, says, doesNot) => {
	expect(lookedAt(raises)).toContainEqual(expect.stringContaining(says));
	expect(lookedAt(doesNot).filter((text) => text.startsWith(says.split(':')[0]))).toEqual([]);
	const { text, findings } = readRows(raises, customers);
	// What the preview gives settles it for exactly these rows, and says nothing about others.
	expect(readRows(raises, customers, { confirmed: text }).refusal).toBeUndefined();
	const more = raises.map((row, at) => (at === 0 ? { ...row, 'Item Name': 'Seminar' } : row));
	expect(readRows(more, customers, { confirmed: text }).refusal).toContain('Look at the sheet');
	// Naming the kind, or the word behind its column, settles it for good.
	const kinds = new Set(findings.flatMap(({ kind, word }) => (word === undefined ? kind : [])));
	const unchecked = [...kinds].filter((kind) => kind !== 'guess');
	let forGood = text.replace(/; seen: \w+/, '');
	if (unchecked.length) forGood += `; unchecked: ${unchecked.join(', ')}`;
	for (const { header = '', word } of findings)
		if (word !== undefined) forGood = forGood.replace(`${header} (`, `${header} (says ${word}; `);
	expect(readRows(more, customers, { confirmed: forGood }).refusal).toBeUndefined();
});

test.each<[what: string, change: Record<string, unknown[] | undefined>, says: string]>([
	[
		'hours with material',
		{
			...{ Quantity: undefined, 'Unit Price': undefined, Hours: [2, 1, 3] },
			...{ 'Hourly Rate': [40, 15.5, 20], Parts: ['5.00', '', '10.00'] },
			'All in': ['85.00', '15.50', '70.00'],
		},
		'Line Total = All in',
	],
	[
		'an hourly rate beside sessions and hours',
		{
			...{ Quantity: undefined, 'Unit Price': undefined, Sessions: [2, 1, 3] },
			...{ 'Time (h)': [3, 1.5, 4], 'Hourly Rate': [40, 15.5, 20] },
		},
		'Unit Price = Hourly Rate; Quantity = "Time (h)"',
	],
	[
		'fares that grow with their distance',
		{
			...{ Quantity: undefined, 'Unit Price': undefined, Km: [5.1, 3.3, 27.5, 6, 4] },
			...{
				'Invoice Number': ['A', 'A', 'B', 'B', 'B'],
				Ride: ['28.50', '19.80', '112.00', '31.00', '22.00'],
			},
		},
		'Line Total = Ride',
	],
])('%s: the amounts of the lines are found', (_what, change, says) => {
	const rows = rowsWith(change, change.Km?.length ?? 3).map((row) => ({
		...row,
		...{ 'Customer Email': 'pay@hajek.example', 'Item Name': 'Work', Currency: 'EUR' },
		'Due Date': '2027-03-01',
	}));
	expect(readingOf(rows, (text) => text)).toContain(says);
});

test('a bare price beside sessions may be the price of all of them', () => {
	const rows = rowsWith({
		...{ Quantity: undefined, 'Unit Price': undefined },
		...{ Price: [500, 275, 90], Sessions: [10, 5, 1] },
	});
	expect(guessesIn(rows)).toContain('Quantity = Sessions (without it: 865.00)');
});

test('two orders of days and months in one sheet are a guess', () => {
	const rows = rowsWith({ 'Due Date': ['25/11/2027', '25/11/2027', '11/20/2027'] });
	expect(guessesIn(rows)).toContain('Due Date (day/month/year)');
});

test('two columns of one field that are both filled are looked at', () => {
	const rows = rowsWith({
		Quantity: undefined,
		'Unit Price': undefined,
		Rent: [500, 600, 700],
		Charges: ['', 50, ''],
	});
	const confirmed = readingOf(rows, (text) =>
		text
			.replace(/Line Total = [^;]+|Unit Price = [^;]+/, 'Line Total = Rent, Charges')
			.replace(/; not billed: [^;]+|; seen: \w+/g, ''),
	);
	expect(readRows(rows, customers, { confirmed }).refusal).toContain(
		'Charges is not billed in row 3, where Rent is filled',
	);
});

test('headers that stand there on each page are those of the first page', () => {
	const headers = { a: 'Customer', b: 'Item', c: 'Price' };
	const row = (name: string) => ({ a: name, b: 'Hosting', c: '20.00' });
	const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
	const before = [
		{ a: 'My list', b: '', c: '' },
		{ a: 'May', b: '', c: '' },
		headers,
		row('Kaya Trading'),
	];
	const { text: confirmed } = readRows(before, customers, settings);
	const { invoices, refusal } = readRows(
		[headers, row('Hájek Logistics'), headers, row('Kaya Trading')],
		customers,
		{ ...settings, confirmed },
	);
	expect(invoices.map(({ total }) => total)).toContain('20.00');
	expect(invoices.some(({ customer }) => customer === 'pay@hajek.example')).toBe(true);
	expect(invoices.some(({ problems }) => problems.length > 0) || refusal !== undefined).toBe(true);
});

test('a last row that is the sum of the others, and says little else, is left out', () => {
	const last = { 'Customer Email': 'All together', 'Line Total': '155.50' };
	const lines = rowsWith({
		'Invoice Number': undefined,
		'Line Total': ['80.00', '15.50', '60.00'],
	});
	const { reading, text, invoices } = readRows([...lines, last], customers);
	expect(reading.leftOut.map(({ name }) => name)).toEqual(['All together']);
	expect(text).toContain('rows left out: totals');
	expect(invoices.map(({ total }) => total)).toEqual(['95.50', '60.00']);
	const customer = { ...lines[2], 'Customer Email': 'jane@doe.example', 'Line Total': '155.50' };
	const whole = { ...customer, Quantity: 1, 'Unit Price': '155.50' };
	expect(readRows([...lines, whole], customers).reading.leftOut).toEqual([]);
});

test('titles, headings and footnotes stand in the reading, with digits and months masked', () => {
	const sheet = (title: string, footnote?: string) => [
		{ a: title, b: '', c: '', d: '', e: '' },
		{ a: 'Customer', b: 'Item', c: 'Price', d: 'Currency', e: 'Due Date' },
		{ a: 'Kaya Trading', b: 'Hosting', c: '20.00', d: 'EUR', e: '2027-03-01' },
		...(footnote === undefined ? [] : [{ a: footnote }]),
	];
	const first = readRows(sheet('Prices of January 2027, net'), customers);
	expect(first.text).toContain('headers in row 3; ');
	expect(first.text).toContain('texts: "prices of month 9, net"');
	expect(first.invoices).toMatchObject([{ customer: 'pay@kaya.example', total: '20.00' }]);
	const next = (...texts: [string, string?]) =>
		readRows(sheet(...texts), customers, { confirmed: first.text }).refusal;
	expect(next('Prices of March 2028, net')).toBeUndefined();
	expect(next('Prices of March 2028, gross')).toContain(
		'new text above the headers: "Prices of March 2028, gross"',
	);
	expect(next('Prices of March 2028, net', 'All in thousands')).toContain(
		'new text in row 5: "All in thousands"',
	);
});

/** A statement of a reading, and what it changes. */
const statements: Array<
	[
		statement: string,
		rows: Row[],
		before: string[],
		change: (text: string) => string,
		after: string[],
	]
> = [
	[
		'Unit Price = Fee',
		rowsWith({
			'Unit Price': undefined,
			Fee: ['40.00', '15.50', '20.00'],
			Rate: ['41.00', '16.50', '21.00'],
		}),
		['98.50', '63.00'],
		(text) =>
			text
				.replace('Unit Price = Rate', 'Unit Price = Fee')
				.replace('not billed: Fee', 'not billed: Rate'),
		['95.50', '60.00'],
	],
	[
		'not billed: Hours',
		rowsWith({ Quantity: undefined, Hours: [2, 1, 3] }),
		['95.50', '60.00'],
		(text) => text.replace('; Quantity = Hours', '').replace(/$/, '; not billed: Hours'),
		['55.50', '20.00'],
	],
	[
		'Line Total = Unit Price',
		rowsWith(),
		['95.50', '60.00'],
		(text) => text.replace('Unit Price = Unit Price; ', 'Line Total = Unit Price; '),
		['55.50', '20.00'],
	],
	[
		'Unit Price = … (1.234,50)',
		rowsWith({ 'Unit Price': ['40', '15', '1.250'] }),
		['95.00', '3750.00'],
		(text) => text.replace('(1.234,50)', '(1,234.50)'),
		['95.00', '3.75'],
	],
	[
		'Unit Price = … (per 1000)',
		rowsWith({ 'Unit Price': ['4000', '1500', '2000'] }),
		['9500.00', '6000.00'],
		(text) => text.replace('Unit Price = Unit Price', 'Unit Price = Unit Price (per 1000)'),
		['9.50', '6.00'],
	],
	[
		'Unit Price = … (cents)',
		rowsWith({ 'Unit Price': ['4000', '1550', '2000'] }),
		['9550.00', '6000.00'],
		(text) => text.replace('Unit Price = Unit Price', 'Unit Price = Unit Price (cents)'),
		['95.50', '60.00'],
	],
	[
		'Quantity = … (minutes)',
		rowsWith({ Quantity: [90, 30, 60] }),
		['4065.00', '1200.00'],
		(text) => text.replace('Quantity = Quantity', 'Quantity = Quantity (minutes)'),
		['67.75', '20.00'],
	],
	[
		'Quantity = … (parts of a day)',
		rowsWith({ Quantity: [0.125, 0.25, 0.125] }),
		['213.00', '60.00'],
		(text) => text.replace(' (parts of a day)', ' (hours)'),
		['8.88', '2.50'],
	],
	[
		'one invoice per row',
		rowsWith(),
		['95.50', '60.00'],
		(text) => text.replace('per Invoice Number', 'per row'),
		['80.00', '15.50', '60.00'],
	],
	[
		'one invoice per customer',
		rowsWith({ 'Customer Email': Array(3).fill('pay@kaya.example') as string[] }),
		['95.50', '60.00'],
		(text) =>
			text
				.replace('; Invoice Number = Invoice Number', '')
				.replace('per Invoice Number', 'per customer; not billed: Invoice Number'),
		['155.50'],
	],
	[
		'one invoice per Project',
		rowsWith({ Project: ['X', 'Y', 'Z'] }),
		['95.50', '60.00'],
		(text) =>
			text
				.replace('; Invoice Number = Invoice Number', '')
				.replace(
					'per Invoice Number; not billed: Project',
					'per Project; not billed: Invoice Number',
				),
		['80.00', '15.50', '60.00'],
	],
	[
		'one invoice for all rows',
		rowsWith({
			'Customer Email': Array(3).fill('pay@kaya.example') as string[],
			'Invoice Number': ['A', 'A', 'A'],
		}),
		['155.50'],
		(text) => text.replace('per Invoice Number', 'for all rows'),
		['155.50'],
	],
	[
		'State: leave out …',
		rowsWith({ State: ['open', 'open', 'void'] }),
		['95.50'],
		(text) => text.replace('State: bill open; leave out void', 'State: bill open, void'),
		['95.50', '60.00'],
	],
	[
		'rows left out: none',
		rowsWith({
			'Invoice Number': undefined,
			'Customer Email': undefined,
			Customer: ['Hájek Logistics', 'Kaya Trading', ''],
			'Item Name': ['Design', 'Travel', 'Total'],
			Quantity: [1, 1, 1],
			'Unit Price': ['40.00', '15.50', '55.50'],
		}),
		['40.00', '15.50'],
		(text) => text.replace('rows left out: totals', 'rows left out: none'),
		['40.00', '71.00'],
	],
	[
		'cells filled from above',
		rowsWith({
			'Customer Email': ['pay@hajek.example', '', 'pay@kaya.example'],
			'Invoice Number': undefined,
		}),
		['95.50', '60.00'],
		(text) => text.replace('; cells filled from above', ''),
		['95.50', '60.00'],
	],
	[
		'headers in row 3',
		[
			{ x: 'My list', y: '', z: '' },
			{ x: 'Customer', y: 'Item', z: 'Price' },
			{ x: 'Kaya Trading', y: 'Hosting', z: '20.00' },
		],
		['20.00'],
		(text) => text,
		['20.00'],
	],
];

test.each(statements)(
	'%s is what the sheet is billed by',
	(_statement, rows, before, change, after) => {
		const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
		expect(totalsOf(rows, settings)).toEqual(before);
		const confirmed = readingOf(rows, change, settings);
		expect(totalsOf(rows, { ...settings, confirmed })).toEqual(after);
	},
);

test('Jane Doe is found as Doe, Jane and as two columns', () => {
	const rows = rowsWith({
		'Customer Email': undefined,
		Customer: Array(3).fill('Doe, Jane') as string[],
	});
	expect(readRows(rows, customers).invoices).toMatchObject([
		{ customer: 'jane@doe.example' },
		{ customer: 'jane@doe.example' },
	]);
	const split = rowsWith({
		'Customer Email': undefined,
		Vorname: ['Jane', 'Jane', 'Jane'],
		Nachname: ['Doe', 'Doe', 'Doe'],
	});
	const { text, invoices } = readRows(split, customers);
	expect(text).toContain('Customer = Vorname + Nachname');
	expect(invoices[1]).toMatchObject({ customer: 'jane@doe.example', total: '60.00' });
	expect(readRows(split, customers, { confirmed: text }).refusal).toBeUndefined();
});

test('a tax beside its net amount is no item', () => {
	const taxed = rowsWith({
		Quantity: undefined,
		'Unit Price': undefined,
		Net: [500, 600, 700],
		VAT: [50, 60, 80],
		Gross: [550, 660, 780],
	});
	expect(totalsOf(taxed)).toEqual(['1100.00', '700.00']);
});

test('what is missing altogether stops only its rows, and says what to set', () => {
	const { invoices } = readRows(
		rowsWith({ Currency: undefined, 'Due Date': undefined }),
		customers,
	);
	expect(invoices[0].problems).toEqual([
		"Row 2: Currency is empty. Fill in the cell, or set 'Default Currency' under 'Defaults for Empty Cells'",
		"Row 2: Due Date is empty. Fill in the cell, or set 'Due in Days' under 'Defaults for Empty Cells'",
	]);
});

test.each<[what: string, change: Record<string, unknown[] | undefined>, says: string]>([
	['a new column', { Zip: [1, 2, 3] }, 'new column: Zip (1 in row 2)'],
	[
		'a missing column',
		{ 'Item Name': undefined },
		'missing column: Item Name, which fills Item Name',
	],
	[
		'a column without cells',
		{ Quantity: ['', '', ''] },
		'empty column: Quantity, which fills Quantity',
	],
	[
		'a new value',
		{ State: ['open', 'open', 'hold'] },
		'new value: State: hold in row 4. The new reading bills it',
	],
	[
		'an amount without its decimal point',
		{ 'Unit Price': ['4000', '15.50', '20.00'] },
		'Unit Price: 4000 in row 2; seen so far: 15.5 to 40',
	],
	[
		'a first deposit',
		{ Deposit: ['', '20.00', '0'] },
		'Deposit: "20.00" in row 3; seen so far: empty cells',
	],
	[
		'a quantity with a unit',
		{ Quantity: [2, '1 dz', 3] },
		'Quantity: "1 dz" in row 3; seen so far: 1 to 2',
	],
	[
		'an emptied currency',
		{ Currency: ['EUR', '', 'EUR'] },
		'Currency: empty in row 3; seen so far: texts',
	],
	[
		'another year',
		{ 'Due Date': ['2029-03-01', '2029-03-01', '2027-03-01'] },
		'Due Date: 2029-03-01, 828 days away, in rows 2 and 3; seen so far: 0 days apart, within 97 days',
	],
	[
		'days and months in another order',
		{ State: ['open', 'open', 'open'], 'Due Date': ['2027-03-01', '2027-03-01', '2027-05-03'] },
		'Due Date: dates that are 63 days apart in rows 2, 3 and 4; seen so far: 0 days apart, within 97 days',
	],
	[
		'an item twice',
		{ 'Item Name': ['Design', 'Design', 'Hosting'] },
		'items repeat: row 3 bills what a row above bills to the same customer',
	],
])('%s stops a sheet that was confirmed, until it is confirmed as well', (_what, change, says) => {
	const columns = { State: ['open', 'open', 'void'], Deposit: ['', '', '0'] };
	const before = rowsWith(columns);
	const confirmed = readingOf(before);
	expect(readRows(before, customers, { confirmed }).refusal).toBeUndefined();
	const after = rowsWith({ ...columns, ...change });
	const { refusal, text } = readRows(after, customers, { confirmed });
	expect(refusal).toBe(`The sheet differs from the reading: ${says}`);
	expect(readRows(after, customers, { confirmed: text }).refusal).toBeUndefined();
});

test('prices in another unit stop, though line totals prove them, but not a single one', () => {
	const sheet = (...prices: number[]) =>
		rowsWith({
			'Unit Price': prices,
			'Line Total': prices.map((price, at) => price * [2, 1, 3][at]),
		});
	const confirmed = readingOf(sheet(40, 40, 40));
	expect(readRows(sheet(320, 320, 320), customers, { confirmed }).refusal).toContain(
		'Unit Price: 320 in rows 2, 3 and 4; seen so far: 40 (and',
	);
	expect(readRows(sheet(40, 40, 320), customers, { confirmed }).refusal).toBeUndefined();
	const more = readRows(sheet(40, 40, 500), customers, { confirmed }).refusal;
	expect(more).toContain('Unit Price: 500 in row 4');
});

test('a currency beside the amounts is confirmed like a value', () => {
	const pricesWith = (sign: string) =>
		rowsWith({ Currency: undefined, 'Unit Price': [`${sign} 40`, `${sign} 15`, `${sign} 20`] });
	const settings = { defaults: { dueInDays: 14 } };
	const confirmed = readRows(pricesWith('€'), customers, settings).text;
	expect(confirmed).toContain('; amounts in: EUR; ');
	const { refusal, text } = readRows(pricesWith('£'), customers, { ...settings, confirmed });
	expect(refusal).toBe(
		'The sheet differs from the reading: new value: amounts in: GBP in rows 2, 3 and 4',
	);
	const again = readRows(pricesWith('£'), customers, { ...settings, confirmed: text });
	expect(again.refusal).toBeUndefined();
	// A price without its sign is in the only currency that was confirmed.
	const bare = readRows(pricesWith(''), customers, { ...settings, confirmed });
	expect([bare.refusal, bare.invoices[0].currency]).toEqual([undefined, 'EUR']);
});

test('the order of days and months that was confirmed holds for dates that could be both', () => {
	const rows = rowsWith({ 'Due Date': ['13/02/2027', '13/02/2027', '13/02/2027'] });
	const confirmed = readingOf(rows);
	expect(confirmed).toContain('Due Date = Due Date (day/month/year; date; ');
	const next = rowsWith({ 'Due Date': ['02/03/2027', '02/03/2027', '02/13/2027'] });
	const { invoices } = readRows(next, customers, { confirmed });
	expect(invoices[0].due).toBe('2027-03-02');
	expect(invoices[1].problems).toEqual([expect.stringContaining('must be a day of the calendar')]);
});

test('a line total that is not price times quantity stops its row', () => {
	const rows = rowsWith({ 'Line Total': ['80.00', '15.50', '60.00'] });
	const confirmed = readingOf(rows);
	const next = rowsWith({ 'Line Total': ['80.00', '15.50', '66.00'] });
	expect(readRows(next, customers, { confirmed }).invoices[1].problems).toEqual([
		expect.stringContaining('Line Total is 66'),
	]);
});

test('a row without a number stops the invoice beside it', () => {
	const rows = rowsWith({
		'Invoice Number': ['A', '', 'B'],
		'Customer Email': ['pay@hajek.example', 'pay@kaya.example', 'pay@hajek.example'],
	});
	const [first, lone, last] = readRows(rows, customers).invoices.map(({ problems }) => problems);
	expect(lone).toEqual([expect.stringContaining('Invoice Number is empty')]);
	for (const problems of [first, last])
		expect(problems).toEqual([
			'Row 3 has no invoice number and may be a part of this invoice. Fill it in first',
		]);
});

test('what was seen does not settle what is new to look at, though the invoices are the same', () => {
	const before = rowsWith({ Note: ['', '', 'PAID'], Memo: ['', '', 'later'] });
	const confirmed = readingOf(before);
	expect(readRows(before, customers, { confirmed }).refusal).toBeUndefined();
	const after = rowsWith({ Note: ['', '', 'PAID'], Memo: ['PAID', '', 'later'] });
	expect(readRows(after, customers, { confirmed }).refusal).toContain('row 2 says Memo: PAID');
});

test('a renamed column is offered as what it is', () => {
	const confirmed = readingOf(rowsWith({ Quantity: undefined, Qty: [2, 1, 3] }));
	const { refusal, text, invoices } = readRows(rowsWith(), customers, { confirmed });
	expect(refusal).toContain('new column: Quantity');
	expect(text).toContain('Quantity = Quantity');
	expect(invoices.map(({ total }) => total)).toEqual(['95.50', '60.00']);
	expect(readRows(rowsWith(), customers, { confirmed: text }).refusal).toBeUndefined();
});

test('headers are found again if the title above them has gone', () => {
	const cells = { a: 'Customer', b: 'Item', c: 'Price' };
	const body = [{ a: 'Kaya Trading', b: 'Hosting', c: '20.00' }];
	const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
	const confirmed = readRows(
		[{ a: 'My list', b: '', c: '' }, cells, ...body],
		customers,
		settings,
	).text;
	const { invoices } = readRows([cells, ...body], customers, { ...settings, confirmed });
	expect(invoices).toMatchObject([{ customer: 'pay@kaya.example', total: '20.00' }]);
});

test('headers are found again though most have other names and the title above them has gone', () => {
	const body = [{ a: 'Kaya Trading', b: 'Hosting', c: '20.00' }];
	const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
	const before = { a: 'Client', b: 'Work', c: 'Price' };
	const titled = [{ a: 'My list', b: '', c: '' }, before, ...body];
	const confirmed = readRows(titled, customers, settings).text;
	const after = [{ a: 'Customer', b: 'Item', c: 'Price' }, ...body];
	const { text, invoices } = readRows(after, customers, { ...settings, confirmed });
	expect(text).toContain('Item Name = Item');
	expect(invoices).toHaveLength(1);
});

test.each(['12 50', '10,20,30'])(
	'two numbers in a cell of a column of whole numbers are no price: %s',
	(cell) => {
		const { invoices } = readRows(rowsWith({ 'Unit Price': ['40', '15', cell] }), customers);
		expect(invoices[1].problems.join()).toContain('must be');
	},
);

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
const blanks = ' '.repeat(50_000);
test.each<[what: string, cell: unknown, problem: string]>([
	['is nested deeply', nested(20_000), 'must be'],
	['has no text', { toString: 1, valueOf: 1 }, 'must be'],
	['has endless blanks', `1${blanks}!`, 'must be'],
	['hides its end behind blanks', `80.00${' '.repeat(60)}- 50% (half paid)`, 'must be an amount'],
	['is two numbers', '12 50', 'must be an amount'],
])('a price that %s is a problem of its row, at once', (_what, cell, problem) => {
	const start = Date.now();
	const { invoices } = readRows(rowsWith({ 'Unit Price': ['40.00', '15.50', cell] }), customers);
	expect(invoices[1].problems.join()).toContain(problem);
	expect(Date.now() - start).toBeLessThan(2000);
});

test.each([
	'N.º sócio',
	'N.º socio',
	'N.º habitación',
	'Number of locker',
	'Member no.',
	'N. camera',
])('numbers of people or rooms under %s are no quantities', (header) => {
	const rows = [
		{ [header]: 17, Member: 'Hájek Logistics', Fee: '108.00' },
		{ [header]: 18, Member: 'Kaya Trading', Fee: '170.00' },
		{ [header]: 20, Member: 'Jane Doe', Fee: '60.00' },
	];
	const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
	expect(totalsOf(rows, settings)).toEqual(['108.00', '170.00', '60.00']);
});

test('a column of texts with another name is a guess as the name of the items, because the customer reads it', () => {
	const rows = rowsWith({ 'Item Name': undefined, Internal: ['slow payer', 'call first', 'nice'] });
	expect(guessesIn(rows)).toEqual(['Item Name = Internal']);
	const { text } = readRows(rows, customers);
	expect(readRows(rows, customers, { confirmed: text }).refusal).toBeUndefined();
});

test('an invoice of 0.00 and letters that were lost are looked at, and one below 0 is none', () => {
	const free = rowsWith({ 'Unit Price': ['40.00', '15.50', '0'] });
	expect(lookedAt(free)).toEqual(['amounts: row 4 would be an invoice of 0.00']);
	expect(lookedAt(rowsWith({ 'Item Name': ['Design', 'Pr\uFFFDfung', 'Hosting'] }))).toEqual([
		`words: letters were lost in "Pr\uFFFDfung": set 'Encoding' in the node that reads the file`,
	]);
	const credit = readRows(rowsWith({ 'Unit Price': ['40.00', '15.50', '-20.00'] }), customers);
	expect(credit.invoices[1].problems).toEqual([
		'Row 4: the items come to -60.00, and the service has no invoices below 0. Correct the amounts, or leave the row out',
	]);
});

const known: KnownCustomer[] = [
	{ name: 'Anna Berg', email: 'anna@berg.example' },
	{ name: 'Anna Berg Jr', email: 'junior@berg.example' },
	{ name: 'Kaya Trading', email: 'pay@kaya.example' },
];
const inEuros = { defaults: { currency: 'EUR', dueInDays: 14 } };
const billedIn = (rows: Row[], settings: object = inEuros) =>
	readRows(rows, known, settings).invoices.map(({ customer, total }) => [customer, total]);

test.each<[what: string, rows: Row[], settings: object]>([
	[
		'a column with a blank header beside the names',
		[
			{ Customer: 'Anna Berg', Item: 'Lesson', Price: 50, '': 'Jr' },
			{ Customer: 'Anna Berg', Item: 'Book', Price: 20, '': '' },
		],
		inEuros,
	],
	[
		'prices of which some have no currency',
		[
			{ Customer: 'Anna Berg', Item: 'Lesson', Price: '50.00 EUR' },
			{ Customer: 'Kaya Trading', Item: 'Book', Price: '20.00' },
		],
		{ defaults: { dueInDays: 14 } },
	],
	[
		'customers in rows of their own',
		['Anna Berg', 'Kaya Trading'].flatMap((name) => [
			{ Customer: name, Item: '', Price: '' },
			{ Customer: '', Item: 'Lesson', Price: '50.00' },
			{ Customer: '', Item: 'Book', Price: '20.00' },
		]),
		inEuros,
	],
])('%s: what the preview shows is billed once it is confirmed', (_what, rows, settings) => {
	const { text, invoices } = readRows(rows, known, settings);
	const again = readRows(rows, known, { ...settings, confirmed: text });
	expect([again.refusal, again.text]).toEqual([undefined, text]);
	expect(invoices.every(({ problems }) => problems.length === 0)).toBe(true);
	expect(again.invoices).toEqual(invoices);
});

test('two emails of two customers in a row are a problem', () => {
	const row = { Item: 'Lesson', Price: '50.00' };
	const rows = [
		{ Customer: 'Anna Berg', Email: 'anna@berg.example', ...row },
		{ Customer: 'Desk <junior@berg.example>', Email: 'pay@kaya.example', ...row },
	];
	expect(readRows(rows, known, inEuros).invoices[1].problems.join()).toContain('two customers');
});

test('customers in rows of their own may be others in the next file', () => {
	const sheet = (name: string, price: string) => [
		{ Customer: name, Item: '', Price: '' },
		{ Customer: '', Item: 'Lesson', Price: price },
		{ Customer: '', Item: 'Book', Price: '20.00' },
	];
	const rows = [...sheet('Anna Berg', '50.00'), ...sheet('Kaya Trading', '50.00')];
	const confirmed = readRows(rows, known, inEuros).text;
	const next = [...sheet('Anna Berg Jr', '40.00'), ...sheet('Kaya Trading', '45.00')];
	expect(readRows(next, known, { ...inEuros, confirmed }).refusal).toBeUndefined();
	expect(billedIn(next, { ...inEuros, confirmed })).toEqual([
		['junior@berg.example', '60.00'],
		['pay@kaya.example', '65.00'],
	]);
});

test('a default currency that contradicts the confirmed one stops', () => {
	const rows = [{ Customer: 'Anna Berg', Item: 'Lesson', Price: '50.00' }];
	const confirmed = readRows(rows, known, inEuros).text;
	const inDollars = { defaults: { currency: 'USD', dueInDays: 14 } };
	expect(readRows(rows, known, { ...inDollars, confirmed }).refusal).toContain('amounts in: USD');
});

test.each<[what: string, cells: string[], next: string, stops: string]>([
	['another date', ['2026-10-01', '', '2026-10-03'], '2026-11-04', ''],
	['another word', ['void', 'open', 'open'], 'cancelled', 'leaves it out'],
])('%s that says that a row is settled leaves it out', (_what, cells, next, stops) => {
	const header = stops === '' ? 'Paid on' : 'Status';
	const before = rowsWith({ 'Invoice Number': ['A', 'B', 'C'], [header]: cells });
	const { text: confirmed } = readRows(before, customers);
	const after = rowsWith({
		'Invoice Number': ['A', 'B', 'C'],
		[header]: [next, ...cells.slice(1)],
	});
	const { refusal, text, invoices } = readRows(after, customers, { confirmed });
	if (stops === '') expect(refusal).toBeUndefined();
	else expect(refusal).toContain(stops);
	expect(invoices).toEqual(readRows(before, customers, { confirmed }).invoices);
	expect(readRows(after, customers, { confirmed: text }).invoices).toEqual(invoices);
});

test.each<[what: string, header: string, before: string, after: string]>([
	['a discount', 'Discount Percentage', '10%', '90%'],
	['terms', 'Terms', 'Net 30', 'Net 300'],
])('%s that is far larger stops', (_what, header, before, after) => {
	const sheet = (cell: string) => rowsWith({ 'Due Date': undefined, [header]: [cell, cell, cell] });
	const settings = { defaults: { dueInDays: 14 } };
	const confirmed = readRows(sheet(before), customers, settings).text;
	const { refusal } = readRows(sheet(after), customers, { ...settings, confirmed });
	expect(refusal).toContain(`${header}: ${after}`);
});

test('a word that is written behind a column of a typed reading settles that word only', () => {
	const rows = [
		{ C: 'Anna Berg', I: 'Lesson', F: '80.00', Note: 'Paid by card' },
		{ C: 'Kaya Trading', I: 'Lesson', F: '80.00', Note: 'call first' },
	];
	const typed =
		'Customer = C; Item Name = I; Unit Price = F; one invoice per row; not billed: Note';
	const refusalOf = (confirmed: string, sheet = rows) =>
		readRows(sheet, known, { ...inEuros, confirmed }).refusal;
	expect(refusalOf(typed)).toContain('Note: Paid by card');
	expect(refusalOf(`${typed} (says paid)`)).toBeUndefined();
	const more = [...rows, { ...rows[1], I: 'Book', Note: 'void' }];
	expect(refusalOf(`${typed} (says paid)`, more)).toContain('Note: void');
});

test.each([
	['As of 1st June 2026', 'As of 2nd July 2026', true],
	['Printed on Monday, 1 June', 'Printed on Tuesday, 2 July', true],
	['Discount 10% for all', 'Discount 50% for all', false],
])('a title %s and %s', (before, after, isSame) => {
	const sheet = (title: string) => [
		{ a: title, b: '', c: '' },
		{ a: 'Customer', b: 'Item', c: 'Price' },
		{ a: 'Kaya Trading', b: 'Hosting', c: '20.00' },
	];
	const { text: confirmed } = readRows(sheet(before), known, inEuros);
	const { refusal } = readRows(sheet(after), known, { ...inEuros, confirmed });
	expect(refusal === undefined).toBe(isSame);
});

test('what a preview of order IDs with letters gives is confirmed by it', () => {
	const rows = ['1001A', '1001A', '1002B'].map((id, at) => ({
		...{
			'Order ID': id,
			Customer: 'Kaya Trading',
			Item: ['Book', 'Pen', 'Ink'][at],
			Price: '20.00',
		},
	}));
	const { text } = readRows(rows, known, inEuros);
	expect(text).toContain('one invoice per Order ID');
	expect(readRows(rows, known, { ...inEuros, confirmed: text }).refusal).toBeUndefined();
});

test('an amount of 0 that was confirmed does not let all smaller ones pass', () => {
	const sheet = (price: string) => rowsWith({ 'Unit Price': ['40.00', '15.50', price] });
	const confirmed = readRows(sheet('0'), customers).text.replace(/; seen: \w+/, '');
	expect(confirmed).toContain('number; zero; 15.5 to 40');
	expect(readRows(sheet('0.20'), customers, { confirmed }).refusal).toContain('0.20 in row 4');
});
