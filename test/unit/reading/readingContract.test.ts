import fc from 'fast-check';
import '../../setup/fixedSeed';
import { readRows } from '../../helpers/sheets/readRows';
import { isNight } from '../../helpers/someOf';

type Row = Record<string, unknown>;

const customers = Array.from({ length: 6 }, (_, at) => ({
	name: `Example ${String.fromCharCode(65 + at)} Ltd`,
	email: `pay${at}@customer.example`,
}));

/** What a row bills: the columns of the sheet have other names. */
interface Line {
	customer: number;
	what: string;
	/** Cents. */
	price: number;
	count: number;
	due: string;
	status: 'open' | 'sent' | 'void';
	zip: string;
}

const line: fc.Arbitrary<Line> = fc.record({
	customer: fc.integer({ min: 0, max: 5 }),
	what: fc.constantFrom('Lesson', 'Course book', 'Room for a day', 'Coaching'),
	price: fc.integer({ min: 150, max: 9_999 }),
	count: fc.integer({ min: 1, max: 9 }),
	due: fc.constantFrom('15/01/2027', '28/02/2027', '31/03/2027'),
	status: fc.constantFrom('open', 'sent', 'void'),
	zip: fc.integer({ min: 10_000, max: 99_999 }).map(String),
});
const sheet = fc
	.array(line, { minLength: 3, maxLength: 8 })
	// No item stands twice in an invoice, so that a repetition is a difference.
	.filter(
		(lines) =>
			new Set(lines.map((one) => JSON.stringify([one.customer, one.what, one.due]))).size ===
			lines.length,
	)
	// Every status stands in the first sheet, so that all of them are confirmed.
	.map(([a, b, c, ...more]): Line[] => [
		{ ...a, status: 'open' },
		{ ...b, status: 'sent' },
		{ ...c, status: 'void' },
		...more,
	]);

const toRow = ({ customer, what, price, count, due, status, zip }: Line): Row => ({
	'Pays for it': customers[customer].email,
	Topic: what,
	Fee: (price / 100).toFixed(2),
	'How many?': count,
	'Until when': due,
	State: status,
	Zip: zip,
	Deposit: '0',
});

const roles =
	'Customer Email = Pays for it; Item Name = Topic; Unit Price = Fee; Quantity = How many?; Due Date = Until when (day/month/year); one invoice per customer; State: bill open, sent; leave out void; not billed: Zip, Deposit';
const settings = { defaults: { currency: 'EUR' }, today: '2026-12-01' };
/** The reading of a preview that a person has corrected and confirmed. */
const confirm = (rows: Row[]) => readRows(rows, customers, { ...settings, confirmed: roles }).text;

const billed = (lines: Line[]) => lines.filter(({ status }) => status !== 'void');
/** The invoices that the reading means, computed in another way. */
function meant(lines: Line[]): string[] {
	const sums = new Map<string, number>();
	for (const { customer, price, count, due } of billed(lines)) {
		const key = `${customers[customer].email} ${due.split('/').reverse().join('-')}`;
		sums.set(key, (sums.get(key) ?? 0) + price * count);
	}
	return [...sums].map(([key, cents]) => `${key} ${(cents / 100).toFixed(2)}`).sort();
}

/** A change of a sheet that was confirmed. `lines`: what it means now; `undefined`: it must stop. */
interface Change {
	what: string;
	rows: Row[];
	lines?: Line[];
	/** The run may stop, but if it bills, then what `lines` mean. */
	mayStop?: boolean;
}

const renamed = (rows: Row[], from: string, to: string) =>
	rows.map((row) =>
		Object.fromEntries(
			Object.entries(row).map(([header, cell]) => [header === from ? to : header, cell]),
		),
	);
const without = (rows: Row[], header: string) =>
	rows.map((row) => Object.fromEntries(Object.entries(row).filter(([one]) => one !== header)));
const replaced = <T>(all: T[], at: number, change: (one: T) => T) =>
	all.map((one, index) => (index === at ? change(one) : one));
/** Another cell in one of the rows that are billed. */
const withCell = (lines: Line[], at: number, header: string, cell: string) => {
	const one = billed(lines)[at % billed(lines).length];
	return lines.map((line) => (line === one ? { ...toRow(line), [header]: cell } : toRow(line)));
};
const billedHeaders = ['Pays for it', 'Topic', 'Fee', 'How many?', 'Until when', 'State'];
const sum = (lines: Line[]) =>
	billed(lines).reduce((all, { price, count }) => all + price * count, 0) / 100;

/** Every kind of change, drawn with a number and a word. */
const changes: Array<(lines: Line[], at: number, word: string) => Change> = [
	(lines) => ({ what: 'nothing', rows: lines.map(toRow), lines }),
	(lines, at) => {
		const others = replaced(lines, at % lines.length, (one) => ({
			...one,
			price: one.price + 100,
			what: 'Seminar',
		}));
		return { what: 'another price', rows: others.map(toRow), lines: others };
	},
	(lines) => ({ what: 'rows in another order', rows: [...lines].reverse().map(toRow), lines }),
	(lines) => ({
		what: 'columns in another order',
		rows: lines.map((one) => Object.fromEntries(Object.entries(toRow(one)).reverse())),
		lines,
	}),
	(lines) => ({
		what: 'a column that is not billed missing',
		rows: without(lines.map(toRow), 'Zip'),
		lines,
	}),
	(lines, _at, word) => ({
		what: 'a new column',
		rows: lines.map((one, at) => ({ ...toRow(one), [word]: at ? '' : '12.50' })),
	}),
	(lines, at) => ({
		what: 'a column that fills a field missing',
		rows: without(lines.map(toRow), billedHeaders[at % billedHeaders.length]),
	}),
	(lines, at, word) => ({
		what: 'a renamed column',
		rows: renamed(lines.map(toRow), billedHeaders[at % billedHeaders.length], word),
	}),
	(lines, at) => {
		const [one, other] = [
			['Fee', 'How many?'],
			['Topic', 'Zip'],
			['Zip', 'How many?'],
		][at % 3];
		const rows = lines.map(toRow).map((row) => ({ ...row, [one]: row[other], [other]: row[one] }));
		// Fee and count swapped are the same sums.
		const isSame = at % 3 === 0 || at % 3 === 1;
		const swapped = isSame ? lines : lines.map((line) => ({ ...line, count: Number(line.zip) }));
		return { what: `${one} and ${other} swapped`, rows, lines: swapped, mayStop: true };
	},
	(lines, at) => ({
		what: 'prices written in another way',
		rows: lines.map((one, index) => ({
			...toRow(one),
			Fee: index === at % lines.length ? `${(one.price / 100).toFixed(2)} EUR` : one.price / 100,
		})),
		lines,
	}),
	(lines, at) => ({
		what: 'a price that can mean two things',
		rows: replaced(lines.map(toRow), at % lines.length, (row) => ({ ...row, Fee: '1.250' })),
		lines: replaced(lines, at % lines.length, (one) => ({ ...one, price: 125_000 })),
		mayStop: true,
	}),
	(lines, at, word) => ({
		what: 'a new value',
		rows: replaced(lines.map(toRow), at % lines.length, (row) => ({ ...row, State: word })),
	}),
	(lines, at) => ({ what: 'a mark in a cell', rows: withCell(lines, at, 'Zip', 'PAID 12.01.') }),
	(lines) => ({
		what: 'a total row',
		rows: [
			...lines.map(toRow),
			{ 'Pays for it': 'Total' },
			{ Topic: 'Sum', Fee: sum(lines).toFixed(2) },
		],
		lines,
		mayStop: true,
	}),
	(lines, at) => ({
		what: 'a row twice',
		rows: [...lines, lines[at % lines.length]].map((one) =>
			toRow({ ...one, status: one === lines[at % lines.length] ? 'open' : one.status }),
		),
	}),
	(lines, at) => ({
		what: 'an unknown customer',
		rows: withCell(lines, at, 'Pays for it', 'nobody@else.example'),
	}),
	(lines, at) => ({
		what: 'a month where the day was',
		rows: withCell(lines, at, 'Until when', '01/25/2027'),
	}),
	(lines, at) => ({
		what: 'a note in a cell of amounts',
		rows: withCell(lines, at, 'Fee', ['12.50 incl.', '12.50 / 14.00', 'free', '-12.50'][at % 4]),
	}),
	(lines, at) => ({
		what: 'a quantity that is none',
		rows: withCell(lines, at, 'How many?', ['', '20270115', '2 dz', '1:30', '-1'][at % 5]),
	}),
	(lines) => ({
		what: 'prices in cents',
		rows: lines.map((one) => ({ ...toRow(one), Fee: one.price })),
	}),
	(lines) => {
		const dearest = billed(lines).sort((a, b) => b.price - a.price)[0];
		return {
			what: 'the highest price without its point',
			rows: lines.map((one) => (one === dearest ? { ...toRow(one), Fee: one.price } : toRow(one))),
		};
	},
	(lines, at) => ({
		what: 'the first deposit',
		rows: withCell(lines, at, 'Deposit', ['20', '20.00 received', 'paid'][at % 3]),
	}),
	(lines, at) => ({
		what: 'another kind of cell in a column that is not billed',
		rows: withCell(lines, at, 'Zip', ['net', '12 %', '10115 plus 20.00'][at % 3]),
	}),
	(lines, at) => ({
		what: 'a footnote or a heading',
		rows: [
			...lines.slice(0, at % 2).map(toRow),
			{ Topic: ['all amounts in thousands', 'Quotation'][at % 2] },
			...lines.slice(at % 2).map(toRow),
		],
	}),
	(lines, at) => {
		const one = billed(lines)[at % billed(lines).length];
		const corrected = toRow({ ...one, price: one.price + 250 });
		return { what: 'a corrected row below the old one', rows: [...lines.map(toRow), corrected] };
	},
	(lines, at) => ({
		what: 'another currency',
		rows: withCell(lines, at, 'Fee', ['12.50 GBP', '$12.50', '12.50 CHF'][at % 3]),
	}),
	(lines) => ({
		what: 'another year',
		rows: lines.map((one) => ({ ...toRow(one), 'Until when': one.due.replace('2027', '2029') })),
	}),
	(lines) => ({
		what: 'dates written so that they mean the same',
		rows: lines.map((one) => ({
			...toRow(one),
			'Until when': one.due.split('/').reverse().join('-'),
		})),
		lines,
	}),
	() => ({
		what: 'another file',
		rows: [{ Client: customers[0].email, Item: 'x', Price: 5, Due: '2027-01-01' }],
	}),
];

const word = fc.constantFrom(
	'Late Fee',
	'Amount',
	'paid',
	'Total',
	'Price',
	'x',
	'Notes',
	'Net',
	'hold',
	'12',
	'Menge',
);

test('[R1] a confirmed reading bills a changed sheet only as it says', () => {
	fc.assert(
		fc.property(sheet, fc.nat(changes.length - 1), fc.nat(1000), word, (lines, kind, at, drawn) => {
			const { what, rows, lines: now, mayStop } = changes[kind](lines, at, drawn);
			const confirmed = confirm(lines.map(toRow));
			const { refusal, invoices } = readRows(rows, customers, { ...settings, confirmed });
			const created =
				refusal === undefined
					? invoices.map(({ customer, due, total }) => `${customer} ${due} ${total}`).sort()
					: undefined;
			if (created) expect([what, created]).toEqual([what, now && meant(now)]);
			else if (now && !mayStop) expect([what, refusal]).toEqual([what, undefined]);
		}),
		{ numRuns: isNight ? 10_000 : 600 },
	);
});

test.each([
	['an empty cell', '', 'Ref: empty'],
	['a text', 'see above', 'Ref: "see above"'],
	['a number', '1001', 'Ref: "1001"'],
	['a zero', 0, 'Ref: "0"'],
])('%s among codes in the column that groups the rows stops the run', (_what, cell, problem) => {
	const row = (Ref: string | number, Topic: string, Fee: number) => ({
		...{ 'Pays for it': customers[0].email, 'Until when': '2027-01-15', Topic, Fee, Ref },
	});
	const rows = [row('R-1', 'Seminar', 100), row('R-1', 'Travel', 20), row('R-2', 'Coaching', 90)];
	const typed =
		'Customer = Pays for it; Due Date = Until when; Item Name = Topic; Unit Price = Fee; one invoice per Ref';
	const { text: confirmed } = readRows(rows, customers, { ...settings, confirmed: typed });
	const known = readRows(rows, customers, { ...settings, confirmed });
	expect([known.refusal, known.invoices.length]).toEqual([undefined, 2]);
	const next = [rows[0], { ...rows[1], Ref: cell }, rows[2]];
	const { refusal } = readRows(next, customers, { ...settings, confirmed });
	expect(refusal).toContain(`${problem} in row 3; seen so far: codes such as A-9`);
});
