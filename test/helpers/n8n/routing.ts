import type {
	IDataObject,
	IExecuteFunctions,
	INodePropertyOptions,
	INodeTypeDescription,
	PreSendAction,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { InvoicingPayments } from '../../../index';
import type { Operation } from '../../../nodes/InvoicingPayments/execution/operation';
import type { InvoiceReference } from '../../../nodes/InvoicingPayments/actions/invoice/get.operation';
import type { DueRange } from '../../../nodes/InvoicingPayments/invoices/listInvoices';
import { Run } from '../../../nodes/InvoicingPayments/execution/run';
import { planRows } from '../../../nodes/InvoicingPayments/fromRows/planRows';
import { openDirectory } from '../../../nodes/shared/customers/directory';
import { resolveEmails } from '../../../nodes/shared/customers/findCustomer';
import type { RuledField } from '../../../nodes/shared/fields/field';
import { isRuled } from '../../../nodes/shared/fields/field';
import type { EmailPlace, Parameter } from '../../../nodes/shared/fields/readFields';
import {
	locatorMode,
	locatorValue,
	parametersOf,
	readFields,
} from '../../../nodes/shared/fields/readFields';
import { applyRule } from '../../../nodes/shared/fields/rules';
import { defaultPageSize, firstPageOf } from '../../../nodes/shared/pagination/fetchResults';
import { defaultPolicy } from '../../../nodes/shared/transport/client';
import { operations } from './operations';

/**
 * The node's description, prepared for n8n's RoutingNode. RoutingNode sends values unchanged, so each operation gets
 * `preSend` functions that apply the rules of its fields and choose the page that the node would read first.
 */
export function routedDescription(): INodeTypeDescription {
	const { description } = new InvoicingPayments();
	const properties = description.properties.map((property) => {
		const [resource] = property.displayOptions?.show?.resource ?? [];
		if (property.name !== 'operation') return property;
		const options = (property.options as INodePropertyOptions[]).map((option) => ({
			...option,
			routing: {
				...option.routing,
				send: { preSend: preSendsOf(`${String(resource)}/${String(option.value)}`) },
			},
		}));
		return { ...property, options };
	});
	return { ...description, properties };
}

function operationOf(key: string): Operation {
	const entry = operations.find((one) => one.key === key);
	if (!entry) throw new Error(`There is no operation ${key}`);
	return entry.operation;
}

function preSendsOf(key: string): PreSendAction[] {
	const operation = operationOf(key);
	return [
		sendByRules(operation),
		...(operation.response === 'page' ? [sendFirstPage(operation)] : []),
		...(key in specialPreSends ? [specialPreSends[key]] : []),
	];
}

const ruledFields = (parameter: Parameter): RuledField[] =>
	'collection' in parameter ? parameter.fields : [parameter];

/** Applies the rule of each field that is sent, and replaces emails by customer IDs. */
const sendByRules = ({ fields }: Operation): PreSendAction =>
	async function (request) {
		const node = this.getNode();
		const parts = { body: request.body as IDataObject | undefined, query: request.qs };
		const emails: EmailPlace[] = [];
		for (const field of parametersOf(node, fields).flatMap(ruledFields)) {
			const { type, property } = field.routing?.send ?? {};
			const part = type && parts[type];
			if (!part || !property || !(property in part)) continue;
			const outcome = applyRule(field, locatorValue(part[property]), this.getTimezone());
			delete part[property];
			if (!outcome) continue;
			if ('problems' in outcome) throw new NodeOperationError(node, outcome.problems.join('; '));
			part[property] = outcome.value as IDataObject[string];
			if (field.rule.limits.kind === 'uuid' && String(outcome.value).includes('@'))
				emails.push({ part, property, displayName: field.displayName });
		}
		if (emails.length) await replaceEmails(this as unknown as IExecuteFunctions, emails);
		return request;
	};

async function replaceEmails(context: IExecuteFunctions, emails: EmailPlace[]): Promise<void> {
	const client = await openDirectory(context);
	const outcome = 'failure' in client ? client : await resolveEmails(client, defaultPolicy, emails);
	if ('failure' in outcome || outcome.problems.size) throw new Error(JSON.stringify(outcome));
}

/** Requests the page of a list (spec 4.2, 4.3) that the node reads first. */
const sendFirstPage = ({ fields }: Operation): PreSendAction =>
	async function (request) {
		const { settings } = readFields(
			parametersOf(this.getNode(), fields),
			(name, fallback) => this.getNodeParameter(name, fallback),
			this.getTimezone(),
		);
		return { ...request, qs: { ...request.qs, ...firstPageOf(settings) } };
	};

/** Page 1 at the default page size. */
const fullSizePage = (query: IDataObject = {}) => ({
	...query,
	page: 1,
	page_size: defaultPageSize,
});

const specialPreSends: Record<string, PreSendAction> = {
	/** Filters the list by ID. */
	'charge/get': async function (request) {
		const id = String(locatorValue(this.getNodeParameter('chargeId', ''))).trim();
		return { ...request, qs: fullSizePage({ id }) };
	},
	/** 'Limit' counts customers, but the node reads invoices, so it does not set the page size. */
	'customer/getAll': async (request) => await Promise.resolve({ ...request, qs: fullSizePage() }),
	/** Reads the lists of all open statuses. */
	'customer/getBalances': async (request) =>
		await Promise.resolve({ ...request, qs: fullSizePage({ ...request.qs, status: 'unpaid' }) }),
	/** Filters the list by ID or number. */
	'invoice/get': async function (request) {
		const given = this.getNodeParameter('invoiceId', '');
		const { fields } = operationOf('invoice/get');
		const field = fields.filter(isRuled).find(({ name }) => name === 'invoiceId');
		const outcome = applyRule(
			field as RuledField,
			locatorValue(given),
			this.getTimezone(),
			locatorMode(given),
		);
		if (!outcome || 'problems' in outcome) throw new Error(JSON.stringify(outcome));
		const { by, value } = outcome.value as InvoiceReference;
		return { ...request, qs: fullSizePage({ [by === 'id' ? 'id' : 'invoice_number']: value }) };
	},
	/** Requests the first selected status only. With a due date filter, uses the default page size. */
	'invoice/getAll': async function (request) {
		const { status, ...query } = request.qs as IDataObject;
		const [first] = [status ?? []].flat();
		const { dueAfter, dueBefore } = this.getNodeParameter('filters', {}) as DueRange;
		const { pageSize } = this.getNodeParameter('options', {}) as IDataObject;
		const usesDefaultPageSize = (Boolean(dueAfter) || Boolean(dueBefore)) && !pageSize;
		const qs = {
			...query,
			...(first !== undefined && { status: first }),
			...(usesDefaultPageSize && { page_size: defaultPageSize }),
		};
		return { ...request, qs };
	},
	/** Sends the invoice of the row. */
	'invoice/createFromRows': async function (request) {
		const context = Object.create(this, {
			getInputData: { value: () => [this.getInputData()] },
			getNodeParameter: {
				value: (name: string, _itemIndex: number, fallback?: IDataObject) =>
					this.getNodeParameter(name, fallback),
			},
		}) as IExecuteFunctions;
		const { units } = await planRows(context, operationOf('invoice/createFromRows'), new Run());
		const [{ prepared }] = units;
		if ('request' in prepared) return { ...request, body: prepared.request.request.body };
		throw new NodeOperationError(this.getNode(), JSON.stringify(prepared));
	},
};
