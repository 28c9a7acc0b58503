/**
 * A JSON value with fields sorted by name, and without those that are `undefined`, so that equal values have equal texts. `textOf`: changes
 * texts.
 */
export function sorted(value: unknown, textOf = (text: string) => text): unknown {
	if (typeof value === 'string') return textOf(value);
	if (Array.isArray(value)) return value.map((one) => sorted(one, textOf));
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.filter(([, field]) => field !== undefined)
		.sort(([a], [b]) => Number(a > b) - Number(a < b))
		.map(([name, field]) => [name, sorted(field, textOf)]);
}
