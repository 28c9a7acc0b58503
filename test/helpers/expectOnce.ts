/** Expects each ID exactly once, and no others. */
export function expectOnce(delivered: string[], ids: string[]): void {
	const wanted = new Set(ids);
	const seen = new Set(delivered);
	expect({
		delivered: delivered.length,
		lost: ids.filter((id) => !seen.has(id)).length,
		unexpected: delivered.filter((id) => !wanted.has(id)).length,
		twice: delivered.length - seen.size,
	}).toEqual({ delivered: ids.length, lost: 0, unexpected: 0, twice: 0 });
}
