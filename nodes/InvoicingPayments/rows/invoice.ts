import type { IDataObject } from 'n8n-workflow';
import { totalOf } from '../../shared/compareInvoice';
import { toDecimal, toThousandths } from '../../shared/decimal';
import type { Operation } from '../../shared/operation';
import type { Unit } from '../../shared/plan';
import { formOf } from '../../shared/numberForm';
import { mannerOf } from '../../shared/settings';
import type { InvoiceItem } from '../resources/invoice/items';
import { rowFields } from './fields';
import type { Group } from './group';
import type { Settings } from './settings';
import type { Row } from './table';
import { agreed, nameOf } from './table';

const day = 86_400_000;

/** The due date of rows that have none: so many days after today, in the workflow's time zone. */
export function dueDateOf({ due_in_days: days }: Settings, zone: string): string | undefined {
	if (days === undefined) return undefined;
	const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
	return new Date(Date.parse(today) + days * day).toISOString().slice(0, 10);
}

/** Where the number says whether an invoice exists, two invoices of one sheet with the same number would lose one of them. */
export function checkNumbers(groups: Group[], { if_number_exists: ifExists }: Settings): void {
	if (ifExists === 'create') return;
	const first = new Map<unknown, Group>();
	for (const group of groups) {
		const numbered = group.rows.find(({ values }) => values.has('invoiceNumber'));
		if (!numbered) continue;
		const number = numbered.values.get('invoiceNumber');
		const before = first.get(formOf(number));
		if (!before) first.set(formOf(number), group);
		else
			group.problems.push(
				`Row ${numbered.number}: Invoice Number ${JSON.stringify(number)} is that of another invoice as well (${nameOf(before.rows)}). Group the rows by invoice number, or give each its own`,
			);
	}
}

/** The invoice that the rows of a group make. */
export function unitOf(
	{ rows, problems }: Group,
	operation: Operation,
	settings: Settings,
	dueDate: string | undefined,
): Unit {
	const found = [...rows.flatMap((row) => row.problems), ...problems];
	const body: IDataObject = {};
	const standard: Record<string, unknown> = {
		currency: settings.default_currency,
		dueDate,
	};
	for (const { name, field, rule, isOfItem } of rowFields) {
		if (isOfItem) continue;
		const said = agreed(rows, name, rule);
		if ('problem' in said) found.push(said.problem);
		else if ((said.value ?? standard[name]) !== undefined)
			body[field] = (said.value ?? standard[name]) as IDataObject[string];
		else if (rule.required && !rows.some(({ invalid }) => invalid.has(name)))
			found.push(`${capital(nameOf(rows))}: ${rule.label} is empty, but it is required`);
	}
	body.items = rows.map(itemOf) as unknown as IDataObject[];
	const number = body.invoice_number as string | undefined;
	const isNumberSaid = rows.some(
		({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'),
	);
	if (!isNumberSaid && settings.if_number_exists !== 'create' && !problems.length) {
		found.push(
			`${capital(nameOf(rows))}: Invoice Number is empty, but If Invoice Number Exists looks for it`,
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
			: settings.only_validate
				? { results: [{ outcome: 'valid', ...body, ...totals(body) }] }
				: {
						task: {
							request: { method, path, body },
							answer: operation.routing.answer,
							simple: operation.routing.simple,
							settings,
							manner: mannerOf(settings),
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
	const subtotal = totalOf(body.items as unknown as InvoiceItem[]);
	// Hundredths of thousandths: a percentage of an amount has up to five decimals.
	const exact = toThousandths(subtotal) * BigInt(100);
	const discount = toThousandths(subtotal) * BigInt(Number(body.discount_percentage ?? 0));
	return { subtotal, discount: toDecimal(discount, 5), total: toDecimal(exact - discount, 5) };
}
