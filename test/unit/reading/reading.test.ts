import { knownCustomers, rowsOf } from '../../fixtures/sheetTable/line';
import { withoutShapes } from '../../helpers/sheets/readLine';
import { previewedAs } from '../../../tools/previewed';
import { readRows } from '../../helpers/sheets/readRows';

type Row = Record<string, unknown>;

const inEuros = { currency: 'EUR', dueInDays: 14 };
/** Reads rows, or a sheet of the table that is given by its columns. */
const read = (sheet: string | Row[], confirmed?: string, defaults = {}) =>
	readRows(typeof sheet === 'string' ? rowsOf(sheet) : sheet, knownCustomers, {
		...{ confirmed, defaults },
	});
/** What a person has to look at, without guesses. */
const lookedAt = (columns: string) =>
	read(columns).findings.flatMap(({ kind, text }) =>
		kind === 'guess' ? [] : [`${kind}: ${text}`],
	);
/** Rows of a file without headers. Cells are separated by ` | `. */
const lettered = (...lines: string[]): Row[] =>
	lines.map((line) =>
		Object.fromEntries(line.split(' | ').map((cell, at) => ['abcde'[at], cell.trim()])),
	);

test('[R1] even a sheet with the names of the fields is only billed once it is confirmed', () => {
	const columns = [
		'Invoice No: - ; Email: - ; Item: - ; Qty: - ; Rate: - ; Invoice Number: A | A | B',
		'Customer Email: berg | berg | kaya ; Item Name: Design | Travel | Hosting',
		'Quantity: =2 | =1 | =3 ; Unit Price: 40.00 | 15.50 | 20.00',
	].join(' ; ');
	const { refusal, findings, text, invoices } = read(columns);
	const unconfirmed = 'Nobody has confirmed how this sheet is read';
	expect({ refusal, findings }).toEqual({ refusal: unconfirmed, findings: [] });
	expect(read(columns, text).refusal).toBeUndefined();
	expect(invoices.map(({ customer, total, due }) => [customer, total, due])).toEqual([
		['pay@berg.example', '95.50', '2027-03-01'],
		['kaya@demir.example', '60.00', '2027-03-01'],
	]);
});

/** What a person has to look at, and a similar sheet in which there is nothing. */
test.each<[what: string, raises: string, says: string, doesNot: string]>([
	[
		'a note that says paid',
		'Note: | | PAID 12.01.',
		'words: row 4 says Note: PAID 12.01.',
		'Note: | | not paid',
	],
	[
		'an item that is optional',
		'Extra: Design | Travel | Hosting (optional)',
		'words: row 4 says Extra: Hosting (optional)',
		'Extra: Design | Travel | Optics',
	],
	[
		'a last row that is the sum of the others',
		'Rate: 40.00 | 15.50 | 95.50 ; Qty: 2 | 1 | 1',
		'sums: row 4 (95.50) is the sum of the rows above it',
		'Rate: 40.00 | 15.50 | 95.60 ; Qty: 2 | 1 | 1',
	],
	[
		'a stated total that differs',
		'Total: 99.00 | 99.00 | 60.00',
		'sums: Total says 99.00 in row 2, the items come to 95.50',
		'Total: 95.50 | 95.50 | 60.00',
	],
	[
		'a total that leaves the discount out',
		'Discount Percentage: 10 | 10 | 10 ; Grand Total: 95.50 | 95.50 | 60.00',
		'sums: Grand Total says 95.5',
		'Discount Percentage: 10 | 10 | 10 ; Subtotal: 95.50 | 95.50 | 60.00',
	],
	[
		'a due date long past',
		'Due Date: 2027-03-01 | 2027-03-01 | 2024-03-01',
		'dates: row 4: due on 2024-03-01',
		'Due Date: 2027-03-01 | 2027-03-01 | 2026-11-20',
	],
	[
		'an invoice number that says void',
		'Invoice No: A | A | 1002 VOID',
		'words: row 4 says Invoice No: 1002 VOID',
		'Invoice No: INV 1 | INV 1 | INV 2',
	],
	[
		'a note that a row is to be waived',
		'Note: | | to be waived',
		'words: row 4 says Note: to be waived',
		'Note: | | to be paid',
	],
])('%s is found, until it is settled', (_what, raises, says, doesNot) => {
	expect(lookedAt(raises)).toContainEqual(expect.stringContaining(says));
	expect(lookedAt(doesNot).filter((text) => text.startsWith(says.split(':')[0]))).toEqual([]);
	const { text, findings } = read(raises);
	// What the preview gives settles it for exactly these rows, and says nothing about others.
	expect(read(raises, text).refusal).toBeUndefined();
	const [first, ...rest] = rowsOf(raises);
	const more = [{ ...first, Item: 'Seminar' }, ...rest];
	expect(read(more, text).refusal).toContain('Look at the sheet');
	// Naming the kind, or the word behind its column, settles it for good.
	const kinds = new Set(findings.flatMap(({ kind, word }) => (word === undefined ? kind : [])));
	const unchecked = [...kinds].filter((kind) => kind !== 'guess');
	let forGood = text.replace(/; seen: \w+/, '');
	if (unchecked.length) forGood += `; unchecked: ${unchecked.join(', ')}`;
	for (const { header = '', word } of findings)
		if (word !== undefined) forGood = forGood.replace(`${header} (`, `${header} (says ${word}; `);
	expect(read(more, forGood).refusal).toContain('its preview has not been chosen yet');
	expect(read(more, previewedAs(forGood)).refusal).toBeUndefined();
});

describe('what repeats', () => {
	const order = 'Item: a | b | c ; Email: kaya | kaya | berg ; Invoice No: -';
	const four = 'Item: a | b | c | d ; Email: kaya | kaya | berg | berg ; Invoice No: -';
	test.each<[string, string, string, string, string]>([
		['a row that was pasted twice', 'Invoice No: A | A | A ; Item: Design | Travel | Travel ; Qty: 2 | 1 | 1 ; Rate: 40 | 15.50 | 15.50', 'rows 3 and 4 are the same in every cell', 'rows repeat', ''],
		['a row that was corrected below itself', 'Invoice No: A | A | A ; Item: Design | Travel | Travel ; Qty: 2 | 1 | 1 ; Rate: 40 | 15.50 | 17', 'rows 3 and 4 are the same in every cell but the amount', 'rows repeat but for the amount', ''],
		['an order of two customers', 'Email: berg | berg | kaya ; Order: 9-1 | 9-2 | 9-2', 'rows 3 and 4 have the same Order and several customers: 9-2', 'Order (code 9-9; repeats across customers)', 'Email: berg | berg | kaya ; Order: 9-1 | 9-1 | 9-2'],
		['an order of two lines', `${order} ; Bestellnummer: X1 | X1 | X2`, '', 'Bestellnummer (code A9; repeats)', ''],
		['an order that a customer has twice', `${four} ; Order: X1 | X2 | X3 | X3`, 'rows 4 and 5 have the same Order: X3', 'Order (code A9; repeats)', `${order} ; Order: X1 | X2 | X3`],
	])('%s is shown, and stated: only another kind of repetition is news', (_what, columns, says, statement, without) => {
		const first = read(columns);
		const looks = lookedAt(columns).filter((text) => text.startsWith('repeats: '));
		expect(looks).toEqual(says ? [expect.stringContaining(says)] : []);
		expect(first.text).toContain(statement);
		const [row, ...rest] = rowsOf(columns);
		const next = [{ ...row, Item: 'Seminar' }, ...rest];
		expect(read(next, first.text).refusal).toBeUndefined();
		// In a sheet that was confirmed without it, it stops the run.
		if (says) expect(read(columns, read(without).text).refusal).toBeDefined();
	}); // prettier-ignore

	test('a column that groups the rows has to repeat', () => {
		const columns = `${order} ; Order: X1 | X1 | X2`;
		const edited = withoutShapes(read(columns)).replace(/one invoice per [^;]+/, 'one invoice per Order');
		const { text, findings } = read(columns, edited);
		expect(findings.filter(({ kind }) => kind === 'repeats')).toEqual([]);
		expect(text).not.toContain('repeats');
		expect(read(columns, text).refusal).toBeUndefined();
	}); // prettier-ignore
});

test.each([
	'Amount (cents)',
	'Betrag (Cent)',
	'Montant (centimes)',
	'Importe (céntimos)',
	'Valor em centavos',
	'Importo (centesimi)',
	'Bedrag (centen)',
])('an amount below %s is refused until the reading says what it is', (header) => {
	const columns = `Qty: - ; Rate: - ; ${header}: =4000 | =1550 | =2000`;
	const first = read(columns);
	expect(first.invoices[0].problems[0]).toContain('stands below a header that says cents');
	const says = (format: string) => {
		const said = withoutShapes(first).replace(header, (name) => `${name} (${format})`);
		return read(columns, said.replace(/"([^"]*\)) \((cents|per 1)\)"/, '"$1" ($2)'));
	};
	expect(says('cents').invoices.map(({ total }) => total)).toEqual(['55.50', '20.00']);
	expect(says('per 1').invoices.map(({ total }) => total)).toEqual(['5550.00', '2000.00']);
});

test('two columns of one field that are both filled are looked at', () => {
	const columns = 'Qty: - ; Rate: - ; Rent: =500 | =600 | =700 ; Charges: | =50 |';
	const confirmed = withoutShapes(read(columns))
		.replace(/Line Total = [^;]+|Unit Price = [^;]+/, 'Line Total = Rent, Charges')
		.replace(/; not billed: [^;]+/, '');
	expect(read(columns, confirmed).findings.map(({ text }) => text)).toContain(
		'Charges is not billed in row 3, where Rent is filled',
	);
});

test('headers that stand there on each page are those of the first page', () => {
	const headers = 'Customer | Item | Price';
	const [berg, demir] = ['Berg & Daughters | Hosting | 20.00', 'Demir Trading | Hosting | 20.00'];
	const { text } = read(lettered('My list', 'May', headers, demir), undefined, inEuros);
	const next = lettered(headers, berg, headers, demir);
	const { invoices, refusal } = read(next, text, inEuros);
	expect(invoices.map(({ total }) => total)).toContain('20.00');
	expect(invoices.some(({ customer }) => customer === 'pay@berg.example')).toBe(true);
	expect(invoices.some(({ problems }) => problems.length > 0) || refusal !== undefined).toBe(true);
});

test('a last row that is the sum of the others, and says little else, is left out', () => {
	const lines = rowsOf(
		'Invoice No: - ; Email: berg | berg | kaya ; Line Total: 80.00 | 15.50 | 60.00',
	);
	const last = { Email: 'All together', 'Line Total': '155.50' };
	const { reading, text, invoices } = read([...lines, last]);
	expect(reading.leftOut.map(({ name }) => name)).toEqual(['All together']);
	expect(text).toContain('rows left out: totals');
	expect(invoices.map(({ total }) => total)).toEqual(['95.50', '60.00']);
	const customer = { ...lines[2], Email: 'office@northlight.example', 'Line Total': '155.50' };
	const whole = { ...customer, Qty: 1, Rate: '155.50' };
	expect(read([...lines, whole]).reading.leftOut).toEqual([]);
});

test('titles, headings and footnotes stand in the reading, with digits and months masked', () => {
	const sheet = (title: string, ...footnotes: string[]) => [
		...lettered(title, 'Customer | Item | Price | Currency | Due Date'),
		...lettered('Demir Trading | Hosting | 20.00 | EUR | 2027-03-01', ...footnotes),
	];
	const first = read(sheet('Prices of January 2027, net'));
	expect(first.text).toContain('headers in row 3; ');
	expect(first.text).toContain('texts: "prices of month 9, net"');
	expect(first.invoices).toMatchObject([{ customer: 'kaya@demir.example', total: '20.00' }]);
	const next = (title: string, ...footnotes: string[]) =>
		read(sheet(title, ...footnotes), first.text).refusal;
	expect(next('Prices of March 2028, net')).toBeUndefined();
	expect(next('Prices of March 2028, gross')).toContain(
		'new text above the headers: "Prices of March 2028, gross"',
	);
	expect(next('Prices of March 2028, net', 'All in thousands')).toContain(
		'new text in row 5: "All in thousands"',
	);
});

test.each([
	['As of 1st June 2026', 'As of 2nd July 2026', true],
	['Printed on 1 June', 'Printed on 2 July', true],
	['Discount 10% for all', 'Discount 50% for all', false],
])('a title %s and %s', (before, after, isSame) => {
	const sheet = (title: string) =>
		lettered(title, 'Customer | Item | Price', 'Demir Trading | Hosting | 20.00');
	const { text } = read(sheet(before), undefined, inEuros);
	const { refusal } = read(sheet(after), text, inEuros);
	expect(refusal === undefined).toBe(isSame);
});

test('what is missing altogether stops only its rows, and says what to set', () => {
	const { invoices } = read('Currency: - ; Due Date: -');
	expect(invoices[0].problems).toEqual([
		"Row 2: Currency is empty. Fill in the cell, or set 'Default Currency' under 'Defaults for Empty Cells'",
		"Row 2: Due Date is empty. Fill in the cell, or set 'Due in Days' under 'Defaults for Empty Cells'",
	]);
});

test.each<[what: string, change: string, says: string]>([
	['a new column', 'Zip: =1 | =2 | =3', 'new column: Zip (1 in row 2)'],
	['a missing column', 'Item: -', 'missing column: Item, which fills Item Name'],
	['a column without cells', 'Qty: ="" | ="" | =""', 'empty column: Qty, which fills Quantity'],
	[
		'a new value',
		'State: open | open | hold',
		'new value: State: hold in row 4. The new reading bills it',
	],
	[
		'an amount without its decimal point',
		'Rate: 4000 | 15.50 | 20.00',
		'Rate: 4000 in row 2; seen so far: 15.5 to 40',
	],
	[
		'a first deposit',
		'Deposit: ="" | 20.00 | 0',
		'Deposit: "20.00" in row 3; seen so far: empty cells',
	],
	['a quantity with a unit', 'Qty: 2 | 1 dz | 3', 'Qty: "1 dz" in row 3; seen so far: 1 to 2'],
	[
		'an emptied currency',
		'Currency: ="" | ="" | EUR',
		'Currency: empty in rows 2 and 3; seen so far: texts',
	],
	[
		'another year',
		'Due Date: 2029-03-01 | 2029-03-01 | 2027-03-01',
		'Due Date: 2029-03-01, 828 days away, in rows 2 and 3; seen so far: 0 days apart, within 97 days',
	],
	[
		'days and months in another order',
		'State: open | open | open ; Due Date: 2027-03-01 | 2027-03-01 | 2027-05-03',
		'Due Date: dates that are 63 days apart in rows 2, 3 and 4; seen so far: 0 days apart, within 97 days',
	],
	[
		'an item twice',
		'Item: Design | Design | Hosting',
		'items repeat: row 3 bills what a row above bills to the same customer',
	],
])('%s stops a sheet that was confirmed, until it is confirmed as well', (_what, change, says) => {
	const before = 'State: open | open | void ; Deposit: ="" | ="" | 0';
	const confirmed = read(before).text;
	expect(read(before, confirmed).refusal).toBeUndefined();
	const after = `${before} ; ${change}`;
	const { refusal, text } = read(after, confirmed, { currency: 'EUR' });
	expect(refusal).toBe(`The sheet differs from the reading: ${says}`);
	expect(read(after, text, { currency: 'EUR' }).refusal).toBeUndefined();
});

test('prices far from those that were seen stop, though line totals agree', () => {
	const sheet = (...[a, b, c]: number[]) =>
		`Rate: =${a} | =${b} | =${c} ; Line Total: =${a * 2} | =${b} | =${c * 3}`;
	const { text } = read(sheet(40, 40, 40));
	expect(read(sheet(320, 320, 320), text).refusal).toContain(
		'Rate: 320 in rows 2, 3 and 4; seen so far: 40 (and',
	);
	expect(read(sheet(40, 40, 150), text).refusal).toBeUndefined();
	expect(read(sheet(40, 40, 320), text).refusal).toContain('Rate: 320 in row 4');
});

test('a currency beside the amounts is confirmed like a value', () => {
	const pricesWith = (sign: string) => `Currency: - ; Rate: ${sign} 40 | ${sign} 15 | ${sign} 20`;
	const confirmed = read(pricesWith('€')).text;
	expect(confirmed).toContain('; amounts in: EUR; ');
	const { refusal, text } = read(pricesWith('£'), confirmed);
	expect(refusal).toBe(
		'The sheet differs from the reading: new value: amounts in: GBP in rows 2, 3 and 4',
	);
	expect(read(pricesWith('£'), text).refusal).toBeUndefined();
	// A price without its sign is in the only currency that was confirmed.
	const bare = read(pricesWith(''), confirmed);
	expect([bare.refusal, bare.invoices[0].currency]).toEqual([undefined, 'EUR']);
});

test('the order of days and months that was confirmed holds for dates that could be both', () => {
	const { text } = read('Due Date: 13/02/2027 | 13/02/2027 | 13/02/2027');
	expect(text).toContain('Due Date = Due Date (day/month/year; date; ');
	const { invoices } = read('Due Date: 02/03/2027 | 02/03/2027 | 02/13/2027', text);
	expect(invoices[0].due).toBe('2027-03-02');
	expect(invoices[1].problems).toEqual([expect.stringContaining('must be a day of the calendar')]);
});

test('a line total that is not price times quantity stops its row', () => {
	const { text } = read('Line Total: 80.00 | 15.50 | 60.00');
	expect(read('Line Total: 80.00 | 15.50 | 66.00', text).invoices[1].problems).toEqual([
		expect.stringContaining('Line Total is 66'),
	]);
});

test('a row without a number stops the invoice beside it', () => {
	const { invoices } = read('Invoice No: A | ="" | B ; Email: berg | kaya | berg');
	const [first, lone, last] = invoices.map(({ problems }) => problems);
	expect(lone).toEqual([expect.stringContaining('Invoice Number is empty')]);
	for (const problems of [first, last])
		expect(problems).toEqual([
			'Row 3 has no invoice number and may be a part of this invoice. Fill it in first',
		]);
});

test('what was seen does not settle what is new to look at, though the invoices are the same', () => {
	const before = 'Note: ="" | ="" | PAID ; Memo: ="" | ="" | later';
	const { text } = read(before);
	expect(read(before, text).refusal).toBeUndefined();
	const after = 'Note: ="" | ="" | PAID ; Memo: PAID | ="" | later';
	expect(read(after, text).refusal).toContain('row 2 says Memo: PAID');
});

test('a renamed column is offered as what it is', () => {
	const after = 'Qty: - ; Quantity: =2 | =1 | =3';
	const { refusal, text, invoices } = read(after, read('').text);
	expect(refusal).toContain('new column: Quantity');
	expect(text).toContain('Quantity = Quantity');
	expect(invoices.map(({ total }) => total)).toEqual(['95.50', '60.00']);
	expect(read(after, text).refusal).toBeUndefined();
});

test('headers are found again if the title above them has gone', () => {
	const lines = ['Customer | Item | Price', 'Demir Trading | Hosting | 20.00'];
	const { text } = read(lettered('My list', ...lines), undefined, inEuros);
	const { invoices } = read(lettered(...lines), text, inEuros);
	expect(invoices).toMatchObject([{ customer: 'kaya@demir.example', total: '20.00' }]);
});

test('headers are found again though most have other names and the title above them has gone', () => {
	const line = 'Demir Trading | Hosting | 20.00';
	const before = lettered('My list', 'Client | Work | Price', line);
	const confirmed = read(before, undefined, inEuros).text;
	const after = lettered('Customer | Item | Price', line);
	const { text, invoices } = read(after, confirmed, inEuros);
	expect(text).toContain('Item Name = Item');
	expect(invoices).toHaveLength(1);
});

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
test.each<[what: string, cell: unknown, problem: string]>([
	['is nested deeply', nested(20_000), 'must be'],
	['has no text', { toString: 1, valueOf: 1 }, 'must be'],
	['has endless blanks', `1${' '.repeat(50_000)}!`, 'must be'],
	['hides its end behind blanks', `80.00${' '.repeat(60)}- 50% (half paid)`, 'must be an amount'],
])('a price that %s is a problem of its row, at once', (_what, cell, problem) => {
	const start = Date.now();
	const [first, second, third] = rowsOf('');
	const { invoices } = read([first, second, { ...third, Rate: cell }]);
	expect(invoices[1].problems.join()).toContain(problem);
	expect(Date.now() - start).toBeLessThan(2000);
});

test('an invoice of 0.00 and letters that were lost are looked at, and one below 0 is none', () => {
	expect(lookedAt('Rate: 40.00 | 15.50 | 0')).toEqual([
		'amounts: row 4 would be an invoice of 0.00',
	]);
	expect(lookedAt('Item: Design | Pr\uFFFDfung | Hosting')).toEqual([
		`words: letters were lost in "Pr\uFFFDfung": set 'Encoding' in the node that reads the file`,
	]);
	expect(read('Rate: 40.00 | 15.50 | -20.00').invoices[1].problems).toEqual([
		'Row 4: the items come to -60.00, and the service has no invoices below 0. Correct the amounts, or leave the row out',
	]);
});

test('customers in rows of their own may be others in the next file', () => {
	const sheet = (...parts: Array<[name: string, price: string]>) =>
		parts.flatMap(([name, price]) => [
			{ Customer: name, Item: '', Price: '' },
			{ Customer: '', Item: 'Lesson', Price: price },
			{ Customer: '', Item: 'Book', Price: '20.00' },
		]);
	const before = sheet(['Demir Trading', '50.00'], ['Berg & Daughters', '50.00']);
	const { text } = read(before, undefined, inEuros);
	const after = sheet(['Northlight Studio', '40.00'], ['Berg & Daughters', '45.00']);
	const { refusal, invoices } = read(after, text, inEuros);
	expect(refusal).toBeUndefined();
	expect(invoices.map(({ customer, total }) => [customer, total])).toEqual([
		['office@northlight.example', '60.00'],
		['pay@berg.example', '65.00'],
	]);
});

test('a default currency that contradicts the confirmed one stops', () => {
	const { text } = read('Currency: -', undefined, { currency: 'EUR' });
	const { refusal } = read('Currency: -', text, { currency: 'USD' });
	expect(refusal).toContain('amounts in: USD');
});

test.each<[what: string, header: string, cells: string, next: string, stops: string | undefined]>([
	['another date', 'Paid on', '="" | 2026-10-03', '2026-11-04', undefined],
	['another word', 'Status', 'open | open', 'cancelled', 'leaves it out'],
])('%s that says that a row is settled leaves it out', (_what, header, cells, next, stops) => {
	const sheet = (first: string) => `Invoice No: A | B | C ; ${header}: ${first} | ${cells}`;
	const before = sheet(stops === undefined ? '2026-10-01' : 'void');
	const confirmed = read(before).text;
	const { refusal, text, invoices } = read(sheet(next), confirmed);
	if (stops === undefined) expect(refusal).toBeUndefined();
	else expect(refusal).toContain(stops);
	expect(invoices).toEqual(read(before, confirmed).invoices);
	expect(read(sheet(next), text).invoices).toEqual(invoices);
});

test.each([
	['a discount', 'Discount Percentage', '10%', '90%'],
	['terms', 'Terms', 'Net 30', 'Net 300'],
])('%s that is far larger stops', (_what, header, before, after) => {
	const sheet = (cell: string) => `Due Date: - ; ${header}: ${cell} | ${cell} | ${cell}`;
	const { text } = read(sheet(before), undefined, { dueInDays: 14 });
	const { refusal } = read(sheet(after), text, { dueInDays: 14 });
	expect(refusal).toContain(`${header}: ${after}`);
});

test('a word that is written behind a column of a typed reading settles that word only', () => {
	const sheet = (...notes: string[]) =>
		notes.map((Note, at) => ({
			...{ C: knownCustomers[Math.min(at, 1)].name, I: at < 2 ? 'Lesson' : 'Book' },
			...{ F: '80.00', Note },
		}));
	const typed =
		'Customer = C; Item Name = I; Unit Price = F; one invoice per row; not billed: Note';
	const refusalOf = (confirmed: string, ...more: string[]) =>
		read(sheet('Paid by card', 'call first', ...more), confirmed, inEuros).refusal;
	const shown = read(sheet('Paid by card', 'call first'), typed, inEuros).text;
	const confirmed = previewedAs(shown.replace(/; seen: \w+/, ''));
	const says = previewedAs(confirmed.replace('Note (text', 'Note (text; says paid'));
	expect(refusalOf(confirmed)).toContain('Note: Paid by card');
	expect(refusalOf(says)).toBeUndefined();
	expect(refusalOf(says, 'void')).toContain('Note: void');
});

test('an amount of 0 that was confirmed does not let all smaller ones pass', () => {
	const { text } = read('Rate: 40.00 | 15.50 | 0');
	const confirmed = previewedAs(text.replace(/; seen: \w+/, ''));
	expect(confirmed).toContain('number; zero; 15.5 to 40');
	expect(read('Rate: 40.00 | 15.50 | 0.20', confirmed).refusal).toContain('0.20 in row 4');
});
