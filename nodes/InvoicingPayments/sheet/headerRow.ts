import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { fieldOf, headersIn } from './columns';

/** How many rows to search for headers below a title or an address. */
const mostRows = 20;

/** A row with at least this many known headers is the header row. */
const leastKnown = 3;

const knownIn = (texts: unknown[]) =>
	new Set(
		texts.flatMap((text) => (typeof text === 'string' ? (fieldOf(text)?.field.name ?? []) : [])),
	).size;

/** Finds headers below a title, in row `at`. The rows above become empty, so that row numbers do not shift. */
export function withHeaderRow(items: IDataObject[]): { items: IDataObject[]; at?: number } {
	if (knownIn(headersIn(items)) >= 2) return { items };
	const at = items
		.slice(0, mostRows)
		.findIndex((json) => knownIn(Object.values(json)) >= leastKnown);
	if (at < 0) return { items };
	const headers = new Map<string, string>();
	for (const [key, cell] of Object.entries(items[at])) {
		const header = isEmpty(cell) ? key : String(cell).trim();
		const isTaken = [...headers.values()].includes(header);
		headers.set(key, isTaken ? `${header} (${key})` : header);
	}
	const renamed = (json: IDataObject) =>
		Object.fromEntries(
			Object.entries(json).map(([key, cell]) => [headers.get(key) ?? key, cell] as const),
		);
	return { items: items.map((json, row) => (row > at ? renamed(json) : {})), at };
}
