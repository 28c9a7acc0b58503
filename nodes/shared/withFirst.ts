/** The fields of `others`, with this one first, which wins. A spread, because Object.assign would let a field named __proto__ set the prototype. */
export function withFirst(
	name: string,
	value: unknown,
	others: Record<string, unknown>,
): Record<string, unknown> {
	const first = { [name]: value };
	return { ...first, ...others, ...first };
}
