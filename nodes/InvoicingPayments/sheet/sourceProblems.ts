import type { IExecuteFunctions } from 'n8n-workflow';
import { columnIn, mappingOf, plainly } from './columns';
import { rowFields } from './rowFields';
import type { SheetProblem } from './sheetError';

const delimiters: Record<string, string> = { ';': ';', '\t': '\\t (a tab)' };

/** Detects mistakes in the previous nodes by the headers that arrive. */
export function sourceProblems(headers: string[]): SheetProblem[] {
	if (headers.length === 0) {
		const title = 'No rows arrived';
		return [{ title, text: `${title}. Put Extract from File or Google Sheets before this node` }];
	}
	const garbled = headers.find((header) => header.includes('\uFFFD'));
	const encoding =
		garbled === undefined
			? []
			: [
					{
						title: "Letters were lost: set 'Encoding'",
						text: `Letters were lost in "${garbled.slice(0, 60)}". Set Options > Encoding to ISO-8859-1 in Extract from File`,
					},
				];
	const unsplit = headers.find((header) => header.split(/[;\t]/).length > 2);
	if (unsplit === undefined) return encoding;
	const [, delimiter = ';'] = /([;\t])/.exec(unsplit) ?? [];
	const title = `Several columns arrived as one: set 'Delimiter' to ${delimiters[delimiter]}`;
	const text = `Several columns arrived as one, "${unsplit.replace(/\t/g, ' ')}". Set Options > Delimiter to ${delimiters[delimiter]} in Extract from File`;
	return [{ title, text }, ...encoding];
}

/** Fields that contain a column's name as plain text, although its cells are meant. */
export function typedHeaders(context: IExecuteFunctions, headers: string[]): SheetProblem[] {
	const values = mappingOf(context).value ?? {};
	const used = Object.values(values).map((value) => columnIn(String(value)));
	return rowFields.flatMap(({ name, displayName }) => {
		const typed = values[name];
		const isFixed = typeof typed === 'string' && !typed.startsWith('=');
		const header = isFixed && headers.find((one) => plainly(one) === plainly(typed));
		if (!header || used.includes(header)) return [];
		const title = `${displayName} contains the text "${typed}", which is the name of a column`;
		return [{ title, text: `${title}. Drag the column from the left` }];
	});
}
