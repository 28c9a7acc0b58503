import type { IDataObject } from 'n8n-workflow';
import { toThousandths } from '../../shared/fields/decimal';
import type { Operation } from '../execution/operation';
import type { Unit } from '../execution/plan';
import { policyOf } from '../execution/settings';
import { comparableNumber } from '../invoices/comparableNumber';
import { looksForNumber } from '../invoices/invoiceRequest';
import type { InvoiceItem } from '../invoices/items';
import { currencyOf } from './currency';
import { dueDateOf } from './dueDate';
import type { Group } from './group';
import type { CustomerMatch, Row } from './row';
import { agreed, nameOf, textOf } from './row';
import { rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { Sums } from './totals';
import { sumsOf } from './totals';

/** The invoice that the rows of a group make, as far as they say what it is to be. */
export interface Draft {
	group: Group;
	/** The request's body (spec 4.1). */
	body: IDataObject;
	sums?: Sums;
	match?: CustomerMatch;
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

const capital = (text: string) => text[0].toUpperCase() + text.slice(1);
const mostDigits = toThousandths('9999999999.999');

/** Makes the invoice of a group; what it lacks, and where its rows contradict each other, becomes a problem of the group. */
export function draftOf(group: Group, settings: RowSettings, today: string): Draft {
	const { rows, problems } = group;
	const body: IDataObject = {};
	if (rows.every(({ isSum }) => isSum)) return { group, body };
	const isInvalid = (name: string) => rows.some(({ invalid }) => invalid.has(name));
	const put = (property: string | undefined, value: unknown) => {
		if (property !== undefined && value !== undefined) {
			body[property] = value as IDataObject[string];
		}
	};
	for (const field of rowFields) {
		const { name, property, isOfItem } = field;
		if (isOfItem || !property || ['currency', 'dueDate'].includes(name)) continue;
		const said = agreed(rows, field);
		if ('problem' in said) problems.push(said.problem);
		else put(property, said.value ?? (name === 'customerId' ? settings.customerId : undefined));
	}
	const currency = currencyOf(rows, settings.currency);
	if ('problem' in currency) problems.push(`${capital(nameOf(rows))}: ${currency.problem}`);
	else put('currency', currency.currency);
	const due = dueDateOf(rows, settings, today);
	if ('problems' in due) problems.push(...due.problems);
	else put('due_date', due.date);
	const isSaid = new Map([
		['customerId', body.customer !== undefined],
		['currency', body.currency !== undefined || 'problem' in currency],
		['dueDate', body.due_date !== undefined || 'problems' in due],
	]);
	for (const [name, isThere] of isSaid) {
		if (isThere || isInvalid(name) || problems.length) continue;
		const { displayName } = rowField(name);
		problems.push(`${capital(nameOf(rows))}: ${displayName} is empty, but it is required`);
	}
	checkDiscount(group);
	if (!isInvalid('invoiceNumber') && looksForNumber(settings) && !body.invoice_number) {
		if (!problems.length) {
			problems.push(
				`${capital(nameOf(rows))}: Invoice Number is empty, but 'If Invoice Number Exists' needs it`,
			);
		}
	}
	const match = rows.map((row) => row.match).find((one) => one);
	const draft: Draft = { group, body, ...(match && { match }) };
	if (!rows.every(({ item }) => item)) return draft;
	const items = rows.map(({ item }) => item as InvoiceItem);
	body.items = items as unknown as IDataObject[];
	const sums = sumsOf(items, (body.discount_percentage as number | undefined) ?? 0);
	const largest = toThousandths(sums.subtotal.replace(/(\.\d{3})\d*$/, '$1'));
	if (largest > mostDigits || largest < -mostDigits) {
		problems.push(
			`${capital(nameOf(rows))}: the items come to ${sums.subtotal}, more than the 10 digits that the service accepts`,
		);
	}
	return { ...draft, sums };
}

/** A person who leaves a discount out of some rows means that these have none; the service has one for all of them. */
function checkDiscount({ rows, problems }: Group): void {
	const has = (row: Row) => row.values.has('discountPercentage');
	const those = rows.filter((row) => has(row));
	const isZero = those.every(({ values }) => values.get('discountPercentage') === 0);
	if (those.length === 0 || those.length === rows.length || isZero) return;
	if (rows.some(({ invalid }) => invalid.has('discountPercentage'))) return;
	problems.push(
		`${capital(nameOf(rows))} form one invoice, but only ${nameOf(those)} ${those.length === 1 ? 'has' : 'have'} a Discount Percentage. The discount is for the whole invoice: enter it in all of its rows, or in none`,
	);
}

/** What is to be done for an invoice: what is sent for it, what it would be, or what is wrong with its rows. */
export function unitOf(
	{ group, body, sums, match }: Draft,
	operation: Operation,
	settings: RowSettings,
	preview: IDataObject,
): Unit {
	const { rows, problems } = group;
	const own = [...rows.flatMap((row) => row.problems).map((one) => textOf(one)), ...problems];
	const found = own.length || !group.doubt ? own : [group.doubt];
	const number = body.invoice_number as string | undefined;
	const { method, url: path } = operation.routing.request;
	const { currency } = body;
	return {
		...(sums && !found.length && { sum: { currency: String(currency), total: sums.total } }),
		items: rows.map(({ index }) => index),
		name: `${number === undefined ? '' : `invoice ${number}, `}${nameOf(rows)}`,
		fields: {
			rows: rows.map((row) => row.number).join(', '),
			...(number !== undefined && { invoice_number: number }),
		},
		...(match && { added: { customer_match: { ...match } } }),
		ready: found.length
			? { problems: found }
			: settings.onlyValidate
				? { results: [previewOf({ group, body, sums, match }, preview)] }
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

/** What would be created, with what a person compares first: who pays what until when. */
function previewOf({ body, sums, match }: Draft, preview: IDataObject): IDataObject {
	const { customer, currency, due_date: dueDate, items, ...rest } = body;
	return {
		outcome: 'valid',
		customer: {
			id: customer,
			...(match?.name !== undefined && { name: match.name }),
			...(match?.email !== undefined && { email: match.email }),
		},
		total: sums?.total,
		currency,
		due_date: dueDate,
		subtotal: sums?.subtotal,
		discount: sums?.discount,
		items,
		...rest,
		...preview,
	};
}
