import fc from 'fast-check';
import type { CountedItem } from '../../../nodes/InvoicingPayments/invoices/items';
import { toItem } from '../../../nodes/InvoicingPayments/invoices/items';
import { contentNumbers } from '../../../nodes/InvoicingPayments/plan/contentNumbers';

/**
 * Two invoices that differ in one thing that a customer would see never share a number. Two that differ only in how the sheet was
 * written or read always do.
 */
interface Content {
	customer: string;
	currency: string;
	due_date: string;
	title?: string;
	note?: string;
	discount_percentage?: number;
	starts_at?: string;
	custom_fields?: Array<{ name: string }>;
	allow_service_fee?: boolean;
	items: CountedItem[];
}

const numberOf = ({ items, ...fields }: Content): string => {
	const body = { ...fields, items: items.map(toItem) };
	const [number] = contentNumbers([{ body, items }]);
	return number;
};

const item = fc.record({
	name: fc.constantFrom('Lesson', 'Hosting (01.2027)', 'Seat (12)', 'Ménage', '保守', 'C', 'A, B'),
	amount: fc.integer({ min: 100, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
	quantity: fc.integer({ min: 1, max: 9 }),
});
const content: fc.Arbitrary<Content> = fc.record(
	{
		customer: fc.uuid(),
		currency: fc.constantFrom('EUR', 'USD', 'CHF'),
		due_date: fc.integer({ min: 10, max: 20 }).map((day) => `2027-01-${day}`),
		items: fc.array(item, { minLength: 2, maxLength: 4 }),
		title: fc.constantFrom('Order 7', 'March'),
		note: fc.constantFrom('Thank you', 'IBAN DE89 3704'),
		discount_percentage: fc.constantFrom(5, 10),
	},
	{ requiredKeys: ['customer', 'currency', 'due_date', 'items'] },
);

type Change = (given: Content, digit: number) => Content;
const onFirst =
	(change: (first: CountedItem, digit: number) => Partial<CountedItem>): Change =>
	({ items: [first, ...others], ...fields }, digit) => ({
		...fields,
		items: [{ ...first, ...change(first, digit) }, ...others],
	});
const named = (ending: string) =>
	onFirst(({ name }, digit) => ({ name: `${name}${ending.replace('#', `${digit}`)}` }));
const cents = (amount: string, more: number) => (Number(amount) + more / 100).toFixed(2);

const seen: Record<string, Change> = {
	'a number behind a name': named(' #'),
	'a number in parentheses': named(' (#)'),
	'a month': named(' (0#.2027)'),
	'a year': named(' (202#)'),
	'a letter': named('+'),
	'a name in another script': named('設'),
	'a price': onFirst(({ amount }, digit) => ({ amount: cents(amount, digit) })),
	'a quantity': onFirst(({ quantity }, digit) => ({ quantity: quantity + digit })),
	'two prices that are swapped': ({ items: [first, second, ...others], ...fields }, digit) => ({
		...fields,
		items: [
			{ ...first, name: 'First', amount: cents(second.amount, digit), quantity: 1 },
			{ ...second, name: 'Second', amount: second.amount, quantity: 1 },
			...others,
		],
	}),
	'an item twice': ({ items, ...fields }) => ({ ...fields, items: [...items, items[0]] }),
	'an item less': ({ items: [, ...items], ...fields }) => ({ ...fields, items }),
	'an item of 0': ({ items, ...fields }) => ({
		...fields,
		items: [...items, { name: 'Gift', amount: '0.00', quantity: 1 }],
	}),
	'two items as one': ({ items: [first, second, ...others], ...fields }) => ({
		...fields,
		items: [{ ...first, name: `${first.name}, ${second.name}` }, ...others],
	}),
	'another customer': (given) => ({ ...given, customer: `${given.customer}0` }),
	'another currency': (given) => ({ ...given, currency: 'GBP' }),
	'another day': (given, digit) => ({ ...given, due_date: `2027-02-0${digit}` }),
	'another title': (given, digit) => ({ ...given, title: `PO ${digit}` }),
	'another note': (given, digit) => ({ ...given, note: `Order ${digit}` }),
	'another discount': (given, digit) => ({ ...given, discount_percentage: digit + 10 }),
	'a start': (given) => ({ ...given, starts_at: '2027-01-01' }),
	'a custom field': (given, digit) => ({ ...given, custom_fields: [{ name: `PO ${digit}` }] }),
	'no service fee': (given) => ({ ...given, allow_service_fee: false }),
};
/** Before `two prices that are swapped`. */
const inOrder: Change = ({ items: [first, second, ...others], ...fields }, digit) => ({
	...fields,
	items: [
		{ ...first, name: 'First', amount: second.amount, quantity: 1 },
		{ ...second, name: 'Second', amount: cents(second.amount, digit), quantity: 1 },
		...others,
	],
});

const written: Record<string, Change> = {
	nothing: (given) => given,
	'the order of items': ({ items, ...fields }) => ({ ...fields, items: [...items].reverse() }),
	'the order of fields': ({ items, ...fields }) => ({
		items: items.map(({ name, amount, quantity }) => ({ quantity, amount, name })),
		...(Object.fromEntries(Object.entries(fields).reverse()) as Omit<Content, 'items'>),
	}),
	'a line total for a price and a quantity': onFirst(({ amount, quantity }) => ({
		amount: ((Math.round(Number(amount) * 100) * quantity) / 100).toFixed(2),
		quantity: 1,
	})),
	'decimals of a price': onFirst(({ amount }) => ({ amount: `${amount}0` })),
	spaces: onFirst(({ name }) => ({ name: ` ${name}\u00a0` })),
	'a count beside the line total': onFirst((_first, digit) => ({ count: `${digit}.5 x 80.00` })),
	'the form of accents': onFirst(({ name }) => ({ name: name.normalize('NFD') })),
	'the case of an ID': (given) => ({ ...given, customer: given.customer.toUpperCase() }),
	'a service fee, which is allowed anyway': (given) => ({ ...given, allow_service_fee: true }),
};

const pairs = 10_000;
const runsOf = (changes: object) => ({
	numRuns: Math.ceil(pairs / Object.keys(changes).length),
});
const digit = fc.integer({ min: 1, max: 9 });

test.each(Object.entries(seen))('%s makes another number', (name, change) => {
	const before = name === 'two prices that are swapped' ? inOrder : written.nothing;
	const isOther = (given: Content, by: number) =>
		expect(numberOf(change(given, by))).not.toBe(numberOf(before(given, by)));
	fc.assert(fc.property(content, digit, isOther), runsOf(seen));
});

test.each(Object.entries(written))('%s makes no other number', (_name, change) => {
	const isSame = (given: Content, by: number) =>
		expect(numberOf(change(given, by))).toBe(numberOf(given));
	fc.assert(fc.property(content, digit, isSame), runsOf(written));
});
