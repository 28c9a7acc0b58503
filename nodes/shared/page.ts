/** One page of a list (spec 4.2). `count` is `undefined` where the service gives no usable number. */
export interface Page {
	count: number | undefined;
	next: string | null;
	results: Array<Record<string, unknown>>;
}

/** Reads an answer as a page (spec 4.2, 4.3), or tells what it is instead. */
export function toPage(body: unknown): Page | string {
	if (Array.isArray(body)) return 'a bare list instead of a page with "results"';
	const { results, next, count } = (body ?? {}) as Record<keyof Page, unknown>;
	if (!Array.isArray(results)) return 'no page with "results"';
	if (!isListOfObjects(results)) return 'a page with results that are no objects';
	const number = Number(count ?? NaN);
	return {
		results,
		next: next ? String(next) : null,
		count: Number.isInteger(number) && number >= 0 ? number : undefined,
	};
}

/** Whether a value is a list of which every element is an object. */
export function isListOfObjects(value: unknown): value is Array<Record<string, unknown>> {
	return (
		Array.isArray(value) &&
		value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
	);
}
