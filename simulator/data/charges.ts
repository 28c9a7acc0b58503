import type { Charge } from '../../contract';
import { chargeType } from '../../contract';
import { Draw, momentOf } from '../draw';
import { toDecimal } from '../money';
import type { Customer } from './people';
import { lastNames, makeUser } from './people';

const secondsBetween = 420;
const products = ['Workshop', 'Monthly plan', 'Delivery', 'Repair', 'Consulting hour', 'Gift card'];

/** What the filters look at (spec 4.3). Cheap to draw for a hundred thousand charges. */
export interface ChargeFacts {
	id: string;
	created: number;
	currency: string;
	status: string;
	type: string;
	customerId: string;
	total: bigint;
	note: string;
}

/** If charges do not share timestamps, every tenth still ties with the one before. */
export function chargeCreatedAt(newest: number, index: number, perMoment: number): number {
	const step = perMoment === 1 && index % 10 === 9 ? index - 1 : index;
	return momentOf(newest, step, perMoment, secondsBetween);
}

function facts(draw: Draw, created: number, customers: Customer[]): ChargeFacts {
	return {
		id: draw.uuid(),
		created,
		currency: draw.pick(['EUR', 'EUR', 'EUR', 'USD', 'SEK', 'KWD']),
		status: draw.pick(['authorised', 'authorised', 'captured', 'refunded', 'declined']),
		type: draw.pick(chargeType.options),
		customerId: draw.pick(customers).id,
		total: BigInt(draw.int(100, 250_000)) * 10n,
		note: draw.chance(30) ? `Order ${draw.digits(5)}` : '',
	};
}

export function chargeFacts(
	seed: number,
	created: number,
	index: number,
	customers: Customer[],
): ChargeFacts {
	return facts(new Draw(seed, 'charge', index), created, customers);
}

/** spec 2.10 */
export function makeCharge(
	seed: number,
	created: number,
	index: number,
	customers: Customer[],
): { facts: ChargeFacts; charge: Charge } {
	const draw = new Draw(seed, 'charge', index);
	const known = facts(draw, created, customers);
	const at = new Date(created).toISOString();
	const user = makeUser(draw);
	const total = toDecimal(known.total);
	const last4 = draw.digits(4);
	const bin = `4${draw.digits(5)}`;
	const holder = `${draw.pick(lastNames)} Holder`;
	const expiry = { expiry_month: '09', expiry_year: '2029' };
	const charge: Charge = {
		id: known.id,
		reference_id: 1_000_000 + index,
		created: at,
		items: [
			{
				amount: total,
				name: draw.pick(products),
				total_amount: total,
				quantity: 1,
				product: draw.uuid(),
				sku: `SKU-${draw.digits(4)}`,
			},
		],
		currency: known.currency,
		discount: '0.00',
		status: known.status,
		tip: '0.00',
		tax: '0.00',
		total,
		refund_total: known.status === 'refunded' ? total : '0.00',
		note: known.note,
		payment_method: draw.pick(['cash', 'card', 'card', 'transfer']),
		user,
		events: { created: at, type: 'authorised', message: 'Payment authorised', user },
		settlement_currency: known.currency,
		fee: draw.int(10, 900) / 100,
		fx_fee: 0,
		fee_tax: '0.00',
		net: Number(known.total / 10n) / 100,
		network_cost: '0.05',
		success_url: 'https://shop.example/thanks',
		failure_url: 'https://shop.example/failed',
		service_fee: '0.00',
		discount_percentage: '0.00',
		service_fee_percentage: '0.00',
		tip_percentage: '0.00',
		source: {
			type: 'card',
			token: `src_${draw.hex(20)}`,
			...expiry,
			name: holder,
			scheme: 'visa',
			scheme_local: '',
			last4,
			bin,
			card_type: 'debit',
			card_category: 'consumer',
			issuer: 'Example Bank',
			issuer_country: 'SE',
			product_id: 'F',
			product_type: 'Classic',
			expires_on: '2029-09-30',
			card_holder_name: holder,
			card_data: {
				card_number: `${bin}${draw.digits(6)}${last4}`,
				...expiry,
				security_code: draw.digits(3),
				card_holder_name: holder,
			},
		},
		custom_fields: [],
		refunds: known.status === 'refunded' ? [{ created: at, amount: total }] : [],
		payment_capture_source: 'web',
	};
	return { facts: known, charge };
}
