import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	charge,
	endpoints,
	invoiceItemRequest,
	invoiceRequest,
	responseKindOf,
} from '../../../contract';
import { InvoicingPayments, InvoicingPaymentsTrigger } from '../../../index';
import { sheetFields } from '../../../nodes/InvoicingPayments/reading/columns/fields';
import { events } from '../../../nodes/InvoicingPaymentsTrigger/events';
import type { Field, RuledField } from '../../../nodes/shared/fields/field';
import { isRuled } from '../../../nodes/shared/fields/field';
import type { Rule } from '../../../nodes/shared/fields/rules';
import { outputSchemas } from '../../../tools/commands/outputSchemas';
import { operations } from '../../helpers/n8n/operations';

const { description } = new InvoicingPayments();
const triggerDescription = new InvoicingPaymentsTrigger().description;
const namesOf = (all: Array<{ name: string }>) => all.map(({ name }) => name);
const optionsOf = ({ options }: { options?: INodeProperties['options'] } = {}) =>
	(options ?? []) as INodeProperties[];

/** Each has a description of at least `least` characters. */
const expectWords = (all: Array<{ name: string; description?: string }>, least: number) => {
	const silent = all.filter(({ description: words = '' }) => words.length < least);
	expect(namesOf(silent)).toEqual([]);
};

/** The fields of each line of a property, or the property itself. */
const linesOf = (property: Field): Field[] =>
	property.type === 'fixedCollection'
		? ((property.options ?? []) as Array<{ values: Field[] }>).flatMap(({ values }) => values)
		: [property];

test('the node has every operation of the spec', () => {
	const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
	const performed = new Set(operations.map(({ endpoint }) => nameOf(endpoint)));
	expect([...performed].sort()).toEqual(Object.values(endpoints).map(nameOf).sort());
});

/** Removes optional, nullable and default wrappers from a schema. */
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

/** The limits of a schema in the contract, in the terms of a rule. */
function limitsOf(schema: z.ZodType) {
	const {
		type,
		format,
		enum: options,
		...json
	} = z.toJSONSchema(schema) as Record<string, unknown>;
	// Zod writes the largest whole number if the spec has no limit.
	const bound = (value: unknown) =>
		Math.abs(value as number) === Number.MAX_SAFE_INTEGER ? undefined : value;
	return {
		...{ type, format, minLength: json.minLength, maxLength: json.maxLength },
		options: options && [...(options as string[])].sort(),
		min: bound(json.minimum),
		max: type === 'integer' ? bound(json.maximum) : json.maxItems,
	};
}

/** The type and format in the contract for each kind of rule. */
const kinds: Record<Rule['limits']['kind'], { type: string; format?: string }> = {
	...{ text: { type: 'string' }, currency: { type: 'string' }, option: { type: 'string' } },
	...{ amount: { type: 'string' }, boolean: { type: 'boolean' }, list: { type: 'array' } },
	integer: { type: 'integer' },
	uuid: { type: 'string', format: 'uuid' },
	email: { type: 'string', format: 'email' },
	uri: { type: 'string', format: 'uri' },
	date: { type: 'string', format: 'date' },
	moment: { type: 'string', format: 'date-time' },
};

/** Result fields that only the node has. */
const ownResults = ['outcome', 'rows'];

/** Settings that become parameters of the request. */
const ofPages: Record<string, string> = { startPage: 'page', pageSize: 'page_size' };

describe.each(operations)('$key', ({ key, operation, endpoint, fields }) => {
	const contract: Record<string, z.ZodType> = {
		...('body' in endpoint ? endpoint.body.shape : {}),
		...('query' in endpoint ? endpoint.query.shape : {}),
	};
	const isOfCustomers = key.startsWith('customer/');
	const ruled = fields.filter(isRuled);
	const sent = ruled.flatMap((field) => {
		const property = field.routing?.send?.property ?? ofPages[field.name];
		return property ? [{ field, property }] : [];
	});

	test('reads the response of the spec, and names what it creates', () => {
		expect(operation.response).toBe(responseKindOf(endpoint));
		expect(operation.createdNoun !== undefined).toBe(endpoint.method !== 'GET');
	});

	test('has exactly the fields of the spec', () => {
		// These operations read a whole list, without its filters.
		if (isOfCustomers || ['invoice/get', 'charge/get'].includes(key)) return;
		const isOfRows = fields.some(({ type }) => type === 'resourceMapper');
		const properties = isOfRows
			? sheetFields.flatMap(({ property, isOfItem }) =>
					property ? [isOfItem ? 'items' : property] : [],
				)
			: sent.map(({ property }) => property);
		expect([...new Set(properties)].sort()).toEqual(Object.keys(contract).sort());
	});

	test('sends each field in the body or query, as the spec says', () => {
		const type = 'body' in endpoint ? 'body' : 'query';
		for (const { field, property } of sent) {
			if (!(field.name in ofPages))
				expect([property, field.routing?.send?.type]).toEqual([property, type]);
		}
		const parameters = [...operation.routing.request.url.matchAll(/\$parameter\["(\w+)"\]/g)];
		for (const [, parameter] of parameters) {
			const { required, rule } = ruled.find(({ name }) => name === parameter) ?? {};
			expect({ parameter, required, kind: rule?.limits.kind }).toEqual({
				...{ parameter, required: true, kind: 'uuid' },
			});
		}
		expect(parameters).toHaveLength('params' in endpoint ? 1 : 0);
	});

	test('has an action, a description and an output schema', () => {
		// n8n writes actions in sentence case and without articles.
		expect(operation.action).toMatch(/^[A-Z][a-z ]+$/);
		expect(operation.action).not.toMatch(/\b(a|an|the)\b/);
		expect(operation.description.split(' ').length).toBeGreaterThan(3);
		expect(operation.description.toLowerCase()).not.toBe(operation.action.toLowerCase());
		const { properties: shown = {} } = outputSchemas()[key];
		const { simpleFields = Object.keys(endpoint.result.shape) } = operation;
		const names = Object.keys(shown).filter((name) => !ownResults.includes(name));
		if (!isOfCustomers) expect(names.sort()).toEqual([...simpleFields].sort());
		// A balance has an amount for each age.
		expect(Object.keys(shown).length).toBeLessThanOrEqual(key === 'customer/getBalances' ? 13 : 10);
	});

	test('offers all fields of the spec to tools', () => {
		const offered = fields.filter(({ name }) => name === 'outputFields');
		if (!operation.fields.some(({ name }) => name === 'simplify')) return;
		if (key === 'invoice/createFromRows') return;
		const names = offered.flatMap((field) =>
			(field.options as INodePropertyOptions[]).map(({ value }) => value),
		);
		// The node finds the payer of a charge.
		const own = key.startsWith('charge') ? ['payer'] : [];
		expect(names.sort()).toEqual([...Object.keys(endpoint.result.shape), ...own].sort());
	});

	test('describes every field', () => {
		expectWords(
			fields.filter(({ type }) => !['collection', 'notice'].includes(type)),
			10,
		);
		for (const { type, name, placeholder } of fields.flatMap(linesOf)) {
			if (type === 'string' && name !== 'email')
				expect([name, placeholder]).toEqual([name, expect.stringMatching(/^e\.g\. ./)]);
		}
	});

	if (sent.length === 0) return;
	test.each(sent.map((one) => [one.field.name, one] as const))(
		'%s has the limits, the options and the default of the spec',
		(name, { field, property }) => {
			const { limits } = field.rule;
			expect(Object.keys(contract)).toContain(property);
			const { inner, default: given, ...presence } = unwrap(contract[property]);
			const inSpec = limitsOf(inner);
			// Page numbers and sizes start at 1.
			if (name in ofPages) inSpec.min = 1;
			// In list queries, the spec gives no length for currencies. Codes always have three letters.
			if (limits.kind === 'currency') inSpec.maxLength ??= limits.maxLength;
			const { type, ...kind } = kinds[limits.kind];
			const format = inSpec.format && kind.format;
			const { minLength, maxLength, min, max } = limits;
			const options = limits.options && [...limits.options].sort();
			const { required = false } = field;
			expect({ required, nullable: limits.nullable ?? false }).toEqual(presence);
			expect({ type, format, options, minLength, maxLength, min, max }).toEqual(inSpec);

			const shown = (field.options ?? []) as INodePropertyOptions[];
			if (field.type === 'options' || field.type === 'multiOptions')
				expect(shown.map(({ value }) => value).sort()).toEqual(inSpec.options);
			const { minValue, maxValue } = field.typeOptions ?? {};
			if (field.type === 'number') expect([minValue, maxValue]).toEqual([min, max]);
			for (const limit of [maxLength, minLength])
				if (limit && limits.kind === 'text') expect(field.description).toContain(String(limit));
			if (given !== undefined) expect(field.default).toEqual(given);
		},
	);
});

test.each([
	['items', invoiceItemRequest.shape],
	['customFields', unwrap(invoiceRequest.shape.custom_fields).inner],
])('a line of %s has the fields of the spec', (parameter, shape) => {
	const ofSpec = shape instanceof z.ZodArray ? (shape.element as z.ZodObject).shape : shape;
	const { fields } = operations.find(({ key }) => key === 'invoice/create') ?? { fields: [] };
	const inEditor = fields
		.filter(({ name, type }) => name === parameter && type === 'fixedCollection')
		.flatMap(linesOf);
	expect(namesOf(inEditor).sort()).toEqual(Object.keys(ofSpec).sort());
	expectWords(inEditor, 10);
});

test('sheet columns cover every field of an item, and follow the rules of Create', () => {
	const ofItems = sheetFields.flatMap(({ isOfItem, property = '' }) =>
		isOfItem && property ? [property] : [],
	);
	expect(ofItems.sort()).toEqual(Object.keys(invoiceItemRequest.shape).sort());
	const create = operations.find(({ key }) => key === 'invoice/create');
	const rules = create?.fields.map(({ rule }) => rule);
	// A sheet may name the customer without an ID.
	for (const { isOfItem, name, property, rule } of sheetFields) {
		if (!isOfItem && property && name !== 'customerId') expect(rules).toContain(rule);
	}
});

test('no two parameters of an operation share a name, because AI tools need that', () => {
	for (const { fields } of operations) {
		const named = fields
			.flatMap(linesOf)
			.filter(({ type }) => !['collection', 'fixedCollection', 'notice'].includes(type));
		// Fields with one name are never shown together.
		const names = [...new Map(named.map(({ name, displayName }) => [name, displayName])).values()];
		expect(new Set(names).size).toBe(names.length);
	}
});

test('tells n8n which fields are sensitive', () => {
	for (const { sensitiveOutputFields } of [description, triggerDescription])
		expect(sensitiveOutputFields).toEqual(['source.card_data']);
	const source = unwrap(charge.shape.source).inner as z.ZodObject;
	expect(Object.keys(source.shape)).toContain('card_data');
});

describe('the trigger', () => {
	const { properties } = triggerDescription;
	const shownFor = (event: string) =>
		properties.filter(({ displayOptions: { show } = {} }) => show?.event?.includes(event) ?? true);
	const optionsFor = (event: string, parameter: string) =>
		optionsOf(shownFor(event).find(({ name }) => name === parameter));
	const fields = properties.flatMap((property) =>
		property.type === 'collection' ? [property, ...optionsOf(property)] : [property],
	);
	const queries = {
		'/v1/charges': endpoints.listCharges.query.shape,
		'/v1/invoices': endpoints.listInvoices.query.shape,
		'/v1/members': {},
	};

	test.each(events)(
		'$name: has the filters of the spec, except those that it sets itself',
		(event) => {
			const query = queries[event.list.path as keyof typeof queries];
			const own = ['page', 'page_size', ...(event.value === 'newCharge' ? [] : ['status'])];
			const wanted = Object.keys(query).filter((name) => !own.includes(name));
			const filters = optionsFor(event.value, 'filters');
			const sent = filters.map(({ routing }) => routing?.send);
			expect(sent.map((send) => send?.property).sort()).toEqual(wanted.sort());
			expect(sent.every((send) => send?.type === 'query')).toBe(true);
			// The same as in the node, compared with the spec above.
			const resource = event.list.noun.replace(/s$/, '');
			const ofNode = description.properties.find(
				({ name, displayOptions }) =>
					name === 'filters' && displayOptions?.show?.resource?.includes(resource),
			);
			expect(namesOf(optionsOf(ofNode))).toEqual(expect.arrayContaining(namesOf(filters)));
		},
	);

	test.each(events)('$name: shows every field once', ({ value }) => {
		const names = namesOf(shownFor(value));
		expect(new Set(names).size).toBe(names.length);
		expect(names).toEqual(expect.arrayContaining(['event', 'startWith', 'options']));
		expect(namesOf(optionsFor(value, 'options'))).toContain('maxPerRun');
	});

	test('describes every field and choice', () => {
		const silent = ['declinedNotice', 'options'];
		expectWords(
			fields.filter(({ name, type }) => type !== 'notice' && !silent.includes(name)),
			20,
		);
		const choices = properties.filter(({ name }) => ['event', 'startWith'].includes(name));
		expectWords(choices.flatMap(optionsOf), 20);
	});

	test('lists events by name, each with a sentence for the node list', () => {
		expect(namesOf(events)).toEqual(namesOf(events).sort());
		for (const { action, name } of events) expect(action).toBe(`On ${name.toLowerCase()}`);
	});

	test('the editor has the limits that the node checks', () => {
		const numbers = fields.filter(({ type }) => type === 'number') as RuledField[];
		for (const { name, typeOptions: { minValue, maxValue } = {}, rule } of numbers)
			expect([name, minValue, maxValue]).toEqual([name, rule.limits.min, rule.limits.max]);
	});
});
