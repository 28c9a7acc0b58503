import { z } from 'zod/v4';
import {
	simpleCharge,
	simpleInvoice,
	simpleInvoiceOfRows,
	simplePaymentLink,
} from '../nodes/shared/simplify';
import { endpoints } from './index';

/** The part of an object that Simplify keeps. */
const simplified = (schema: z.ZodObject, fields: readonly string[]) =>
	schema.pick(Object.fromEntries(fields.map((field) => [field, true as const])));

/** What the node says of an invoice that it created. */
const outcome = z.object({ outcome: z.string() });
const { result: invoice } = endpoints.createInvoice;

/** Which object each operation of the node gives, simplified; `<resource>/<operation>` as in saved workflows. */
const results: Record<string, z.ZodObject> = {
	'charge/getAll': simplified(endpoints.listCharges.result, simpleCharge),
	'invoice/create': outcome.extend(simplified(invoice, simpleInvoice).shape),
	'invoice/createFromRows': outcome
		.extend({ invoice_number: z.string(), rows: z.array(z.int()) })
		.extend(simplified(invoice, simpleInvoiceOfRows).shape),
	'invoice/getAll': simplified(endpoints.listInvoices.result, simpleInvoice),
	'member/create': endpoints.createMember.result,
	'member/get': endpoints.getMember.result,
	'member/getAll': endpoints.listMembers.result,
	'paymentLink/get': simplified(endpoints.getPaymentLink.result, simplePaymentLink),
};

export interface JsonSchema {
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
