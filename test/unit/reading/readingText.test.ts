import fc from 'fast-check';
import { sheetFields } from '../../../nodes/InvoicingPayments/reading/columns/fields';
import { settledWhole } from '../../../nodes/InvoicingPayments/reading/findings/findings';
import type {
	Format,
	Grouping,
	Shape,
	Source,
	Statements,
} from '../../../nodes/InvoicingPayments/reading/statements/statements';
import {
	formatGroups,
	formatsByField,
} from '../../../nodes/InvoicingPayments/reading/statements/statements';
import { parseReading, printReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { notRead } from '../../../nodes/shared/result';
import '../../setup/fixedSeed';
import { isNight } from '../../helpers/someOf';

/** Headers as people write them, with signs and words of the text among them. */
const header = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 12 }),
	fc.string({ unit: fc.constantFrom(...'ab ;,=:()+"\\\n\t'), maxLength: 8 }),
	fc.constantFrom(
		'seen',
		'not billed',
		'empty',
		'customer',
		'row',
		'bill',
		'leave out',
		'Invoice Number',
		'bill x',
		'leave out x',
		'Status: bill',
		'one invoice per x',
		'„Pos.“',
		'价格（元）',
		'bill later',
		'amounts in',
		'none',
		'',
	),
);
const headers = fc.uniqueArray(header, { maxLength: 4 });
const some = fc.uniqueArray(header, { minLength: 1, maxLength: 4 });
/** A column for a field, with formats that fit it. */
function sourceOf(field: string, at: number): fc.Arbitrary<Source> {
	const fitting = (formatsByField[field] ?? []).map((one) =>
		one === 'per 1000'
			? fc.integer({ min: 1, max: 999_999 }).map((count): Format => `per ${count}`)
			: fc.constant(one as Format),
	);
	return fc.record(
		{
			header,
			...(field === 'customerId' && at === 0 && { and: header }),
			...(fitting.length && {
				formats: fc.uniqueArray(fc.oneof(...fitting), {
					minLength: 1,
					maxLength: 2,
					// Of each group, a column has one.
					selector: (one) =>
						formatGroups.findIndex((group) => group.includes(one.replace(/^per .*/, 'per 1000'))),
				}),
			}),
		},
		{ requiredKeys: ['header'] },
	);
}
const sourcesOf = (field: string) =>
	fc
		.integer({ min: 1, max: 3 })
		.chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => sourceOf(field, at))));
const field = fc
	.constantFrom(...sheetFields.map(({ name }) => name))
	.chain((name) => fc.tuple(fc.constant(name), sourcesOf(name)));
/** What can stand in a column. */
const kind = fc.oneof(
	fc.constantFrom('empty', 'number', 'negative', 'percent', 'duration', 'date', 'yes/no', 'text'),
	fc
		.tuple(fc.constantFrom('code', 'with', 'says'), header)
		.map(([lead, rest]) => `${lead} ${rest}`),
);
const amount = fc.integer({ min: 0, max: 9_999_999 }).map((cents) => cents / 100);
const days = fc.nat(9999);
const shape: fc.Arbitrary<Shape> = fc.record(
	{
		kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 3 }),
		range: fc
			.tuple(amount, amount)
			.map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) })),
		days: fc.record({ apart: days, away: days }),
	},
	{ requiredKeys: ['kinds'] },
);
const grouping = fc.oneof(
	fc.constantFrom('invoiceNumber', 'customer', 'row', 'all').map((by) => ({ by }) as Grouping),
	header.map((one): Grouping => ({ by: 'column', header: one })),
);
const statements: fc.Arbitrary<Omit<Statements, 'shapes'>> = fc
	.record(
		{
			fields: fc.uniqueArray(field, { selector: ([name]) => name }).map((all) => new Map(all)),
			notBilled: some,
			currencies: fc.uniqueArray(fc.stringMatching(/^[A-Z]{3}$/), { minLength: 1, maxLength: 3 }),
			values: fc.uniqueArray(
				fc
					.record({ header, bill: headers, leaveOut: headers })
					.filter(
						({ bill, leaveOut }) =>
							bill.length + leaveOut.length > 0 &&
							!bill.some((cell) =>
								leaveOut.some((one) => one.toLowerCase() === cell.toLowerCase()),
							),
					),
				{ maxLength: 2, selector: (one) => one.header },
			),
			rowsLeftOut: fc.constantFrom('totals' as const, 'none' as const),
			grouping,
			seen: fc.stringMatching(/^[0-9A-Z]{16}$/),
			unchecked: fc.uniqueArray(fc.constantFrom(...settledWhole)),
			headerRow: fc.integer({ min: 1, max: 9_999_999 }),
			isFilledFromAbove: fc.constant(true),
			isSideBySide: fc.constant(true),
			texts: some,
			itemsRepeat: fc.constant(true),
		},
		{ requiredKeys: ['fields', 'values', 'unchecked'] },
	)
	// Items stand beside no other amounts, and each column of amounts has one meaning.
	.filter(({ fields }) => {
		const amounts = ['itemAmount', 'itemTotal', 'itemQuantity'];
		const used = (names: Iterable<string>) =>
			[...names].flatMap((name) => fields.get(name)?.map(({ header: one }) => one) ?? []);
		const once = used(fields.has('items') ? fields.keys() : amounts);
		const isOnce = new Set(once).size === once.length;
		return isOnce && !(fields.has('items') && amounts.some((one) => fields.has(one)));
	});
/** Columns that the reading names, of which some have a shape. */
const reading: fc.Arbitrary<Statements> = statements.chain((own) => {
	const { fields, notBilled = [], grouping: by } = own;
	const named = [
		...[...fields.values()].flat().map((one) => one.header),
		...notBilled,
		...(by?.by === 'column' ? [by.header] : []),
	];
	const shapes = fc.uniqueArray(fc.tuple(fc.constantFrom('', ...named), shape), {
		selector: ([one]) => one,
		maxLength: 4,
	});
	return shapes.map((all) => ({
		...own,
		shapes: new Map(all.filter(([one]) => named.includes(one))),
	}));
});
const parsed = (text: string) => {
	const outcome = parseReading(text);
	if (!outcome.ok) throw new Error(`${outcome.problem} in ${text}`);
	return outcome.value;
};

test('a reading that is printed and parsed is the same, whatever the headers are', () => {
	fc.assert(
		fc.property(reading, (one) => {
			expect(parsed(printReading(one))).toEqual({ ...one, isPreviewed: true });
		}),
		{ numRuns: isNight ? 3000 : 600 },
	);
});

test.each([
	[
		'Unit Price = Fee; Quantity = "How many?"',
		[
			['itemAmount', [{ header: 'Fee' }]],
			['itemQuantity', [{ header: 'How many?' }]],
		],
	],
	[
		'unit price=Fee\nITEM NAME = What',
		[
			['itemAmount', [{ header: 'Fee' }]],
			['itemName', [{ header: 'What' }]],
		],
	],
	[
		'Due Date = Vto. (day/month/year), Frist',
		[['dueDate', [{ header: 'Vto.', formats: ['day/month/year'] }, { header: 'Frist' }]]],
	],
	['Customer = Vorname + Nachname', [['customerId', [{ header: 'Vorname', and: 'Nachname' }]]]],
	[
		'Unit Price = Preis (1.234,50; per 1000)',
		[['itemAmount', [{ header: 'Preis', formats: ['1.234,50', 'per 1000'] }]]],
	],
])('%s is read as people write it', (text, fields) => {
	expect([...parsed(text).fields]).toEqual(fields);
});

test.each(
	[
		['Price = Fee', '"Price = Fee" does not begin with a field. The fields are Customer'],
		['Unit Price = Fee (comma)', 'It can be written 1.234,50; 1,234.50; cents; per 1000'],
		['Unit Price =', "has no column after '='"],
		['Unit Price = "Fee', 'a quote that does not end'],
		['Unit Price = Fee (net; Quantity = Hours', 'a bracket that does not end'],
		['not billed: Note (paid)', 'has "paid" in brackets, which means nothing there'],
		[
			'unchecked: Note',
			"A word in a column is settled behind its name: 'not billed: Note (text; says paid)'",
		],
		['Status: open', "must say 'bill' or 'leave out'"],
		['hello', '"hello" is not a statement'],
		['rows left out: some', "must say 'totals' or 'none'"],
		['seen: A, B', 'must have the code of a preview'],
		['not billed: "C:\\x"', 'has "C:\\x", in which each backslash must be written twice'],
		['not billed: Note (says foo "bar")', 'in brackets, which means nothing there'],
		['one invoice per', 'must name one column'],
		['one invoice per Customer, Due', 'must name one column'],
		['Unit Price = A; Unit Price = B', 'says again what another statement says'],
		['Quantity = Adults + Children', "adds columns with '+'"],
		[
			'Quantity = Qty (per 100)',
			'It can be written 1.234,50; 1,234.50; hours; minutes; parts of a day',
		],
		['Unit Price = Fee (per 0)', 'has "per 0" in brackets, which means nothing there'],
		['rows left out: totals, none', "must say 'totals' or 'none'"],
		...[
			'Status: leave out void; leave out draft',
			'one invoice per row; one invoice per Ref',
			'not billed: Zip; not billed: Note',
			'rows left out: none; rows left out: totals',
			'seen: A; seen: B',
		].map((text) => [text, 'says again what another statement says']),
		['Status: bill open, void; leave out void', 'to bill "void" and to leave it out'],
		['Status: bill open; Status: bill sent', 'says twice which rows "Status" bills'],
		['Status: bill OPEN; leave out open', 'to bill "OPEN" and to leave it out'],
		['Status: bill empty, x; leave out empty', 'to bill empty cells and to leave them out'],
		['Status: bill open, leave out draft', "Write ';' before 'leave out'"],
		['Status: bill open leave out draft', "Write ';' before 'leave out'"],
		['amounts in: EUR USD', 'must list codes of three letters'],
		['amounts in: Euro', 'must list codes of three letters'],
		['amounts in:', 'must list codes of three letters'],
		['Due Date = Due (day/month/year) (month/day/year)', 'says two things of "Due"'],
		['Unit Price = Fee (per 1000; cents)', 'says two things of "Fee": per 1000 and cents'],
		['Quantity = Hours (minutes) (hours)', 'says two things of "Hours"'],
		['Unit Price = Fee (12 to 95; 12 to 9500)', 'says two things of "Fee"'],
		['Unit Price = Fee (95 to 12)', 'the lower one comes first'],
		[
			'Unit Price = Fee (12 to 95); one invoice per Fee (1 to 2)',
			'what another statement contradicts',
		],
		['Quantity = Fee; Unit Price = Fee', 'says twice what "Fee" is'],
		['Unit Price = \u201cFee, net\u201d', 'Write straight quotes around it'],
		['Customer = A + ,', 'is no list of columns'],
		['not billed: A + ""', 'adds a column to it'],
		['not billed: Zip (cents)', 'says how "Zip" is written'],
		['Unit Price: Fee', "A field has '=' before its columns"],
		['x'.repeat(1_000_001), 'has more than 1000000 characters'],
	].map(([text, problem]) => [text.slice(0, 40), text, problem] as const),
)('%s is refused with a reason', (_name, text, problem) => {
	expect(parseReading(text)).toEqual(notRead(expect.stringContaining(problem) as string));
});

test('spaces between words may be any', () => {
	const spaced = parsed(
		'One  Invoice  per \tRef; Status:  leave   out void,  draft; Unit  Price = Fee (says\t paid)',
	);
	expect(spaced).toEqual(
		parsed('one invoice per Ref; Status: leave out void, draft; Unit Price = Fee (says paid)'),
	);
});

test('a name in quotes may have line breaks as they are pasted', () => {
	expect(parsed('not billed: "Room\nnumber"').notBilled).toEqual(['Room\nnumber']);
});

test.each([
	['Read as: Unit Price = Fee', 'Unit Price = Fee'],
	[
		'Unit Price = Fee\r\nnot billed: Zip\u2028items repeat',
		'Unit Price = Fee; not billed: Zip; items repeat',
	],
	['Status: leave out void; bill open', 'Status: bill open; leave out void'],
	['amounts in: eur, usd', 'amounts in: EUR, USD'],
	['rows left out: Totals', 'rows left out: totals'],
	['Unit Price = Fee (cents) (cents; number)', 'Unit Price = Fee (cents; number)'],
	['headers in row -4', 'headers in row -4'],
])('%j is read as %s', (text, same) => {
	expect(parsed(text)).toEqual(parsed(same));
});

test('a further list is added to the one before it', () => {
	const { unchecked } = parsed('unchecked: sums; unchecked: dates');
	expect(unchecked).toEqual(['sums', 'dates']);
});

test('what stood in a column is read as a preview prints it, also behind further brackets', () => {
	const text =
		'Unit Price = Satz (cents) (1.234,50; number; empty; 12 to 95.5); Due Date = Tag (date; 3 days apart; within 40 days); not billed: Note (text; says paid), Nr. (code A-9)';
	const { shapes, fields } = parsed(text);
	expect(Object.fromEntries(shapes)).toEqual({
		Satz: { kinds: ['number', 'empty'], range: { low: 12, high: 95.5 } },
		Tag: { kinds: ['date'], days: { apart: 3, away: 40 } },
		Note: { kinds: ['text', 'says paid'] },
		'Nr.': { kinds: ['code A-9'] },
	});
	expect(fields.get('itemAmount')?.[0].formats).toEqual(['cents', '1.234,50']);
});
