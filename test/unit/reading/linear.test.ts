import fc from 'fast-check';
import { contentNumbers } from '../../../nodes/InvoicingPayments/plan/contentNumbers';
import { parseReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { toDate, toMoment } from '../../../nodes/shared/fields/dates';
import { Decimal, toMoney } from '../../../nodes/shared/fields/decimal';
import {
	toEmail,
	toInteger,
	toList,
	toOptions,
	toText,
	toUri,
} from '../../../nodes/shared/fields/text';
import { readJson } from '../../../nodes/shared/transport/json';
import { readResponse } from '../../../nodes/shared/transport/response';
import { nodeProcess } from '../../../tools/node';
import { readRows } from '../../helpers/sheets/readRows';

/*
 * Foreign text is read in a time that grows like its length. Times are compared in one process and only if they can be felt, so that a
 * busy machine changes nothing.
 */

/** Milliseconds that nobody feels. */
const floor = 80;
/** A text of four times the length takes four times as long, or sixteen times if it is looked at again and again. */
const mostGrowth = 8;

/** Milliseconds of the processor, because others may use it as well. */
function timeOf(work: () => unknown): number {
	const start = nodeProcess.cpuUsage();
	try {
		work();
	} catch {
		// A text that is refused is read as well.
	}
	const { user, system } = nodeProcess.cpuUsage(start);
	return (user + system) / 1000;
}

const bestOf = (work: () => unknown) => Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(work)));

/** A text that takes too long this many times takes too long. */
const mostTurns = 20;

/** `work` does something of a length. Both lengths are timed in turn, so that what slows the processor down for a while slows down both. */
function expectLinear(what: string, length: number, work: (length: number) => unknown): void {
	const timed = (times: number) => timeOf(() => work(times * length));
	let [once, four] = [Infinity, Infinity];
	for (let turn = 0; turn < mostTurns; turn++) {
		four = Math.min(four, timed(4));
		if (four <= floor) return;
		once = Math.min(once, timed(1));
		if (four <= mostGrowth * once) return;
	}
	throw new Error(`${what} takes ${once.toFixed(1)} ms, then ${four.toFixed(1)} ms`);
}

const row = {
	Customer: 'a@a.example',
	Item: 'Design',
	Quantity: 2,
	'Unit Price': '10.00',
	Currency: 'EUR',
	'Due Date': '2026-12-31',
	Terms: 'Net 30',
	'Line Total': '20.00',
	'Discount %': '0%',
	Note: 'Thank you',
	Anything: 'x',
};
const customers = [{ name: 'A', email: 'a@a.example' }];
const inColumn = (header: string) => (text: string) =>
	readRows([{ ...row, [header]: text }, row], customers);
const where = { method: 'GET', path: '/v1/invoices' } as const;
const answer = (statusCode: number) => (body: string) =>
	readResponse({ statusCode, headers: {}, body }, where, 'a-key-of-the-service');

/** Whatever reads foreign text. */
const readers: Record<string, (text: string) => unknown> = {
	'a cell of each column': (text) =>
		readRows([row, ...Object.keys(row).map((header) => ({ ...row, [header]: text }))], customers),
	'a column of nothing else': (text) =>
		readRows([Object.fromEntries(Object.keys(row).map((header) => [header, text]))], customers),
	'a header': (text) =>
		readRows([{ ...row, [text]: 'x', [`${text} 1`]: 'x', [`Item ${text} 2`]: 'y' }], customers),
	'a row above the headers': (text) =>
		readRows([{ a: text }, { a: 'Customer', b: 'Price', c: 'Item' }, { a: 'A', b: 1 }], customers),
	'a reading': parseReading,
	'a column in a reading': (text) => parseReading(`Unit Price = ${text}`),
	'a list in a reading': (text) => parseReading(`Status: bill ${text}; leave out ${text}`),
	JSON: readJson,
	'a text in JSON': (text) => readJson(`["${text}", 1]`),
	'an answer': answer(200),
	'an error': answer(500),
	'a page': (text) => answer(500)(`<${text}`),
	'an amount': toMoney,
	'a decimal': (text) => Decimal.of(text),
	'a whole number': (text) => toInteger(text),
	'a date': (text) => toDate(text, 'UTC'),
	'a moment': (text) => toMoment(text, 'UTC'),
	'an email': toEmail,
	'an address': toUri,
	'a list': toList,
	options: (text) => toOptions(text, ['one', 'two']),
	'a text': (text) => toText(text, { maxLength: 280 }),
};

/** What some expression repeats, or what begins something that does not end. */
const fragments =
	'1|0|.|,|.000|,00|-|–| |\t|(|[|€|€ |EUR|TT|x2|x 2|%|/|:|;|=|+|"|\\|\\"|&|#|a@|a.|<|<h1|<h1>|<title|‹|\'|a|Price|per |e-|12/|1-|1 '.split(
		'|',
	);
const ends = ['', 'x', '!', '1', ' ', '2x', '.', '"', ')', '\u0000'];

/** A text of a length, made of repeated parts. */
const textOf = (start: string, parts: string[], end: string, length: number) => {
	const part = parts.join('') || ' ';
	return start + part.repeat(Math.ceil(length / part.length)).slice(0, length) + end;
};

test('every reader is linear in the length of its text', () => {
	const part = fc.constantFrom(...fragments);
	const parts = fc.oneof(fc.tuple(part), fc.array(part, { minLength: 2, maxLength: 3 }));
	const edge = fc.constantFrom('', ...ends, ...fragments);
	const read = (start: string, all: string[], end: string) => {
		for (const [name, reader] of Object.entries(readers)) {
			const what = `${name}: ${JSON.stringify([start, all.join(''), end])}`;
			expectLinear(what, 5000, (length) => reader(textOf(start, all, end, length)));
		}
	};
	for (const fragment of fragments) read('', [fragment], '!');
	fc.assert(fc.property(edge, parts, edge, read), { numRuns: 12, endOnFailure: true });
});

describe('what took seconds before', () => {
	/** The longest cell of a spreadsheet. */
	const longest = 32_767;

	test.each([
		['brackets', textOf('', ['('], '', longest)],
		['currencies', textOf('', ['€'], '1', longest - 1)],
		['digits', textOf('', ['1'], '!', longest - 1)],
		['spaces before a unit', textOf('1', [' '], 'x2', longest - 3)],
		['letters of a time', textOf('1', ['T'], '2x', longest - 3)],
		['points of a currency', textOf('Fr', ['.'], 'x', longest - 3)],
		['accents', textOf('a', ['\u0301\u0327'], '!', longest - 2)],
	])('a cell of %s', (_name, text) => {
		for (const header of Object.keys(row))
			expectLinear(header, longest / 4, (length) => inColumn(header)(text.slice(-length)));
	});

	test.each([
		['a header', () => readRows([{ ...row, [`1${'-'.repeat(3000)}x`]: 'x' }, row], customers)],
		['a page of beginnings', () => answer(500)('<h1‹h1'.repeat(20_000))],
		['a page of headings', () => answer(500)('<h1'.repeat(33_000))],
		['a page of titles', () => answer(502)('<title'.repeat(20_000))],
		['an amount of zeros', () => toMoney(`1.${'0'.repeat(100_000)}1`)],
		['a number of zeros', () => readJson(`[1.${'0'.repeat(100_000)}1]`)],
		['a power', () => readJson(`[1${'0'.repeat(100_000)}1e1]`)],
		['a number', () => readJson('1'.repeat(100_000))],
		['an item called by accents', () => {
			const name = `a${'\u0301\u0327'.repeat(50_000)}`;
			const items = [{ name, amount: '1', quantity: 1 }];
			const body = { customer: 'a', currency: 'EUR', items };
			return [...contentNumbers([{ body, items }])];
		}],
	])('%s', (_name, work) => {
		expect(bestOf(work)).toBeLessThan(4 * floor);
	}); // prettier-ignore
});

describe('a sheet of four times the rows or columns takes four times as long', () => {
	const rows = (count: number, of: (at: number) => object) =>
		readRows(
			Array.from({ length: count }, (_, at) => ({ ...row, ...of(at) })),
			customers,
		);
	const columns = (count: number, of: (at: number) => unknown) =>
		Object.fromEntries(Array.from({ length: count }, (_, at) => [`Figure a${at}b`, of(at)]));

	test.each<[string, number, (count: number) => unknown]>([
		['equal rows', 400, (count) => rows(count, () => ({}))],
		['a customer in each row', 400, (count) => rows(count, (at) => ({ Customer: `c${at}@a.example` }))],
		['paid in other words in each row', 400, (count) => rows(count, (at) => ({ Anything: `paid ${at}` }))],
		['notes below the rows', 400, (count) => rows(count, (at) => (at % 2 ? { ...row, Customer: '', 'Unit Price': '', 'Line Total': '', Anything: `paid ${at}` } : {}))],
		['columns of figures', 40, (count) => rows(20, (at) => columns(count, (one) => ((at * 7 + one * 13) % 100) / 4))],
		['columns of texts', 40, (count) => rows(20, (at) => columns(count, (one) => `text ${at} ${one}`))],
	])('%s', (what, count, work) => {
		work(10);
		expectLinear(what, count, work);
	}); // prettier-ignore

	const many = (count: number, of: (at: number) => string, between: string) =>
		Array.from({ length: count }, (_, at) => of(at)).join(between);
	test.each<[string, (count: number) => string]>([
		['brackets', (count) => `not billed: A ${'(id)'.repeat(count)}`],
		['formats', (count) => `Unit Price = A (${many(count, () => 'cents', ';')})`],
		['kinds', (count) => `Unit Price = A (${many(count, (at) => `code ${at}`, ';')})`],
		['items', (count) => `Items = ${many(count, (at) => `a${at}`, ',')}`],
		['columns that are not billed', (count) => `not billed: ${many(count, (at) => `a${at}`, ',')}`],
		['cells', (count) => `A: bill ${many(count, (at) => `a${at}`, ',')}; leave out b`],
		['values', (count) => many(count, (at) => `a${at}: bill b`, ';')],
	])('a reading with many %s', (what, textWith) => {
		expect(parseReading(textWith(3))).toHaveProperty('value');
		expectLinear(what, 4000, (count) => parseReading(textWith(count)));
	});

	test('numbers of equal invoices', () => {
		const items = [{ name: 'A', amount: '1', quantity: 1 }];
		const planned = {
			body: { customer: 'a', currency: 'EUR', items },
			items,
		};
		const numbers = (count: number) => [
			...contentNumbers(Array.from({ length: count }, () => planned)),
		];
		expectLinear('numbers', 1000, numbers);
		expect(numbers(3).map((number) => number.slice(17))).toEqual(['', '-2', '-3']);
		expect([...contentNumbers([planned, planned], 'AUTO-', new Set([`${numbers(1)[0]}-2`.toLowerCase()]))]).toEqual([numbers(3)[0], numbers(3)[2]]); // prettier-ignore
	});
});

describe('nothing is read out of more than the first characters', () => {
	test('of a cell: it has no value, but stays a text', () => {
		const name = 'A long name. '.repeat(200).trim();
		const long = `12${' '.repeat(1000)}h`;
		const { reading, invoices } = inColumn('Item')(name);
		expect(invoices[0]).toMatchObject({ total: '40.00', problems: [] });
		expect(reading.rows[0].items?.[0].name).toBe(name);
		for (const header of ['Unit Price', 'Quantity', 'Due Date', 'Currency', 'Customer'])
			expect(inColumn(header)(long).invoices[0].problems).not.toEqual([]);
		expect(inColumn('Unit Price')(`${' '.repeat(2000)}7`).reading.rows[0].values.get('itemAmount')).toBe('7'); // prettier-ignore
		const wordsIn = (text: string) =>
			inColumn('Anything')(text).findings.flatMap(({ word }) => word ?? []);
		expect(wordsIn(`${'x '.repeat(600)}paid`)).toEqual([]);
		expect(wordsIn(`paid ${'x '.repeat(600)}`)).toEqual(['paid']);
	});

	test('of texts with the same beginning, which stay different', () => {
		const texts = ['a', 'b'].map((end) => 'x'.repeat(1000) + end);
		const { reading } = readRows(texts.map((Anything) => ({ ...row, Anything })), customers); // prettier-ignore
		expect(reading.profile.byHeader.get('Anything')?.counts.size).toBe(2);
		expect(reading.findings.map(({ kind }) => kind)).not.toContain('repeats');
	});

	test('of a header: it is cut, and two with the same beginning stay two', () => {
		const long = 'Room '.repeat(100).trim();
		const { reading, text } = readRows([{ ...row, [`${long} a`]: 1, [`${long} b`]: 2 }], customers);
		const cut = reading.table.headers.filter((header) => header.startsWith('Room'));
		expect(new Set(cut).size).toBe(2);
		for (const header of cut) expect(header.length).toBeLessThanOrEqual(200);
		expect(parseReading(text)).toHaveProperty('value');
	});

	test('of a number: it stays text', () => {
		const digits = '1'.repeat(401);
		expect(readJson(`{"id": ${digits}, "x": 0.${digits}e1}`)).toEqual({ id: digits, x: `0.${digits}e1` }); // prettier-ignore
		expect(() => readJson(`[${digits}-1]`)).toThrow(SyntaxError);
		expect(() => Decimal.of(digits)).toThrow(RangeError);
	});
});
