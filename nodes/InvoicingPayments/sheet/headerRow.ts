import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { fieldOf, headersIn } from './columns';

/** How far down the headers may stand, below a title or an address. */
const mostRows = 20;

/** So many headers that are known make a row of headers. */
const leastKnown = 3;

const knownIn = (texts: unknown[]) =>
	new Set(
		texts.flatMap((text) => (typeof text === 'string' ? (fieldOf(text)?.field.name ?? []) : [])),
	).size;

/**
 * Rows with the headers that stand further down, below a title, instead of those of the first row. The rows above them are empty then, so
 * that each row keeps its place. `at`: which row has the headers; `undefined`: the first one does. `above`: the texts above them.
 */
export function withHeaderRow(items: IDataObject[]): {
	items: IDataObject[];
	at?: number;
	above?: unknown[];
} {
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
	return {
		items: items.map((json, row) => (row > at ? renamed(json) : {})),
		at,
		above: items
			.slice(0, at)
			.flatMap((json) => Object.entries(json))
			.flatMap(([key, cell]) => (key === 'row_number' || isEmpty(cell) ? [] : [cell])),
	};
}
