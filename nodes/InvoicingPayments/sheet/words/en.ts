import type { Language } from './language';

export const en: Language = {
	code: 'en',
	head: 'last',
	prepositions: 'on per of for this in by at from to with as'.split(' '),
	identifiers:
		'id ids uid guid code codes key number ref reference sku ean upc isbn gtin barcode zip postcode postal phone tel telephone mobile fax row line position pos index center centre account acct room seat floor level grade age rating score rank priority version table gate bay lane sprint slot batch lot serial extension ext locker desk apartment apt plate tracking token handle branch depot store class po hsn sac'.split(
			' ',
		),
	identifierEndings: ['number', 'code'],
	ranges: {
		// Deals that are not won are not billed.
		probability: [100, 100],
		likelihood: [100, 100],
		week: [1, 53],
		wk: [1, 53],
		month: [1, 12],
		quarter: [1, 4],
		year: [1900, 2100],
		since: [1900, 2100],
	},
	dates:
		'date day since on start starts started end ends ended begin begins from until till pickup dropoff return checkin checkout check in out arrival departure created updated modified issued sent delivered shipped ordered booked opened closed deadline expiry expires renewal renews timestamp time when at'.split(
			' ',
		),
	timeUnits: {
		year: 'year years yearly annual annually'.split(' '),
		hour: 'hour hours hourly hr hrs'.split(' '),
		day: 'day days daily'.split(' '),
		night: 'night nights nightly'.split(' '),
		week: 'week weeks weekly'.split(' '),
		month: 'month months monthly'.split(' '),
	},
	times: 'time duration'.split(' '),
	coordinates: 'latitude longitude lat lng lon'.split(' '),
	moments: 'last next first previous appointment visit'.split(' '),
	births: ['birth', 'born', 'birthday', 'birthdate', 'dob'],
	otherMoney: {
		taxes:
			'tax taxes duty duties excise levy cess vat gst hst pst qst sgst cgst igst tds withholding'.split(
				' ',
			),
		taxParts: 'name rate class type category percent amount value total sum code treatment'.split(
			' ',
		),
		others:
			'discount discounts disc rebate rebates reduction voucher vouchers coupon coupons shipping freight postage delivery handling fee fees latefee latefees surcharge surcharges commission tip tips gratuity deposit deposits retainer prepaid prepayment paid received collected arrears refund refunded refunds credit credits adjustment adjustments rounding insurance packaging interest penalty advance payment payments withheld retention overdue'.split(
				' ',
			),
	},
	prices: 'price rate cost charge'.split(' '),
	per: ['per'],
	how: {
		asks: 'how',
		harmless: 'old tall likely satisfied happy well would did experienced'.split(' '),
	},
	multiples: 'dozen hundred thousand half quarter dozens hundreds thousands'.split(' '),
	dimensions: 'weight distance length area volume height width depth'.split(' '),
	units: 'unit uom measure'.split(' '),
	counts:
		'quantity qty units pieces pcs hours days nights weeks months persons people guests users participants attendees sessions seats tickets'.split(
			' ',
		),
	amounts:
		'amount amounts total totals sum price prices cost costs rate value net gross subtotal balance charge charges due payable'.split(
			' ',
		),
	totals: [
		...['total', 'totals', 'subtotal', 'subtotals', 'sum', 'grand total', 'balance due'],
		...['amount due', 'amount payable', 'amount paid', 'total due', 'carried forward'],
		...['brought forward', 'balance forward'],
	],
	aroundTotals:
		'grand sub overall net gross invoice order line lines item items due payable amount amounts balance carried brought forward of for the this all in excl excluding incl including inc ex tax taxes vat gst hst and with without before after page month number hours qty quantity'.split(
			' ',
		),
	deductions:
		'discount discounts credit credits deposit deposits paid refund refunds rebate prepayment voucher deduction'.split(
			' ',
		),
	afterDeductions: 'of for on from at received already applied note memo balance'.split(' '),
	notBilled: [
		...[
			'void',
			'voided',
			'cancelled',
			'canceled',
			'paid',
			'credit memo',
			'credit note',
			'cr',
			'billed',
			'settled',
			'partially paid',
			'deposit paid',
			'already paid',
			'rejected',
			'duplicate',
			'uncollectible',
			'do not charge',
			'quote',
			'estimate',
			'refund',
			...['lost', 'closed lost', 'declined', 'no show', 'waitlisted', 'returned', 'expired'],
			...['prepaid', 'paid online', 'paid cash', 'free of charge', 'waived', 'withdrawn'],
		],
		...['deleted', 'not billable', 'non billable', 'nonbillable', 'unbillable', 'refunded'],
		...[
			'written off',
			'do not bill',
			'do not invoice',
			'already invoiced',
			'already billed',
			'invoiced',
		],
	],
	billable: [
		'billable',
		'chargeable',
		'bill',
		'invoice it',
		'to bill',
		'to invoice',
		'to be invoiced',
		'to be billed',
		'send invoice',
		...['charge', 'attended', 'confirmed', 'completed'],
		'include',
	],
	done: 'invoiced billed paid cancelled canceled deleted void voided refunded settled payment exclude excluded skip complimentary nonbillable sent waived prepaid duplicate'.split(
		' ',
	),
	yes: [
		'yes',
		'y',
		'true',
		'x',
		'1',
		'✓',
		'✔',
		'done',
		'complete',
		'completed',
		'succeeded',
		'successful',
		'received',
	],
	no: [
		'no',
		'n',
		'false',
		'0',
		'none',
		'nil',
		'exempt',
		'free',
		'outside scope',
		'zero rated',
		'not applicable',
		'n a',
	],
};
