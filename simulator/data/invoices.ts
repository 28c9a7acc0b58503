import type { Invoice, InvoiceListItem, InvoiceRequest } from '../../contract';
import { invoice, invoiceListItem, invoiceStatus } from '../../contract';
import { Draw, momentOf } from '../draw';
import { toDecimal, toThousandths } from '../money';
import type { Settings } from '../settings';
import { makeUser } from './people';
import { withReturned } from './returned';

/** The request, and both shapes in which the service shows the invoice. */
export interface StoredInvoice {
	created: number;
	request: InvoiceRequest;
	full: Invoice;
	listed: InvoiceListItem;
	allowTip: boolean;
}

const day = 86_400_000;
const instant = (value: string | number) => new Date(value).toISOString();

/** The invoice that the service makes of a request (spec 4.1, 2.3, 2.5). */
export function makeInvoice(
	draw: Draw,
	request: InvoiceRequest,
	customer: Record<string, unknown>,
	created: number,
	index: number,
	status: Invoice['status'],
): StoredInvoice {
	const items = request.items.map((item) => {
		const quantity = item.quantity ?? 1;
		const amount = toThousandths(item.amount ?? '0');
		return {
			id: draw.uuid(),
			amount: toDecimal(amount),
			total_amount: toDecimal(amount * BigInt(quantity)),
			name: item.name ?? '',
			quantity,
			sku: '',
		};
	});
	const sum = items.reduce((total, item) => total + toThousandths(item.total_amount), 0n);
	const discount = (sum * BigInt(request.discount_percentage)) / 100n;
	const id = draw.uuid();
	const user = makeUser(draw);
	const title = request.title ?? '';
	const due = instant(`${request.due_date}T00:00:00Z`);
	const shared = {
		id,
		title,
		url: `https://pay.service.example/i/${id}`,
		amount: toDecimal(sum - discount),
		currency: request.currency,
		status,
		discount: toDecimal(discount),
		tax: '0.00',
		items,
		note: request.note ?? '',
		tip: '0.00',
		invoice_number: request.invoice_number ?? `INV-${String(index + 1).padStart(5, '0')}`,
		due_date: due,
		source: 'service_api' as const,
		customer,
	};
	const allowTip = draw.chance(20);
	const full = {
		...shared,
		reference_id: `R${1000 + index}`,
		created: instant(created),
		code: draw.hex(8),
		expiry: instant(created + 90 * day),
		user,
		service_date: due,
		interval_count: 0,
		starts_at: instant(request.starts_at ? `${request.starts_at}T00:00:00Z` : created),
		ends_at: due,
		due_days: Math.max(0, Math.round((Date.parse(due) - created) / day)),
		files: [],
		reminders: [],
		events: [{ created: instant(created), type: 'created', message: 'Invoice created', user }],
		service_fee: null,
		discount_percentage: `${request.discount_percentage}.00`,
		service_fee_percentage: null,
		tip_percentage: null,
		custom_fields: (request.custom_fields ?? []).map(({ name }) => ({ name, value: '' })),
		payment_capture_source: 'web',
	};
	const listed = {
		...shared,
		service_fee: '0.00',
		taxes: [],
		discount_percentage: request.discount_percentage,
		service_fee_percentage: '0.00',
		tip_percentage: 0,
		custom_fields: (request.custom_fields ?? []).map(({ name }) => ({
			name,
			is_required: false,
		})),
	};
	return {
		created,
		request,
		allowTip,
		full: withReturned(full, request, invoice),
		listed: withReturned(listed, request, invoiceListItem),
	};
}

export function storedNumber(sent: string, form: Settings['storedNumbers']): string {
	const forms: Record<typeof form, () => string> = {
		kept: () => sent,
		upperCase: () => sent.toUpperCase(),
		withoutSpaces: () => sent.replaceAll(' ', ''),
		padded: () => `${sent}  `,
		nfc: () => sent.normalize('NFC'),
		truncated: () => [...sent].slice(0, 8).join(''),
		numeric: () => (/^\d+$/.test(sent) ? sent.replace(/^0+(?=\d)/, '') : sent),
	};
	return forms[form]();
}

// Tests begin with the same invoices many times.
const made = new Map<string, StoredInvoice[]>();

/** Newest first. The invoices are shared, so replace them instead of changing them. */
export function seededInvoices(
	{ seed, newest, invoices, invoicesPerMoment }: Settings,
	customers: Array<{ id: string }>,
): StoredInvoice[] {
	const key = JSON.stringify([seed, newest, invoices, invoicesPerMoment, customers]);
	const known = made.get(key);
	if (known) return [...known];
	const all = Array.from({ length: invoices }, (_, index) =>
		seededInvoice(seed, Date.parse(newest), index, invoicesPerMoment, customers),
	);
	if (made.size >= 10) made.clear();
	made.set(key, all);
	return [...all];
}

function seededInvoice(
	seed: number,
	newest: number,
	index: number,
	perMoment: number,
	customers: Array<{ id: string }>,
): StoredInvoice {
	const draw = new Draw(seed, 'invoice', index);
	const created = momentOf(newest, index, perMoment, 3 * 3600);
	const request: InvoiceRequest = {
		currency: draw.pick(['EUR', 'EUR', 'USD', 'SEK']),
		items: Array.from({ length: draw.int(1, 3) }, () => ({
			name: draw.pick(['Consulting', 'Support', 'Licence', 'Travel costs']),
			amount: toDecimal(BigInt(draw.int(500, 90_000)) * 10n),
			quantity: draw.int(1, 4),
		})),
		customer: '',
		due_date: new Date(created + draw.int(7, 45) * day).toISOString().slice(0, 10),
		discount_percentage: draw.pick([0, 0, 0, 5, 10]),
		invoice_number: `2026-${String(1000 - index).padStart(4, '0')}`,
		title: `Services ${draw.pick(['January', 'February', 'March', 'April', 'May'])}`,
		shipping_address_required: draw.chance(25),
		allow_installment_a: true,
		allow_installment_b: true,
		allow_service_fee: true,
	};
	const customer = draw.pick(customers);
	return makeInvoice(
		draw,
		{ ...request, customer: customer.id },
		customer,
		created,
		index,
		draw.pick(invoiceStatus.options),
	);
}
