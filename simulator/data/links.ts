import type { PaymentLink } from '../../contract';
import { Draw } from '../draw';
import { toDecimal } from '../money';

/** spec 2.7 */
export function seededLink(seed: number, index: number): PaymentLink {
	const draw = new Draw(seed, 'link', index);
	const id = draw.uuid();
	const amount = toDecimal(BigInt(draw.int(500, 50_000)) * 10n);
	const name = draw.pick(['Donation', 'Course fee', 'Deposit', 'Ticket']);
	return {
		id,
		reference_id: `L${500 + index}`,
		title: name,
		url: `https://pay.service.example/l/${id}`,
		amount,
		currency: 'EUR',
		status: draw.pick(['enabled', 'enabled', 'disabled']),
		discount: '0.00',
		service_fee: '0.00',
		allow_tip: draw.chance(50),
		shipping_address_required: false,
		items: [{ id: draw.uuid(), amount, total_amount: amount, name, quantity: 1, sku: '' }],
		tax: '0.00',
		note: '',
		taxes: [{ name: 'VAT', mode: 'percentage', mode_value: '25.000', value: '0.000' }],
		discount_percentage: 0,
		service_fee_percentage: '0.00',
		tip: '0.00',
		tip_percentage: 0,
		due_date: '2026-12-31T00:00:00Z',
		custom_fields: [{ name: 'Reason', is_required: draw.chance(50) }],
		source: 'web',
		allow_installment_a: true,
		allow_installment_b: false,
		allow_service_fee: true,
		payment_expiry_limit: null,
		expiry_date: null,
	};
}
