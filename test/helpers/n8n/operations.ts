import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import type { Endpoint } from '../../../contract';
import { endpointOf } from '../../../contract';
import { resources } from '../../../nodes/InvoicingPayments/actions';
import type { Operation } from '../../../nodes/InvoicingPayments/execution/operation';
import { itemsField, sheetFields } from '../../../nodes/InvoicingPayments/reading/columns/fields';
import type { Field, RuledField } from '../../../nodes/shared/fields/field';
import { fieldsIn, isRuled } from '../../../nodes/shared/fields/field';
import type { Account } from '../../../simulator/account';
import { confirmedParameters } from '../sheets/confirm';
import { mapping, reading } from '../sheets/fromRows';

/** An operation of the node with test data. */
export interface TestedOperation {
	/** `<resource>/<operation>` as workflows save it. */
	key: string;
	operation: Operation;
	endpoint: Endpoint;
	/** Its fields, including those in collections. */
	fields: Field[];
	/** The required parameters. */
	required: INodeParameters;
	/** The same with every field set. */
	everything: INodeParameters;
	/** The input item with every field, and with the required ones only. */
	item: IDataObject;
	requiredItem: IDataObject;
}

export const sampleId = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

const samples: Record<RuledField['rule']['limits']['kind'], NodeParameterValueType> = {
	text: ' Text & co ',
	currency: 'eur',
	uuid: sampleId,
	email: 'ada@example.com',
	uri: 'https://shop.example/thanks?a=1',
	integer: 3,
	amount: '1,234.50',
	boolean: true,
	option: '',
	date: '2026-12-31T00:00:00',
	moment: '2026-12-31T09:00:00Z',
	list: {},
};

/** Samples for fields that need a special value. */
const byName: Record<string, NodeParameterValueType> = {
	dueAfter: '2026-01-31T00:00:00',
	invoiceId: sampleId,
	customerEmail: 'ada@example.com',
	terms: 'Net 30',
	itemTotal: '3,703.50',
	itemTimes: 1,
	itemDiscount: '0%',
	customerList: '[]',
	maximumTotal: '10,000.00',
	reading: 'unchecked: dates, sums',
	items: { item: [{ name: ' Möbel ', amount: '1,234.50', quantity: '3' }] },
	itemsJson: '[{ "name": "A", "amount": 1.5 }]',
	customFields: { field: [{ name: 'Purchase Order' }, { name: '' }] },
};

/** A value that the field accepts. It differs from the sent one if the node converts it. */
const sampleOf = ({ name, rule: { limits } }: Pick<RuledField, 'name' | 'rule'>) =>
	byName[name] ?? limits.options?.[0] ?? samples[limits.kind];

const inPanel = (field: RuledField): NodeParameterValueType => {
	const value = sampleOf(field);
	const mode = field.name === 'reading' ? 'text' : 'id';
	return field.type === 'resourceLocator' ? { __rl: true, mode, value: String(value) } : value;
};

const settingsOf = (fields: Field[], isWanted: (field: RuledField) => boolean) =>
	Object.fromEntries(
		fields
			.filter(isRuled)
			.filter(isWanted)
			.map((field) => [field.name, inPanel(field)]),
	);

/** A header and a cell for each field of Create From Rows. Several amounts of a row stand in place of a price. */
const mapped = sheetFields
	.filter(({ name }) => name !== itemsField)
	.map((field) => ({
		...field,
		cell:
			field.name === 'customFields'
				? 'Purchase Order'
				: field.name === 'customerId'
					? sampleId
					: sampleOf(field),
	}));
const columnsOf = (isWanted: (field: (typeof mapped)[number]) => boolean) =>
	mapping(
		Object.fromEntries(
			mapped
				.filter(isWanted)
				.map(({ name, displayName }) => [name, `={{ $json["${displayName}"] }}`]),
		),
	);
/** Create From Rows without a preview, with mapped columns. */
const atOnce = { previewOnly: false, columnsMode: 'manual' };

const itemOf = (isWanted: (field: (typeof mapped)[number]) => boolean) =>
	Object.fromEntries(
		mapped.filter(isWanted).map(({ displayName, cell }) => [displayName, cell]),
	) as IDataObject;

/** What an operation reads or makes exists in this account. */
export function inputFor(
	{ endpoint, required }: TestedOperation,
	account: Account,
): INodeParameters {
	const [known] = 'body' in endpoint ? account.customers : account.at(endpoint.path);
	return JSON.parse(JSON.stringify(required).replaceAll(sampleId, known.id)) as INodeParameters;
}

/** Fields that exclude another one, and the plan, which would not match these rows. */
const isChoice = ({ name }: Field) => ['itemsJson', 'startPage', 'onlyIfPlanIs'].includes(name);

export const operations: TestedOperation[] = resources.flatMap((resource) =>
	resource.operations.map((operation): TestedOperation => {
		const selected = { resource: resource.value, operation: operation.value };
		const { fields } = operation;
		const isOfRows = fields.some(({ type }) => type === 'resourceMapper');
		const collections = fields
			.filter(({ type }) => type === 'collection')
			.map((field) => [field.name, settingsOf(fieldsIn(field), (one) => !isChoice(one))]);
		const endpoint = endpointOf(operation.routing.request);
		if (!endpoint) throw new Error(`contract/index.ts has no ${operation.routing.request.url}`);
		const item = isOfRows ? itemOf(() => true) : {};
		const requiredItem = isOfRows ? itemOf(({ required }) => required === true) : {};
		return {
			key: `${resource.value}/${operation.value}`,
			operation,
			endpoint,
			fields: fields.flatMap((field) => [
				field,
				...(field.type === 'collection' ? fieldsIn(field) : []),
			]),
			required: confirmedParameters(
				{
					...selected,
					...settingsOf(fields, (field) => field.required === true && !isChoice(field)),
					...(isOfRows && columnsOf(({ required }) => required === true)),
					// Every sheet needs one.
					...(isOfRows && reading(String(byName.reading))),
					...(isOfRows && { ...atOnce, ifInvoiceNumberExists: 'create' }),
				} as INodeParameters,
				[requiredItem],
			),
			everything: confirmedParameters(
				{
					...selected,
					...settingsOf(fields, (field) => !isChoice(field)),
					...Object.fromEntries(collections),
					...(isOfRows && { ...columnsOf(() => true), ...atOnce }),
					...(fields.some(({ name }) => name === 'limit') && { returnAll: false }),
				} as INodeParameters,
				[item],
			),
			item,
			requiredItem,
		};
	}),
);
