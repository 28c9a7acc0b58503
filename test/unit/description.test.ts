import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { endpoints, invoiceItemRequest, invoiceRequest } from '../../contract';
import { outputSchemas } from '../../contract/outputSchemas';
import { InvoicingPayments, InvoicingPaymentsTrigger } from '../../index';
import { rowFields } from '../../nodes/InvoicingPayments/rows/fields';
import type { Rule } from '../../nodes/shared/rules';
import type { FieldRouting, OperationRouting } from '../../nodes/shared/send';

const { description } = new InvoicingPayments();

/** `<resource>/<operation>` of the node and the operation of the spec that it performs. */
const performs: Record<string, keyof typeof endpoints> = {
	'charge/getAll': 'listCharges',
	'invoice/create': 'createInvoice',
	'invoice/createFromRows': 'createInvoice',
	'invoice/getAll': 'listInvoices',
	'member/create': 'createMember',
	'member/get': 'getMember',
	'member/getAll': 'listMembers',
	'paymentLink/get': 'getPaymentLink',
};

interface SentField {
	property: INodeProperties;
	rule: Rule;
	place: FieldRouting['place'];
	field: string;
}

const shownFor = (property: INodeProperties, resource: string, operation?: string) => {
	const { resource: resources, operation: operations } = property.displayOptions?.show ?? {};
	return (
		resources?.includes(resource) === true &&
		(operation === undefined || operations?.includes(operation) === true)
	);
};

const rulesOf = (property: INodeProperties): SentField[] =>
	property.routing && 'rule' in property.routing
		? [{ property, ...(property.routing as FieldRouting) }]
		: [];

/** Every property below one, collections included. */
function flatten(property: INodeProperties): INodeProperties[] {
	if (property.type !== 'collection') return [property];
	return [property, ...((property.options ?? []) as INodeProperties[]).flatMap(flatten)];
}

/** A property, or what each line of it holds. */
const linesOf = (property: INodeProperties): INodeProperties[] =>
	property.type === 'fixedCollection'
		? ((property.options ?? []) as Array<{ values: INodeProperties[] }>).flatMap(
				({ values }) => values,
			)
		: [property];

const resources = description.properties.find(({ name }) => name === 'resource')
	?.options as INodePropertyOptions[];

const operations = resources.flatMap(({ value: resource }) => {
	const selector = description.properties.find(
		(property) => property.name === 'operation' && shownFor(property, String(resource)),
	);
	return (selector?.options as INodePropertyOptions[]).map((option) => ({
		key: `${resource}/${option.value}`,
		option,
		properties: description.properties
			.filter((property) => shownFor(property, String(resource), String(option.value)))
			.flatMap(flatten),
	}));
});

test('every operation of the spec is in the node, and nothing else', () => {
	expect(operations.map(({ key }) => key).sort()).toEqual(Object.keys(performs).sort());
	expect(new Set(Object.values(performs))).toEqual(new Set(Object.keys(endpoints)));
});

/** Takes optional, nullable and default wrappers off a schema and tells what they said. */
function unwrap(schema: z.ZodType) {
	let inner = schema;
	const found = { required: true, nullable: false, default: undefined as unknown };
	for (;;) {
		if (inner instanceof z.ZodOptional) found.required = false;
		else if (inner instanceof z.ZodNullable) found.nullable = true;
		else if (inner instanceof z.ZodDefault) {
			found.required = false;
			found.default = inner.def.defaultValue;
		} else return { ...found, inner };
		inner = inner.unwrap() as z.ZodType;
	}
}

/** What a JSON Schema of the contract asks for, in the terms of a rule. */
function limitsOf(schema: z.ZodType) {
	const json = z.toJSONSchema(schema) as Record<string, unknown>;
	const isInteger = json.type === 'integer';
	const bound = (value: unknown) =>
		isInteger && Math.abs(value as number) === Number.MAX_SAFE_INTEGER ? undefined : value;
	return {
		type: json.type,
		format: json.format,
		options: json.enum,
		minLength: json.minLength,
		maxLength: json.maxLength,
		min: bound(json.minimum),
		max: isInteger ? bound(json.maximum) : json.maxItems,
	};
}

/** Which types and formats of the contract a kind of rule may stand for. */
const kinds: Record<Rule['limits']['kind'], { type: string; format?: string }> = {
	text: { type: 'string' },
	currency: { type: 'string' },
	uuid: { type: 'string', format: 'uuid' },
	email: { type: 'string', format: 'email' },
	uri: { type: 'string', format: 'uri' },
	date: { type: 'string', format: 'date' },
	moment: { type: 'string', format: 'date-time' },
	option: { type: 'string' },
	integer: { type: 'integer' },
	amount: { type: 'string' },
	boolean: { type: 'boolean' },
	list: { type: 'array' },
};

/** What only the node knows; not fields of the service. */
const ownSettings = [
	'limit',
	'return_all',
	'include_card_data',
	'simplify',
	'max_requests_in_flight',
	'max_wait',
	'if_number_exists',
	'group_by',
	'group_column',
	'only_validate',
	'default_currency',
	'due_in_days',
	'date_order',
	'decimal_separator',
	'first_row',
];

/** What only the node says of a result. */
const ownResults = ['outcome', 'rows'];

describe.each(operations)('$key', ({ key, option, properties }) => {
	const endpoint = endpoints[performs[key]];
	const contract: Record<string, z.ZodType> = {
		...('body' in endpoint ? endpoint.body.shape : {}),
		...('query' in endpoint ? endpoint.query.shape : {}),
		...('params' in endpoint ? endpoint.params.shape : {}),
	};
	const place = 'body' in endpoint ? 'body' : 'params' in endpoint ? 'path' : 'query';
	const sent = properties.flatMap(rulesOf).filter(({ field }) => !ownSettings.includes(field));

	test('sends to the path and by the method of the spec', () => {
		expect(option.routing?.request).toEqual({ method: endpoint.method, url: endpoint.path });
	});

	test('has every field of the spec, and no other', () => {
		const isOfRows = properties.some(({ type }) => type === 'resourceMapper');
		const fields = isOfRows
			? rowFields.map(({ field, isOfItem }) => (isOfItem ? 'items' : field))
			: sent.map(({ field }) => field);
		expect([...new Set(fields)].sort()).toEqual(Object.keys(contract).sort());
	});

	test('sends each field where the spec wants it', () => {
		for (const field of sent) {
			const isPaging = ['page', 'page_size'].includes(field.field);
			expect([field.field, field.place]).toEqual([field.field, isPaging ? 'setting' : place]);
		}
	});

	test('has an action, a description, and a schema of what comes out', () => {
		expect(option.action).toBeTruthy();
		expect(option.description).toBeTruthy();
		const { properties: shown = {} } = outputSchemas()[key];
		const { simple = Object.keys(endpoint.result.shape) } = option.routing as OperationRouting;
		const fields = Object.keys(shown).filter((name) => !ownResults.includes(name));
		expect(fields.sort()).toEqual([...simple].sort());
		expect(Object.keys(shown).length).toBeLessThanOrEqual(10);
	});

	test('describes every field, by the name that errors use', () => {
		for (const property of properties.filter(
			({ type }) => !['collection', 'notice'].includes(type),
		)) {
			expect([property.displayName, property.description]).toEqual([
				property.displayName,
				expect.stringMatching(/.{10}/),
			]);
		}
		for (const { type, name, placeholder } of properties.flatMap(linesOf)) {
			if (type === 'string' && name !== 'email') {
				expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. ./)]);
			}
		}
		for (const { property, rule } of properties.flatMap(rulesOf)) {
			expect(rule.label).toBe(property.displayName);
		}
	});

	if (sent.length === 0) return;
	test.each(sent.map((field) => [field.property.name, field] as const))(
		'%s has the limits, the options and the default of the spec',
		(_name, { property, rule, field }) => {
			const { inner, required, nullable, default: standard } = unwrap(contract[field]);
			const expected = limitsOf(inner);
			const { kind, options, minLength, maxLength, nullable: ruleNullable = false } = rule.limits;
			const { type, format } = kinds[kind];
			expect(type).toBe(expected.type);
			if (expected.format) expect(format).toBe(expected.format);
			expect([rule.required, ruleNullable]).toEqual([required, nullable]);
			expect(options && [...options].sort()).toEqual(
				expected.options && [...(expected.options as string[])].sort(),
			);
			expect(minLength).toBe(expected.minLength);
			// A currency in the query of a list has no length in the spec; codes are always of three letters.
			if (kind !== 'currency' || expected.maxLength) expect(maxLength).toBe(expected.maxLength);
			// Pages and their size start at one.
			const min = ['page', 'page_size'].includes(field) ? 1 : expected.min;
			expect([rule.limits.min, rule.limits.max]).toEqual([min, expected.max]);

			if (property.type === 'options') {
				const shown = (property.options as INodePropertyOptions[]).map(({ value }) => value);
				expect([...shown].sort()).toEqual([...(expected.options as string[])].sort());
			}
			if (property.type === 'number') {
				expect([property.typeOptions?.minValue, property.typeOptions?.maxValue]).toEqual([
					min,
					expected.max,
				]);
			}
			for (const limit of [maxLength, minLength]) {
				if (limit && kind === 'text') expect(property.description).toContain(String(limit));
			}
			if (standard !== undefined) expect(property.default).toEqual(standard);
		},
	);
});

/** The fields of one line of a list in the editor. */
const lineOf = (parameter: string): INodeProperties[] =>
	description.properties
		.flatMap(flatten)
		.filter(({ name, type }) => name === parameter && type === 'fixedCollection')
		.flatMap(linesOf);

test.each([
	['items', invoiceItemRequest.shape],
	['customFields', unwrap(invoiceRequest.shape.custom_fields).inner],
])('a line of %s has the fields of the spec', (parameter, shape) => {
	const fields = shape instanceof z.ZodArray ? (shape.element as z.ZodObject).shape : shape;
	expect(
		lineOf(parameter)
			.map(({ name }) => name)
			.sort(),
	).toEqual(Object.keys(fields).sort());
	for (const { displayName, description: words } of lineOf(parameter)) {
		expect([displayName, words]).toEqual([displayName, expect.stringMatching(/.{10}/)]);
	}
});

test('columns of a sheet can fill every field of an item, and the fields of an invoice by the rules of Create', () => {
	const ofItems = rowFields.filter(({ isOfItem }) => isOfItem).map(({ field }) => field);
	expect(ofItems.sort()).toEqual(Object.keys(invoiceItemRequest.shape).sort());
	const create = operations.find(({ key }) => key === 'invoice/create');
	const rules = create?.properties.flatMap(rulesOf).map(({ rule }) => rule);
	for (const { isOfItem, rule } of rowFields) if (!isOfItem) expect(rules).toContain(rule);
	const headers = rowFields.flatMap((field) => field.headers);
	expect(new Set(headers).size).toBe(headers.length);
});

test('parameters of one operation have different names, as AI tools need it', () => {
	for (const { properties } of operations) {
		const names = properties
			.flatMap(linesOf)
			.filter(({ type }) => !['collection', 'fixedCollection', 'notice'].includes(type))
			.map(({ displayName }) => displayName);
		expect(new Set(names).size).toBe(names.length);
	}
});

test('the AI builder of workflows is told what costs money', () => {
	expect(description.builderHint?.searchHint).toContain('not idempotent');
	expect(new InvoicingPaymentsTrigger().description.builderHint?.searchHint).toContain(
		'each new charge once',
	);
	const choices = description.properties.filter(({ name }) => name === 'ifInvoiceNumberExists');
	expect(choices).toHaveLength(2);
	for (const { builderHint } of choices) {
		expect(builderHint?.propertyHint).toContain('returnExisting');
	}
});
