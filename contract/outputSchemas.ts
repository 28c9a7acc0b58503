import { z } from 'zod/v4';
import { charge, endpoints } from './index';

/** A created invoice, and what the node says of it. */
const createdInvoice = z.object({ outcome: z.string(), ...endpoints.createInvoice.result.shape });

/** Which object each operation of the node gives; `<resource>/<operation>` as in saved workflows. */
const results: Record<string, z.ZodType> = {
	'charge/getAll': charge.extend({
		source: charge.shape.source.unwrap().omit({ card_data: true }),
	}),
	'invoice/create': createdInvoice,
	'invoice/createFromRows': createdInvoice.extend({ rows: z.array(z.int()) }),
	'invoice/getAll': endpoints.listInvoices.result,
	'member/create': endpoints.createMember.result,
	'member/get': endpoints.getMember.result,
	'member/getAll': endpoints.listMembers.result,
	'paymentLink/get': endpoints.getPaymentLink.result,
};

interface JsonSchema {
	type?: string;
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
}

/** The part of a JSON Schema that n8n's editor reads: types, and the one type of a value that may be null. */
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

/** The output schema of the trigger: what listing charges gives. */
export const triggerOutputSchema = (): JsonSchema => outputSchemas()['charge/getAll'];

/** The output schemas of all operations. */
export function outputSchemas(): Record<string, JsonSchema> {
	return Object.fromEntries(
		Object.entries(results).map(([name, schema]) => [
			name,
			forEditor(z.toJSONSchema(schema) as JsonSchema),
		]),
	);
}
