import type { INodeProperties, INodePropertyOptions, NodeParameterValueType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { z } from 'zod/v4';
import { endpoints, invoiceItemRequest, invoiceRequest, responseKindOf } from '../../contract';
import { InvoicingPayments, InvoicingPaymentsTrigger } from '../../index';
import { rowFields } from '../../nodes/InvoicingPayments/rows/rowFields';
import type { Field } from '../../nodes/shared/fields/field';
import { isRuled } from '../../nodes/shared/fields/field';
import type { Rule } from '../../nodes/shared/fields/rules';
import { outputSchemas } from '../../tools/commands/outputSchemas';
import { operations } from '../helpers/operations';

const { description } = new InvoicingPayments();

/** A property, or what each line of it holds. */
const linesOf = (property: Field): Field[] =>
	property.type === 'fixedCollection'
		? ((property.options ?? []) as Array<{ values: Field[] }>).flatMap(({ values }) => values)
		: [property];

test('every operation of the spec is in the node', () => {
	const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
	const performed = new Set(operations.map(({ endpoint }) => nameOf(endpoint)));
	expect([...performed].sort()).toEqual(Object.values(endpoints).map(nameOf).sort());
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

/** What only the node says of a result. */
const ownResults = ['outcome', 'rows'];

/** Settings that become parameters of the request. */
const ofPages: Record<string, string> = { startPage: 'page', pageSize: 'page_size' };

describe.each(operations)('$key', ({ key, operation, endpoint, fields }) => {
	const contract: Record<string, z.ZodType> = {
		...('body' in endpoint ? endpoint.body.shape : {}),
		...('query' in endpoint ? endpoint.query.shape : {}),
	};
	const ruled = fields.filter(isRuled);
	const sent = ruled.flatMap((field) => {
		const property = field.routing?.send?.property ?? ofPages[field.name];
		return property ? [{ field, property }] : [];
	});

	test('says what it creates, for errors after a request whose response was lost', () => {
		expect(operation.creates !== undefined).toBe(endpoint.method !== 'GET');
	});

	test('reads the response that the spec describes', () => {
		expect(operation.response).toBe(responseKindOf(endpoint));
	});

	test('has every field of the spec, and no other', () => {
		// What is collected from all results of another list, or looked for in one, has no filters of that list.
		if (['customer/getAll', 'invoice/get', 'charge/get'].includes(key)) return;
		const isOfRows = fields.some(({ type }) => type === 'resourceMapper');
		const properties = isOfRows
			? rowFields.flatMap(({ property, isOfItem }) =>
					property ? [isOfItem ? 'items' : property] : [],
				)
			: sent.map(({ property }) => property);
		expect([...new Set(properties)].sort()).toEqual(Object.keys(contract).sort());
	});

	test('sends each field where the spec wants it', () => {
		const type = 'body' in endpoint ? 'body' : 'query';
		for (const { field, property } of sent) {
			if (!(field.name in ofPages))
				expect([property, field.routing?.send?.type]).toEqual([property, type]);
		}
		const parameters = [...operation.routing.request.url.matchAll(/\$parameter\["(\w+)"\]/g)];
		for (const [, parameter] of parameters) {
			const field = ruled.find(({ name }) => name === parameter);
			expect([parameter, field?.required, field?.rule.limits.kind]).toEqual([
				parameter,
				true,
				'uuid',
			]);
		}
		expect(parameters).toHaveLength('params' in endpoint ? 1 : 0);
	});

	test('has an action, a description, and a schema of what comes out', () => {
		// n8n writes actions in sentence case and without articles.
		expect(operation.action).toMatch(/^[A-Z][a-z ]+$/);
		expect(operation.action).not.toMatch(/\b(a|an|the)\b/);
		expect(operation.description.split(' ').length).toBeGreaterThan(3);
		expect(operation.description.toLowerCase()).not.toBe(operation.action.toLowerCase());
		const { properties: shown = {} } = outputSchemas()[key];
		const { simpleFields = Object.keys(endpoint.result.shape) } = operation;
		const names = Object.keys(shown).filter((name) => !ownResults.includes(name));
		if (key !== 'customer/getAll') expect(names.sort()).toEqual([...simpleFields].sort());
		expect(Object.keys(shown).length).toBeLessThanOrEqual(10);
	});

	test('describes every field', () => {
		for (const { displayName, description: words } of fields.filter(
			({ type }) => !['collection', 'notice'].includes(type),
		)) {
			expect([displayName, words]).toEqual([displayName, expect.stringMatching(/.{10}/)]);
		}
		for (const { type, name, placeholder } of fields.flatMap(linesOf)) {
			if (type === 'string' && name !== 'email') {
				expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. ./)]);
			}
		}
	});

	if (sent.length === 0) return;
	test.each(sent.map((one) => [one.field.name, one] as const))(
		'%s has the limits, the options and the default of the spec',
		(_name, { field, property }) => {
			const { inner, required, nullable, default: given } = unwrap(contract[property]);
			const expected = limitsOf(inner);
			const { limits } = field.rule;
			const { kind, options, minLength, maxLength, nullable: mayBeNull = false } = limits;
			const { type, format } = kinds[kind];
			expect(type).toBe(expected.type);
			if (expected.format) expect(format).toBe(expected.format);
			expect([field.required ?? false, mayBeNull]).toEqual([required, nullable]);
			expect(options && [...options].sort()).toEqual(
				expected.options && [...(expected.options as string[])].sort(),
			);
			expect(minLength).toBe(expected.minLength);
			// A currency in the query of a list has no length in the spec; codes are always of three letters.
			if (kind !== 'currency' || expected.maxLength) expect(maxLength).toBe(expected.maxLength);
			// Pages and their size start at one.
			const min = field.name in ofPages ? 1 : expected.min;
			expect([limits.min, limits.max]).toEqual([min, expected.max]);

			if (field.type === 'options' || field.type === 'multiOptions') {
				const shown = (field.options as INodePropertyOptions[]).map(({ value }) => value);
				expect([...shown].sort()).toEqual([...(expected.options as string[])].sort());
			}
			if (field.type === 'number') {
				expect([field.typeOptions?.minValue, field.typeOptions?.maxValue]).toEqual([
					min,
					expected.max,
				]);
			}
			for (const limit of [maxLength, minLength]) {
				if (limit && kind === 'text') expect(field.description).toContain(String(limit));
			}
			if (given !== undefined) expect(field.default).toEqual(given);
		},
	);
});

/** The fields of one line of a list in the editor. */
const lineOf = (parameter: string): Field[] =>
	(operations.find(({ key }) => key === 'invoice/create')?.fields ?? [])
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
	const ofItems = rowFields.flatMap(({ isOfItem, property = '' }) =>
		isOfItem && property ? [property] : [],
	);
	expect(ofItems.sort()).toEqual(Object.keys(invoiceItemRequest.shape).sort());
	const create = operations.find(({ key }) => key === 'invoice/create');
	const rules = create?.fields.map(({ rule }) => rule);
	// A sheet may name the customer in other ways than by the ID.
	for (const { isOfItem, name, property, rule } of rowFields) {
		if (!isOfItem && property && name !== 'customerId') expect(rules).toContain(rule);
	}
	const headers = rowFields.flatMap((field) => field.headers);
	expect(new Set(headers).size).toBe(headers.length);
});

test('parameters of one operation have different names, as AI tools need it', () => {
	for (const { fields } of operations) {
		const named = fields
			.flatMap(linesOf)
			.filter(({ type }) => !['collection', 'fixedCollection', 'notice'].includes(type));
		// Fields with one name are never shown together.
		const names = [...new Map(named.map(({ name, displayName }) => [name, displayName])).values()];
		expect(new Set(names).size).toBe(names.length);
	}
});

test.each<[NodeParameterValueType, string]>([
	['paid', 'options'],
	['overdue', 'options'],
	[['paid'], 'multiOptions'],
	[['cancelled', 'overdue', 'paid', 'scheduled'], 'multiOptions'],
	[[], 'multiOptions'],
	[null, 'multiOptions'],
	['', 'multiOptions'],
	['={{ $json.status }}', 'multiOptions'],
	['={{ 1 }}', 'multiOptions'],
])('the editor shows the status of invoices %j as %s, once', (status, type) => {
	const node = { typeVersion: 1 };
	const { fields } = operations.find(({ key }) => key === 'invoice/getAll') ?? { fields: [] };
	const shown = fields
		.filter(({ name }) => name === 'status')
		.filter((field) =>
			NodeHelpers.displayParameterPath(
				{ filters: { status } },
				field as INodeProperties,
				'filters',
				node,
				description,
			),
		);
	expect(shown.map((field) => field.type)).toEqual([type]);
});

test('the AI builder of workflows is told what costs money', () => {
	expect(description.builderHint?.searchHint).toContain('not idempotent');
	expect(new InvoicingPaymentsTrigger().description.builderHint?.searchHint).toContain(
		'An execution can be run again',
	);
	const choices = description.properties.filter(({ name }) => name === 'ifInvoiceNumberExists');
	expect(choices).toHaveLength(2);
	for (const { builderHint } of choices) {
		expect(builderHint?.propertyHint).toContain('returnExisting');
	}
});
