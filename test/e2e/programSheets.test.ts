import { stringify } from 'csv-stringify/sync';
import type { INodeParameters } from 'n8n-workflow';
import { languageSheets } from '../../tools/commands/languageSheets';
import { comingStart } from '../../tools/commands/samples';
import { ourNode, runWorkflow } from '../../tools/host/workflowOf';
import { fs, path } from '../../tools/node';
import { useStage } from '../helpers/n8n/stage';
import { newKey } from '../helpers/service/useSimulator';
import { fromRowsParameters, preview, reading } from '../helpers/sheets/fromRows';
import type { FileKind } from '../helpers/sheets/programSheets';
import { billed, cellOf, programSheets, toBill } from '../helpers/sheets/programSheets';
import type { SheetCell } from '../helpers/sheets/sheetFile';
import { workflowOfFile, writeSheet } from '../helpers/sheets/sheetFile';

/** Sheets of real programs and in other languages: n8n's nodes read their files, ours previews them and creates what it has shown. */
const n8n = useStage();
// The node remembers the created invoices of an account.
beforeEach(async () => {
	await n8n.stage.useKey(newKey());
});

interface SheetFile {
	kind: FileKind;
	content: string | Buffer | SheetCell[][];
	/** Options of Extract From File. */
	options?: INodeParameters;
	/** Parameters that the sheet needs. */
	set?: object;
	/** What a person changes in its reading. */
	edit?: [from: string, to: string];
}

/** Confirms what the preview of the file shows, and creates it. Gives the error of the run. */
async function confirmFile({ kind, content, set, edit, options: given }: SheetFile) {
	const file = await writeSheet(n8n.stage, `sheet.${kind}`, content);
	const options = given ?? (kind === 'xlsx' ? { rawData: true } : {});
	const run = async (change: object) => {
		const node = ourNode(n8n.stage, fromRowsParameters({ ...set, ...change }));
		const { data } = await runWorkflow(n8n.stage.api, workflowOfFile(file, options, node));
		return data.resultData;
	};
	const shown = async (change: object = {}) => {
		const { runData } = await run({ ...preview(set), ...change });
		expect(n8n.created()).toEqual([]);
		return String(runData.Node[0].data?.main[0]?.at(-1)?.json.reading);
	};
	let text = await shown();
	// Who edits a reading looks at its preview again.
	if (edit) text = await shown(reading(text.replace(...edit)));
	return (await run(reading(text))).error;
}

describe.each(['csv', 'xlsx'] as const)('[R1] the %s file of', (kind) => {
	test.each(programSheets)('$name is billed as it says, or not at all', async (sheet) => {
		const { headers, rows, set, edit, invoices } = sheet;
		const cells = [headers, ...rows.map((row) => row.map((cell) => cellOf(kind, cell)))];
		const content = kind === 'csv' ? stringify(cells) : cells;
		const error = await confirmFile({ kind, content, set, edit });
		if (invoices) expect(error).toBeUndefined();
		else expect(error?.message).toBeDefined();
		expect(billed(n8n.created())).toEqual(toBill(sheet));
	});
});

describe.each(Object.keys(languageSheets(comingStart())))(
	'[R1] the sheet invoices.%s of the examples',
	(language) => {
		test.each<[FileKind, INodeParameters]>([
			['csv', { delimiter: ';', encoding: 'latin1' }],
			['xlsx', { rawData: true }],
		])('%s: is billed once its reading is confirmed', async (kind, options) => {
			const file = path.join(n8n.stage.filesFolder, `invoices.${language}.${kind}`);
			const error = await confirmFile({ kind, content: fs.readFileSync(file), options });
			expect(error).toBeUndefined();
			// Invoices are not created in the order of the rows.
			const created = new Map(n8n.created().map(({ full, request }) => [full.amount, request]));
			expect([...created.keys()].sort()).toEqual(['120.00', '2500.00']);
			if (language === 'de') expect(created.get('2500.00')?.note).toBe('Danke! Preise in €');
		});
	},
);
