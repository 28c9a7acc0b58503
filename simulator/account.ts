import type { z } from 'zod/v4';
import type {
	Charge,
	chargeListQuery,
	Invoice,
	InvoiceListItem,
	invoiceListQuery,
	InvoiceRequest,
	Member,
	MemberRequest,
	PaymentLink,
} from '../contract';
import { serviceClock } from './clock';
import type { ChargeFacts } from './data/charges';
import { chargeCreatedAt, chargeFacts, makeCharge } from './data/charges';
import type { StoredInvoice } from './data/invoices';
import { makeInvoice, seededInvoices, storedNumber } from './data/invoices';
import { seededLink } from './data/links';
import { makeMember, seededMember } from './data/members';
import type { Customer } from './data/people';
import { makeCustomers, shownCustomer } from './data/people';
import { Draw } from './draw';
import { Ledger } from './ledger';
import { toThousandths } from './money';
import type { Settings } from './settings';

type ChargeQuery = z.infer<typeof chargeListQuery>;
type InvoiceQuery = z.infer<typeof invoiceListQuery>;

/** Any field of a charge, and those that only filters see (spec 4.3). */
interface NewCharge extends Partial<Charge> {
	type?: string;
	customer_id?: string;
}

interface NewInvoice extends Partial<Omit<InvoiceRequest, 'customer'>> {
	status?: Invoice['status'];
	customer_id?: string;
}

/** Bounds memory. Lists are read many times. */
const maxSeen = 20_000;

/** The data of one account. Knows nothing of HTTP. */
export class Account {
	private readonly seenCharges = new Map<number, Charge>();
	readonly customers: Customer[];
	readonly links: PaymentLink[];
	readonly members: Member[];
	readonly invoices: StoredInvoice[];
	// An index: scanning all invoices for each of ten thousand numbers takes a minute.
	private readonly byNumber = new Map<string, Set<number>>();
	private readonly invoiceLedger: Ledger;
	private readonly newest: number;
	private readonly addedCharges: Array<{ facts: ChargeFacts; charge: Charge }> = [];
	private readonly chargeLedger: Ledger;

	constructor(private readonly settings: Settings) {
		const { seed } = settings;
		this.newest = Date.parse(settings.newest);
		this.customers = makeCustomers(seed, settings.customers);
		const shown = this.customers.map((one) => shownCustomer(one, settings.customerFields));
		this.links = Array.from({ length: settings.links }, (_, index) => seededLink(seed, index));
		this.members = Array.from({ length: settings.members }, (_, index) =>
			seededMember(seed, index),
		);
		this.invoices = seededInvoices(settings, shown);
		this.invoices.forEach((invoice, index) => this.noteNumber(invoice, index));
		this.invoiceLedger = new Ledger(settings.invoices, (ref) => this.invoices[ref].created);
		this.chargeLedger = new Ledger(settings.charges, (ref) => this.chargeCreated(ref));
	}

	/** What a path of the contract leads to; of long lists, the newest. */
	at(path: string): ReadonlyArray<{ id: string }> {
		const all: Partial<Record<string, () => ReadonlyArray<{ id: string }>>> = {
			'/v1/charges': () =>
				this.listCharges({}, 1, 50, 'newestFirst').results.map((one) => ({
					...one,
					id: String(one.id),
				})),
			'/v1/invoices': () => this.invoices.map(({ full }) => full),
			'/v1/links': () => this.links,
			'/v1/members': () => this.members,
		};
		return all[path.replace('/{id}', '')]?.() ?? [];
	}

	/** Invoices created since the start, oldest first. */
	get created(): StoredInvoice[] {
		return this.invoices.slice(this.settings.invoices);
	}

	/** `request` must match the contract. */
	createInvoice(
		request: InvoiceRequest,
		now: number,
		numbers: Settings['storedNumbers'] = 'kept',
	): StoredInvoice {
		const index = this.invoices.length;
		const known = this.customers.find(({ id }) => id === request.customer);
		const customer = known
			? shownCustomer(known, this.settings.customerFields)
			: { id: request.customer };
		const draw = new Draw(this.settings.seed, 'created', index);
		const { invoice_number: sent } = request;
		const kept =
			sent === undefined ? request : { ...request, invoice_number: storedNumber(sent, numbers) };
		const stored = { ...makeInvoice(draw, kept, customer, now, index, 'unpaid'), request };
		this.invoices.push(stored);
		this.noteNumber(stored, index);
		this.invoiceLedger.add(index);
		return stored;
	}

	listInvoices(
		query: InvoiceQuery,
		page: number,
		pageSize: number,
		match: Settings,
		now = serviceClock.now(),
	) {
		const filters = filtersOf(query);
		const { invoiceNumberMatch: numberMatch } = match;
		const filterKey = keyOf(filters, numberMatch);
		const isExact = numberMatch === 'exact' && query.invoice_number !== undefined;
		const numbered = this.byNumber.get(query.invoice_number ?? '');
		const { order, timestampTies, listLagMs } = match;
		const listed = this.invoiceLedger.page({
			order,
			timestampTies,
			filterKey,
			matches: (ref) =>
				(!isExact || numbered?.has(ref) === true) &&
				invoiceMatches(this.invoices[ref], filters, numberMatch),
			...(listLagMs > 0 && {
				isHidden: (ref) =>
					ref >= this.settings.invoices && now - this.invoices[ref].created < listLagMs,
			}),
			page,
			pageSize,
		});
		return { count: listed.count, results: listed.refs.map((ref) => this.invoices[ref].listed) };
	}

	/** Adds an invoice as if made in the service itself. `created`: milliseconds since 1970. */
	addInvoice(
		{ status = 'unpaid', customer_id: customer, ...change }: NewInvoice,
		created: number,
	): InvoiceListItem {
		const [anyone] = this.customers;
		const request: InvoiceRequest = {
			currency: 'EUR',
			items: [{ name: 'Consulting', amount: '100.00', quantity: 1 }],
			due_date: new Date(created).toISOString().slice(0, 10),
			discount_percentage: 0,
			shipping_address_required: false,
			allow_installment_a: true,
			allow_installment_b: true,
			allow_service_fee: true,
			...change,
			customer: customer ?? anyone.id,
		};
		const { full } = this.createInvoice(request, created);
		return this.changeInvoice(full.id, status) as InvoiceListItem;
	}

	changeInvoice(id: string, status: Invoice['status']): InvoiceListItem | undefined {
		const at = this.invoices.findIndex(({ full }) => full.id === id);
		if (at < 0) return undefined;
		const { full, listed, ...rest } = this.invoices[at];
		const changed = { ...rest, full: { ...full, status }, listed: { ...listed, status } };
		this.invoices[at] = changed;
		this.invoiceLedger.changed();
		return changed.listed;
	}

	/** `YYYY-MM-DD` */
	postponeInvoice(id: string, day: string): InvoiceListItem | undefined {
		const found = this.invoices.find(({ full }) => full.id === id);
		if (!found) return undefined;
		found.full = { ...found.full, due_date: `${day}T00:00:00Z` };
		found.listed = { ...found.listed, due_date: `${day}T00:00:00Z` };
		this.invoiceLedger.changed();
		return found.listed;
	}

	changeCharge(id: string, status: string): Charge | undefined {
		const added = this.addedCharges.find(({ facts }) => facts.id === id);
		if (!added) return undefined;
		added.facts.status = status;
		added.charge.status = status;
		this.chargeLedger.changed();
		return added.charge;
	}

	changeMember(id: string, status: Member['status']): Member | undefined {
		const member = this.members.find((one) => one.id === id);
		if (member) member.status = status;
		return member;
	}

	private noteNumber({ full: { invoice_number: number } }: StoredInvoice, ref: number): void {
		this.byNumber.set(number, (this.byNumber.get(number) ?? new Set()).add(ref));
	}

	/** The charge was made at `charge.created`, or now. */
	addCharge(charge: NewCharge, now: number): Charge {
		const { type, customer_id: customerId, ...shown } = charge;
		const ref = this.settings.charges + this.addedCharges.length;
		const created = shown.created === undefined ? now : Date.parse(shown.created);
		const made = makeCharge(this.settings.seed, created, ref, this.customers);
		Object.assign(made.charge, shown);
		Object.assign(made.facts, {
			id: made.charge.id,
			currency: made.charge.currency,
			status: made.charge.status,
			note: made.charge.note,
			total: toThousandths(made.charge.total ?? '0'),
			...(type !== undefined && { type }),
			...(customerId !== undefined && { customerId }),
		});
		this.addedCharges.push(made);
		this.chargeLedger.add(ref);
		return made.charge;
	}

	/** Returns whether an added charge has this ID. */
	removeCharge(id: string): boolean {
		const index = this.addedCharges.findIndex(({ facts }) => facts.id === id);
		return index >= 0 && this.chargeLedger.remove(this.settings.charges + index);
	}

	listCharges(
		query: ChargeQuery,
		page: number,
		pageSize: number,
		order: Settings['order'],
		timestampTies: Settings['timestampTies'] = 'stable',
	) {
		const filters = filtersOf(query);
		const listed = this.chargeLedger.page({
			order,
			timestampTies,
			filterKey: keyOf(filters),
			matches: (ref) => chargeMatches(this.chargeFacts(ref), filters),
			page,
			pageSize,
		});
		return { count: listed.count, results: listed.refs.map((ref) => this.charge(ref)) };
	}

	createMember(request: MemberRequest): Member {
		const draw = new Draw(this.settings.seed, 'owner', this.members.length);
		const member = makeMember(draw, request, 'invited');
		this.members.push(member);
		return member;
	}

	private chargeCreated(ref: number): number {
		const added = this.addedCharges[ref - this.settings.charges];
		if (added) return added.facts.created;
		return chargeCreatedAt(this.newest, ref, this.settings.chargesPerMoment);
	}

	private chargeFacts(ref: number): ChargeFacts {
		const added = this.addedCharges[ref - this.settings.charges];
		if (added) return added.facts;
		return chargeFacts(this.settings.seed, this.chargeCreated(ref), ref, this.customers);
	}

	private charge(ref: number): Charge {
		const added = this.addedCharges[ref - this.settings.charges];
		if (added) return added.charge;
		const known = this.seenCharges.get(ref);
		if (known) return known;
		const made = makeCharge(this.settings.seed, this.chargeCreated(ref), ref, this.customers);
		if (this.seenCharges.size >= maxSeen) this.seenCharges.clear();
		this.seenCharges.set(ref, made.charge);
		return made.charge;
	}
}

function filtersOf<Q extends { page?: number; page_size?: number }>(query: Q) {
	return { ...query, page: undefined, page_size: undefined };
}

function keyOf(filters: Record<string, unknown>, ...rest: string[]): string {
	const used = Object.entries(filters).filter(([, value]) => value !== undefined);
	return used.length ? JSON.stringify([used.sort(), ...rest]) : '';
}

const same = <T>(wanted: T | undefined, actual: T) => wanted === undefined || wanted === actual;
const within = (wanted: string | undefined, ...texts: string[]) =>
	wanted === undefined || texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));

function chargeMatches(facts: ChargeFacts, query: ChargeQuery) {
	return (
		same(query.currency, facts.currency) &&
		same(query.customer_id, facts.customerId) &&
		same(query.id, facts.id) &&
		same(query.status, facts.status) &&
		same(query.type, facts.type as ChargeQuery['type']) &&
		within(query.search, facts.note, facts.id)
	);
}

function invoiceMatches(
	{ full, request, allowTip }: StoredInvoice,
	query: InvoiceQuery,
	numberMatch: Settings['invoiceNumberMatch'],
) {
	const { invoice_number: number } = query;
	return (
		(numberMatch !== 'contains' || within(number, full.invoice_number)) &&
		same(query.allow_tip, allowTip) &&
		same(query.currency, full.currency) &&
		same(query.customer_id, request.customer) &&
		same(query.id, full.id) &&
		same(query.shipping_address_required, full.shipping_address_required) &&
		same(query.status, full.status) &&
		within(query.reference_id, full.reference_id, full.title)
	);
}
