import { stringify } from 'csv-stringify/sync';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import type { WorkflowFile } from '../../../tools/host/api';
import type { SharedStage } from '../../../tools/host/stage';
import { readExample, triggerOf } from '../../../tools/host/stage';
import { fs, path } from '../../../tools/node';
import { fromRowsParameters } from './fromRows';
import type { FileKind } from './programSheets';

type Cell = string | number | Date;

/** The nodes of the spreadsheet example that read a file of each kind. */
const readers: Record<FileKind, [read: string, rows: string]> = {
	csv: ['Read CSV File', 'CSV Rows'],
	xlsx: ['Read Excel File', 'Excel Rows'],
};

export interface NamedSheet {
	/** Unique among the sheets. */
	name: string;
	headers: string[];
	/** Text only for a CSV file. */
	cells: Cell[][];
	/** Parameters that the sheet needs. */
	set?: object;
	/** What a person changes in its reading. */
	edit?: [from: string, to: string];
}

/** The result of a sheet. */
export interface SheetOutcome {
	/** The error that stopped it. */
	error?: { message: string; description?: string };
	/** The IDs of its invoices. */
	ids: string[];
}

/** Writes a sheet into a file. */
async function writeSheet(file: string, kind: FileKind, { headers, cells }: NamedSheet) {
	if (kind === 'csv') {
		fs.writeFileSync(file, stringify([headers, ...cells]));
		return;
	}
	const cellOf = (value: Cell) => {
		if (value === '') return null;
		return { value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) };
	};
	const rows = [headers, ...cells].map((row): Row => row.map(cellOf));
	await writeXlsxFile(rows, { sheet: 'Sheet' }).toFile(file);
}

const fileOf = ({ filesFolder }: SharedStage, kind: FileKind, index: number) =>
	path.join(filesFolder, `sheet-${index}.${kind}`).split(path.sep).join('/');

/** The reading that the preview of a sheet gives, as a person has changed it. */
const readingOf = ({ name, edit }: NamedSheet) =>
	`={{ $(${JSON.stringify(`Preview ${name}`)}).last().json.reading${edit ? `.replace(${edit.map((text) => JSON.stringify(text)).join(', ')})` : ''} }}`;

/**
 * A workflow with a branch for each sheet: the nodes of the spreadsheet example read it, one node previews it, and then another one
 * creates what was previewed.
 */
function branchesFor(stage: SharedStage, kind: FileKind, sheets: NamedSheet[]): WorkflowFile {
	const example = readExample('invoices-from-spreadsheet', stage);
	const named = (wanted: string) => {
		const found = example.nodes.find(({ name }) => name === wanted);
		if (!found) throw new Error(`The example has no node "${wanted}"`);
		return found;
	};
	const trigger = named(triggerOf(example));
	const [read, rows, create] = [...readers[kind], 'Create Invoices'].map(named);
	const branches = sheets.map((sheet, index) => {
		const { name, set = {} } = sheet;
		const at = (node: INode, prefix: string, change: INodeParameters): INode => ({
			...node,
			id: `${prefix.trim()}${node.id}-${index}`,
			name: `${prefix}${name}`,
			// n8n runs the upper one of two branches first.
			position: [node.position[0], 200 * index + (prefix ? 0 : 100)],
			parameters: { ...node.parameters, ...change },
		});
		return [
			at(read, 'Read ', { fileSelector: fileOf(stage, kind, index) }),
			at(rows, 'Rows ', {}),
			at(create, 'Preview ', {
				...fromRowsParameters(set),
				...{ previewOnly: true, reading: { __rl: true, mode: 'list', value: '' } },
			}),
			at(create, '', {
				...fromRowsParameters(set),
				reading: { __rl: true, mode: 'text', value: readingOf(sheet) },
			}),
		];
	});
	const to = (...nodes: INode[]) => ({
		main: [nodes.map((node) => ({ node: node.name, type: 'main' as const, index: 0 }))],
	});
	const connections: IConnections = { [trigger.name]: to(...branches.map(([first]) => first)) };
	for (const [readFile, readRows, ...both] of branches) {
		connections[readFile.name] = to(readRows);
		connections[readRows.name] = to(...both);
	}
	return { ...example, nodes: [trigger, ...branches.flat()], connections };
}

/**
 * Creates the invoices of many sheets, read from files by n8n's nodes, in few executions. An execution ends at a sheet that stops, and
 * the next one goes on with the sheets after it. Throws an Error if anything else fails.
 */
export async function runSheets(
	stage: SharedStage,
	kind: FileKind,
	sheets: NamedSheet[],
): Promise<Map<string, SheetOutcome>> {
	const outcomes = new Map<string, SheetOutcome>();
	let left = sheets;
	while (left.length > 0) {
		for (const [index, sheet] of left.entries())
			await writeSheet(fileOf(stage, kind, index), kind, sheet);
		const workflow = branchesFor(stage, kind, left);
		await stage.api.saveWorkflow(workflow);
		const { data } = await stage.api.run(workflow.id, triggerOf(workflow));
		const { runData, error } = data.resultData;
		const ran = left.filter(({ name }) => runData[name] !== undefined);
		for (const { name } of ran) {
			const [{ error: own, data: output }] = runData[name];
			const ids = (output?.main[0] ?? []).map(({ json }) => String(json.id));
			outcomes.set(name, { ...(own && { error }), ids });
		}
		const isStopped = ran.some(({ name }) => outcomes.get(name)?.error);
		if (ran.length < left.length && !isStopped)
			throw new Error(`n8n ended before all sheets were read: ${error?.message ?? 'no error'}`);
		left = left.filter((sheet) => !ran.includes(sheet));
	}
	return outcomes;
}
