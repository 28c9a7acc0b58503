import { z } from 'zod/v4';

/** The value types of spec 2.1. */

export const uuid = z.guid();

export const moneyDecimal = z.string().regex(/^-?\d{0,10}(?:\.\d{0,3})?$/);

export const memberVolumeDecimal = z.string().regex(/^-?\d{0,12}(?:\.\d{0,3})?$/);

export const percentageDecimal = z.string().regex(/^-?\d{0,3}(?:\.\d{0,2})?$/);

/** spec 2.8 */
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

/** spec 2.4 */
export const invoiceItem = z.object({
	id: uuid,
	amount: moneyDecimal,
	total_amount: moneyDecimal,
	name: z.string(),
	quantity: z.int(),
	sku: z.string(),
});

/** spec 2.5, 2.7 */
export const requestedCustomField = z.object({
	name: z.string(),
	is_required: z.boolean(),
});

/** An object whose fields the spec does not list. */
export const unknownObject = z.record(z.string(), z.unknown());

/** A page of a list (spec 4.2, 4.3). */
export const pageOf = <T extends z.ZodType>(result: T) =>
	z.object({
		count: z.int(),
		next: uri.nullable(),
		previous: uri.nullable(),
		results: z.array(result),
	});

/** The parameters of a path that ends with an ID. */
export const idPath = z.object({ id: uuid });
