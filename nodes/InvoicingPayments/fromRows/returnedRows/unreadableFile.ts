import { shorten } from '../../../shared/fields/text';
import type { Statements } from '../../reading/statements';
import { namedHeaders } from '../../reading/statements';
import type { SheetRow } from '../../reading/table';
import { areData, headersBelowTitle, headersIn } from '../../reading/table';
import type { Refusal } from '../settings';

/** Why the node that reads the file has lost cells, so that nothing can be previewed, and what to set there. */
export function unreadableFile(
	rows: readonly SheetRow[],
	{ isMapped, said }: { isMapped: boolean; said?: Statements },
): Refusal | undefined {
	const headers = headersIn(rows);
	const [first] = headers as Array<string | undefined>;
	if (first === undefined)
		return isMapped
			? undefined
			: {
					title: 'No rows arrived',
					lines: ['Put Extract from File or Google Sheets before this node'],
				};
	const delimiter = headers.length === 1 ? /[;\t|]/.exec(first)?.[0] : undefined;
	if (delimiter !== undefined)
		return {
			title: `Several columns arrived as one: set 'Delimiter' to ${delimiter === '\t' ? '\\t (a tab)' : delimiter} in the node that reads the file`,
			lines: [],
		};
	const named = said ? namedHeaders(said) : new Set();
	if (headers.some((header) => named.has(header))) return undefined;
	const below = headersBelowTitle(rows);
	if (below !== undefined)
		return {
			title: `Columns without a name were lost: turn 'Header Row' off in the node that reads the file, or set its 'Starting Line' to ${below}`,
			lines: [
				`The first line (${shorten(first, 60)}) was taken for the headers, which stand in row ${below}.`,
			],
		};
	if (areData(rows, headers))
		return {
			title: "The file has no headers: turn 'Header Row' off in the node that reads it",
			lines: [
				`Its first row was taken for them, and would not be billed: ${headers
					.map((header) => shorten(header, 40))
					.slice(0, 8)
					.join(', ')}`,
			],
		};
	return undefined;
}
