import type { Page } from '../../shared/pagination/page';
import { isUsableId } from '../../shared/pagination/page';

type Result = Page['results'][number];

/** Identifies a result by its ID, its reference, or else by what does not change with its status. */
export function keyOf(result: Result): string {
	const { id, reference_id: reference, created, currency, total, items } = result;
	if (isUsableId(id)) return String(id);
	if (isUsableId(reference)) return `reference ${reference}`;
	return JSON.stringify(created === undefined ? result : [created, currency, total, items]);
}
