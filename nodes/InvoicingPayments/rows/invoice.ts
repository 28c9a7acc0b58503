import type { IDataObject } from 'n8n-workflow';
import { totalOf } from '../invoices/compareInvoice';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { Operation } from '../execution/operation';
import type { Unit } from '../execution/plan';
import { comparableNumber } from '../invoices/comparableNumber';
import { policyOf } from '../execution/settings';
import type { InvoiceBody } from '../invoices/invoiceRequest';
import { looksForNumber } from '../invoices/invoiceRequest';
import { rowFields } from './rowFields';
import type { Group } from './group';
import type { RowSettings } from './rowSettings';
import type { Row } from './row';
import { agreed, nameOf } from './row';

const day = 86_400_000;

/** The due date of rows that have none: so many days after today, in the workflow's time zone. */
export function dueDateOf({ dueInDays: days }: RowSettings, zone: string): string | undefined {
	if (days === undefined) return undefined;
	const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
	return new Date(Date.parse(today) + days * day).toISOString().slice(0, 10);
}

/** Where the number says whether an invoice exists, two invoices of one sheet with the same number would lose one of them. */
export function checkNumbers(groups: Group[], settings: RowSettings): void {
	if (!looksForNumber(settings)) return;
	const first = new Map<unknown, Group>();
	for (const group of groups) {
		const numbered = group.rows.find(({ values }) => values.has('invoiceNumber'));
		if (!numbered) continue;
		const number = numbered.values.get('invoiceNumber');
		const before = first.get(comparableNumber(number));
		if (!before) first.set(comparableNumber(number), group);
		else
			group.problems.push(
				`Row ${numbered.number}: Invoice Number ${JSON.stringify(number)} is also used by another invoice (${nameOf(before.rows)}). Group the rows by invoice number, or use a different number for each`,
			);
	}
}

/** The invoice that the rows of a group make. */
export function unitOf(
	{ rows, problems }: Group,
	operation: Operation,
	settings: RowSettings,
	dueDate: string | undefined,
): Unit {
	const found = [...rows.flatMap((row) => row.problems), ...problems];
	const body: IDataObject = {};
	const defaults: Record<string, unknown> = {
		currency: settings.currency,
		dueDate,
	};
	for (const field of rowFields) {
		const { name, displayName, required, property, isOfItem } = field;
		if (isOfItem) continue;
		const said = agreed(rows, field);
		if ('problem' in said) found.push(said.problem);
		else if ((said.value ?? defaults[name]) !== undefined)
			body[property] = (said.value ?? defaults[name]) as IDataObject[string];
		else if (required && !rows.some(({ invalid }) => invalid.has(name)))
			found.push(`${capital(nameOf(rows))}: ${displayName} is empty, but it is required`);
	}
	body.items = rows.map(itemOf) as unknown as IDataObject[];
	const number = body.invoice_number as string | undefined;
	const isNumberSaid = rows.some(
		({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'),
	);
	if (!isNumberSaid && looksForNumber(settings) && !problems.length) {
		found.push(
			`${capital(nameOf(rows))}: Invoice Number is empty, but 'If Invoice Number Exists' needs it`,
		);
	}
	const { method, url: path } = operation.routing.request;
	return {
		items: rows.map(({ index }) => index),
		name: `${number === undefined ? '' : `invoice ${number}, `}${nameOf(rows)}`,
		fields: {
			...(number !== undefined && { invoice_number: number }),
			rows: rows.map((row) => row.number),
		},
		ready: found.length
			? { problems: found }
			: settings.onlyValidate
				? { results: [{ outcome: 'valid', ...body, ...totals(body) }] }
				: {
						request: {
							request: { method, path, body },
							response: operation.response,
							settings,
							policy: policyOf(settings),
						},
					},
	};
}

const capital = (text: string) => text[0].toUpperCase() + text.slice(1);

/** A row's item; without a quantity it counts once. */
const itemOf = ({ values }: Row) => ({
	name: values.get('itemName'),
	amount: values.get('itemAmount'),
	quantity: values.get('itemQuantity') ?? 1,
});

/** What the invoice comes to, before taxes and fees. How the service rounds a discount is not known, so it is exact. */
function totals(body: IDataObject): IDataObject {
	const subtotal = totalOf(body.items as unknown as InvoiceBody['items']);
	// Hundredths of thousandths: a percentage of an amount has up to five decimals.
	const exact = toThousandths(subtotal) * BigInt(100);
	const discount = toThousandths(subtotal) * BigInt(Number(body.discount_percentage ?? 0));
	return { subtotal, discount: toDecimal(discount, 5), total: toDecimal(exact - discount, 5) };
}
