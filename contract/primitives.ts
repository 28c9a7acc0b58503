import { z } from 'zod/v4';

/** The strings of spec 2.1. Whatever the service sends or takes is built from these. */

export const uuid = z.guid();

/** Up to 10 integer digits and up to 3 fraction digits (spec 2.1). */
export const moneyDecimal = z.string().regex(/^-?\d{0,10}(?:\.\d{0,3})?$/);

/** Up to 12 integer digits and up to 3 fraction digits (spec 2.1). */
export const memberVolumeDecimal = z.string().regex(/^-?\d{0,12}(?:\.\d{0,3})?$/);

/** Up to 3 integer digits and up to 2 fraction digits (spec 2.1). */
export const percentageDecimal = z.string().regex(/^-?\d{0,3}(?:\.\d{0,2})?$/);

/** A money-style decimal string with exactly three fraction digits (spec 2.8). */
export const threeDecimals = z.string().regex(/^-?\d{0,10}\.\d{3}$/);

export const dateTime = z.iso.datetime({ offset: true });
export const date = z.iso.date();
export const uri = z.url();

export const userSummary = z.object({
	id: uuid,
	first_name: z.string(),
	last_name: z.string(),
});

/** spec 2.9 */
export const source = z.enum([
	'service_hosted',
	'ecommerce_plugin_a',
	'ecommerce_plugin_b',
	'automation_connector',
	'service_api',
	'store',
	'app',
	'web',
]);

/** spec 2.8 */
export const taxLine = z.object({
	name: z.string(),
	mode: z.string(),
	mode_value: threeDecimals,
	value: threeDecimals,
});

/** spec 2.4: an item in invoices, invoice lists and payment links. */
export const invoiceItem = z.object({
	id: uuid,
	amount: moneyDecimal,
	total_amount: moneyDecimal,
	name: z.string(),
	quantity: z.int(),
	sku: z.string(),
});

/** A custom field as lists and links show it (spec 2.5, 2.7). */
export const requestedCustomField = z.object({
	name: z.string(),
	is_required: z.boolean(),
});

/** An object of which the spec does not say what it holds. */
export const unknownObject = z.record(z.string(), z.unknown());

/** The paginated envelope of spec 4.2 and 4.3. */
export const pageOf = <T extends z.ZodType>(result: T) =>
	z.object({
		count: z.int(),
		next: uri.nullable(),
		previous: uri.nullable(),
		results: z.array(result),
	});
