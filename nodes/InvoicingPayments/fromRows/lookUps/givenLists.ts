import type { IDataObject } from 'n8n-workflow';
import type { Customer } from '../../../shared/customers/customer';
import { plainName } from '../../../shared/customers/customer';
import { rule } from '../../../shared/fields/rules';
import { isEmpty, quote, toEmail, toUuid } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, notValid, ok } from '../../../shared/result';
import { plainHeader } from '../../reading/table';
import { headersFor } from '../../reading/words';

/** The rows from an AI agent: a list of objects, or the same as JSON. */
export const agentRows = rule({ kind: 'list' }, toRows);

function toRows(value: unknown): Parsed<IDataObject[]> {
	const rows = typeof value === 'string' ? fromJson(value) : value;
	const isRow = (one: unknown): one is IDataObject =>
		typeof one === 'object' && one !== null && !Array.isArray(one);
	if (Array.isArray(rows) && rows.every(isRow)) return ok(rows);
	return notRead(`must be a JSON list of rows such as [{"Customer": "..."}], got ${quote(value)}`);
}

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const plainHeaders = (field: string) => new Set(headersFor(field).flat().map(plainHeader));
const customerHeaders = plainHeaders('customerId').add('id').add('uuid');
const emailHeaders = plainHeaders('customerEmail');

function objectsIn(value: unknown): Array<Record<string, unknown>> | undefined {
	if (typeof value === 'string') {
		try {
			return objectsIn(JSON.parse(value));
		} catch {
			return undefined;
		}
	}
	if (typeof value !== 'object' || value === null) return undefined;
	const list: unknown[] = Array.isArray(value) ? value : [value];
	const isObject = (one: unknown): one is Record<string, unknown> =>
		typeof one === 'object' && one !== null && !Array.isArray(one);
	if (!list.every(isObject)) return undefined;
	return list.map((one) => (isObject(one.json) ? one.json : one));
}

function customerIn(entry: Record<string, unknown>): Parsed<Customer> {
	const ids = new Set<string>();
	const customer: Customer = {
		id: '',
		names: [],
		emails: [],
		invoices: 0,
		currencies: [],
	};
	for (const [header, cell] of Object.entries(entry)) {
		const plain = plainHeader(header);
		if (isEmpty(cell) || (typeof cell !== 'string' && typeof cell !== 'number')) continue;
		const text = String(cell).trim();
		const id = toUuid(text);
		if (customerHeaders.has(plain) && id.ok) ids.add(id.value.toLowerCase());
		else if (customerHeaders.has(plain) && !plain.endsWith('id') && plainName(text)) {
			customer.names.push(text);
		} else if (emailHeaders.has(plain) && toEmail(text).ok) customer.emails.push(text);
	}
	const [id] = ids;
	if (ids.size === 1) return ok({ ...customer, id });
	return notRead(ids.size ? 'has several IDs' : 'has no ID in UUID format');
}

export const customerList = rule({ kind: 'list' }, (value) => {
	const entries = objectsIn(value);
	if (!entries) {
		return notRead(
			'must be a JSON list such as [{"id": "3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d", "name": "Example Ltd", "email": "billing@example.com"}]',
		);
	}
	const customers = new Map<string, Customer>();
	const problems: string[] = [];
	entries.forEach((entry, index) => {
		if (Object.values(entry).every((cell) => isEmpty(cell))) return;
		const read = customerIn(entry);
		if (!read.ok) {
			problems.push(`Customer List, entry ${index + 1} ${read.problem}`);
			return;
		}
		const customer = read.value;
		const earlier = customers.get(customer.id);
		earlier?.names.push(...customer.names);
		earlier?.emails.push(...customer.emails);
		if (!earlier) customers.set(customer.id, customer);
	});
	return problems.length ? notValid(problems) : ok([...customers.values()]);
});
