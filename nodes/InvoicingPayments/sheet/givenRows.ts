import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { rule } from '../../shared/fields/rules';
import type { Parsed } from '../../shared/fields/text';
import { isEmpty, quote } from '../../shared/fields/text';

/** The rows from an AI agent: a list of objects, or the same as JSON. */
export const givenRows = rule({ kind: 'list' }, toRows);

function toRows(value: unknown): Parsed<IDataObject[]> {
	const rows = typeof value === 'string' ? fromJson(value) : value;
	const isRow = (one: unknown): one is IDataObject =>
		typeof one === 'object' && one !== null && !Array.isArray(one);
	if (Array.isArray(rows) && rows.every(isRow)) return { value: rows };
	return {
		problem: `must be a JSON list of rows such as [{"Customer": "..."}], got ${quote(value)}`,
	};
}

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The rows from the Rows parameter, if there are any. `planSheet` reports invalid ones. */
export function rowsGiven(context: IExecuteFunctions): IDataObject[] | undefined {
	const { rows } = context.getNode().parameters;
	if (isEmpty(rows)) return undefined;
	const given = toRows(context.getNodeParameter('rows', 0, '[]'));
	return 'value' in given && given.value.length ? given.value : undefined;
}
