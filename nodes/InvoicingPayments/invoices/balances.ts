import { turns } from '../../shared/clock';
import { namesOf } from '../../shared/customers/customer';
import { daysBetween, dueDayOf } from '../../shared/fields/dates';
import { Decimal } from '../../shared/fields/decimal';
import { quote } from '../../shared/fields/text';
import type { Parsed } from '../../shared/result';
import { notRead, ok } from '../../shared/result';
import type { Invoice } from './invoiceNumbers';

/** Statuses of invoices that are owed (spec 2.5). A scheduled invoice is not yet. */
export const openStatuses = ['unpaid', 'overdue'];
const otherStatuses = ['paid', 'cancelled', 'scheduled'];

const ages = [
	'not_due',
	'overdue_1_30',
	'overdue_31_60',
	'overdue_61_90',
	'overdue_over_90',
] as const;
type Age = (typeof ages)[number];

/** What a customer owes in one currency. Amounts are exact decimal text. */
export interface Balance extends Record<Age | 'open' | 'overdue', string> {
	name: string | null;
	currency: string;
	/** How many invoices are open. */
	invoices: number;
	/** `YYYY-MM-DD` */
	oldest_due_date: string | null;
	email: string | null;
	/** `null` if the service gives none. */
	id: string | null;
}

interface Sum {
	id: string | null;
	name: string | null;
	email: string | null;
	currency: string;
	byAge: Map<Age, Decimal>;
	invoices: number;
	oldest: string | null;
}

/** Of each open invoice what its balance is made of. If two readings give the same, they agree. Unpaid and overdue count alike. */
export async function statesOf(invoices: readonly Invoice[]): Promise<ReadonlySet<string>> {
	const states = new Set<string>();
	const turn = turns();
	for (const { id, amount, currency, customer, due_date: due } of invoices) {
		states.add(JSON.stringify([id, amount, currency, idOf(customer), due]));
		await turn();
	}
	return states;
}

/** Days are calendar days. An invoice that is due today is not overdue. */
function ageOf(due: string | undefined, today: string): Age {
	const days = due === undefined ? 0 : daysBetween(due, today);
	return days <= 0 ? ages[0] : ages[Math.min(Math.ceil(days / 30), ages.length - 1)];
}

const wrong = (field: string, value: unknown) =>
	value === undefined || value === null
		? `without the field ${field}`
		: `with the ${field} ${quote(value)}`;

function amountOf({ amount }: Invoice): Parsed<Decimal> {
	try {
		return ok(Decimal.of(amount as string));
	} catch {
		return notRead(wrong('amount', amount));
	}
}

/** `undefined`: it has none. */
function dueOf({ due_date: due }: Invoice, zone: string): Parsed<string | undefined> {
	if (due === undefined || due === null || due === '') return ok(undefined);
	const read = dueDayOf(due, zone);
	return read.ok ? read : notRead(wrong('due date', due));
}

/**
 * What customers owe, one balance for each customer and currency: by currency, who is most overdue first. `today`: YYYY-MM-DD, in `zone`.
 * An invoice that cannot be read is a problem, because without it a balance would be too small: the end of "The service returned an
 * unexpected response: …".
 */
export async function balancesOf(
	invoices: readonly Invoice[],
	{ today, zone }: { today: string; zone: string },
): Promise<Parsed<Balance[]>> {
	const sums = new Map<string, Sum>();
	const turn = turns();
	for (const invoice of invoices) {
		await turn();
		const problem = addInvoice(sums, invoice, today, { zone });
		if (problem !== undefined) return notRead(`the invoice ${nameOf(invoice)} ${problem}`);
	}
	return ok([...sums.values()].map(balanceOf).sort(byCurrencyAndAmount));
}

/** Returns what is wrong with the invoice. */
function addInvoice(
	sums: Map<string, Sum>,
	invoice: Invoice,
	today: string,
	{ zone }: { zone: string },
): string | undefined {
	const { status } = invoice;
	const currency = typeof invoice.currency === 'string' ? invoice.currency.toUpperCase() : '';
	// A service that ignores the filter lists others as well.
	if (otherStatuses.includes(status as string)) return undefined;
	if (!openStatuses.includes(status as string)) return wrong('status', status);
	const { names, emails } = namesOf(invoice.customer);
	const id = idOf(invoice.customer);
	if (id === null && names.length + emails.length === 0) return 'without a customer';
	if (currency === '') return 'without a currency';
	const [due, amount] = [dueOf(invoice, zone), amountOf(invoice)];
	if (!due.ok) return due.problem;
	if (!amount.ok) return amount.problem;
	// Customers without an ID are known by their names and emails.
	const key = JSON.stringify([id?.toLowerCase() ?? [names, emails], currency]);
	const sum: Sum = sums.get(key) ?? {
		id,
		name: null,
		email: null,
		currency,
		byAge: new Map(),
		invoices: 0,
		oldest: null,
	};
	sums.set(key, sum);
	// Invoices may name a customer in several ways: the first one counts.
	sum.name ??= names[0] ?? null;
	sum.email ??= emails[0] ?? null;
	const age = ageOf(due.value, today);
	sum.byAge.set(age, (sum.byAge.get(age) ?? Decimal.zero).plus(amount.value));
	sum.invoices += 1;
	if (due.value !== undefined && (sum.oldest === null || due.value < sum.oldest))
		sum.oldest = due.value;
	return undefined;
}

/** Its number, else its ID. */
const nameOf = ({ invoice_number: number, id }: Invoice): string =>
	[number, id].find((one) => typeof one === 'string' && one !== '') as string;

const idOf = (customer: unknown): string | null => {
	const { id } = (customer ?? {}) as { id?: unknown };
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : null;
};

function balanceOf({ id, name, email, currency, byAge, invoices, oldest }: Sum): Balance {
	const amounts = ages.map((age) => byAge.get(age) ?? Decimal.zero);
	const [notDue, ...late] = amounts;
	const overdue = Decimal.sum(late);
	const open = overdue.plus(notDue);
	const texts = ages.map((age, at) => [age, `${amounts[at]}`]);
	return {
		name,
		currency,
		open: `${open}`,
		overdue: `${overdue}`,
		...(Object.fromEntries(texts) as Record<Age, string>),
		invoices,
		oldest_due_date: oldest,
		email,
		id,
	};
}

const byCurrencyAndAmount = (one: Balance, other: Balance): number =>
	one.currency.localeCompare(other.currency) ||
	largestFirst(Decimal.of(one.overdue), Decimal.of(other.overdue)) ||
	largestFirst(Decimal.of(one.open), Decimal.of(other.open));

const largestFirst = (one: Decimal, other: Decimal): number =>
	Number(other.isMoreThan(one)) - Number(one.isMoreThan(other));
