import { z } from 'zod/v4';

/** A value that a schema of the contract accepts, with every field: the same each time. */
export function sampleOf(schema: z.ZodType): unknown {
	if (
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodDefault
	)
		return sampleOf(schema.unwrap() as z.ZodType);
	if (schema instanceof z.ZodObject)
		return Object.fromEntries(
			Object.entries(schema.shape).map(([name, field]) => [name, sampleOf(field as z.ZodType)]),
		);
	if (schema instanceof z.ZodArray) return [sampleOf(schema.element as z.ZodType)];
	if (schema instanceof z.ZodEnum) return schema.options[0];
	const sample = candidates.find((one) => schema.safeParse(one).success);
	if (sample === undefined)
		throw new Error(`No sample fits ${JSON.stringify(z.toJSONSchema(schema))}`);
	return sample;
}

/** The first that fits is taken. A text without a form may be an amount. */
const candidates = [
	...['12.00', '12.000', 'EUR', '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d', 'ada@team.example'],
	...['https://shop.example/page', '2027-01-31', '2027-01-31T09:00:00Z', 7, true],
];
