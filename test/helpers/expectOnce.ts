/** Expects that each of the IDs was delivered once, and no others. */
export function expectOnce(delivered: string[], ids: string[]): void {
	const wanted = new Set(ids);
	const seen = new Set(delivered);
	expect({
		delivered: delivered.length,
		lost: ids.filter((id) => !seen.has(id)).length,
		strange: delivered.filter((id) => !wanted.has(id)).length,
		twice: delivered.length - seen.size,
	}).toEqual({ delivered: ids.length, lost: 0, strange: 0, twice: 0 });
}
