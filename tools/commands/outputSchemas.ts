import { z } from 'zod/v4';
import { endpointOf } from '../../contract';
import { resources } from '../../nodes/InvoicingPayments/actions';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';

/** Fields that the node adds. */
const ownFields: Record<string, z.ZodRawShape> = {
	'invoice/create': { outcome: z.string() },
	'invoice/createFromRows': {
		outcome: z.string(),
		rows: z.string(),
		invoice_number: z.string(),
	},
};

/** Results that the node builds from several of the service. */
const ownResults: Record<string, z.ZodObject> = {
	'customer/getAll': z.object({
		name: z.string().nullable(),
		email: z.string().nullable(),
		id: z.uuid(),
		invoices: z.int(),
		currencies: z.array(z.string()),
	}),
	'customer/getBalances': z.object({
		...{ name: z.string().nullable(), currency: z.string() },
		...{ open: z.string(), overdue: z.string(), not_due: z.string() },
		...{ overdue_1_30: z.string(), overdue_31_60: z.string(), overdue_61_90: z.string() },
		...{ overdue_over_90: z.string(), invoices: z.int() },
		...{ oldest_due_date: z.string().nullable(), email: z.string().nullable() },
		id: z.string().nullable(),
	}),
};

/** Fields that Simplify derives from others. */
const foundFields: z.ZodRawShape = {
	payer: z.string(),
	customer: z.string(),
	customer_email: z.string().nullable(),
	items: z.string(),
};

/** The output of a new node: simplified, if possible. */
function schemaOf(
	result: z.ZodObject,
	simpleFields?: readonly string[],
	own: z.ZodRawShape = {},
): JsonSchema {
	const known: z.ZodRawShape = { ...result.shape, ...foundFields };
	const shown = simpleFields?.map((field) => [field, known[field]] as const);
	const shape: z.ZodRawShape = shown ? Object.fromEntries(shown) : result.shape;
	return forEditor(z.toJSONSchema(z.object({ ...own, ...shape })) as JsonSchema);
}

export interface JsonSchema {
	type?: string;
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
}

/** The part of a JSON Schema that n8n's editor reads. Of a nullable type, the other one. */
function forEditor({ type, properties, items, anyOf }: JsonSchema): JsonSchema {
	if (anyOf) return forEditor(anyOf.find((one) => one.type !== 'null') ?? {});
	return {
		...(type !== undefined && { type }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, schema]) => [name, forEditor(schema)]),
			),
		}),
		...(items && { items: forEditor(items) }),
	};
}

export function eventOutputSchemas(): Record<string, JsonSchema> {
	const schemas = events.map(({ value, list: { path, simpleFields } }) => {
		const endpoint = endpointOf({ method: 'GET', url: path });
		if (!endpoint) throw new Error(`${value} reads a path that the contract does not have`);
		return [value, schemaOf(endpoint.result, simpleFields)];
	});
	return Object.fromEntries(schemas) as Record<string, JsonSchema>;
}

/** n8n looks for one schema of the trigger, so all events are merged. New Charge comes first. */
export function triggerOutputSchema(): JsonSchema {
	const { newCharge, ...others } = eventOutputSchemas();
	return Object.values(others).reduce(merged, newCharge);
}

/** If schemas contradict each other, the first counts. */
function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
	const { properties: own = {}, items } = one;
	const { properties: more = {}, items: otherItems } = other;
	const names = new Set([...Object.keys(own), ...Object.keys(more)]);
	const both = [...names].map((name) => {
		const [first, second] = [own[name], more[name]];
		return [name, first && second ? merged(first, second) : (first ?? second)];
	});
	return {
		...one,
		...(both.length > 0 && { properties: Object.fromEntries(both) as Record<string, JsonSchema> }),
		...(items && otherItems && { items: merged(items, otherItems) }),
	};
}

/** By `<resource>/<operation>`, as saved in workflows. */
export function outputSchemas(): Record<string, JsonSchema> {
	const schemas = resources.flatMap((resource) =>
		resource.operations.map(({ value, routing, simpleFields }) => {
			const name = `${resource.value}/${value}`;
			const endpoint = endpointOf(routing.request);
			if (!endpoint) throw new Error(`${name} sends to a path that the contract does not have`);
			const strange =
				simpleFields?.filter(
					(field) => !(field in endpoint.result.shape) && !(field in foundFields),
				) ?? [];
			if (strange.length)
				throw new Error(`${name} simplifies to unknown fields: ${strange.join(', ')}`);
			return [name, schemaOf(ownResults[name] ?? endpoint.result, simpleFields, ownFields[name])];
		}),
	);
	return Object.fromEntries(schemas) as Record<string, JsonSchema>;
}
