import { stringify } from 'csv-stringify/sync';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import type { StoredExecution, WorkflowFile } from '../../tools/host/api';
import type { SharedStage } from '../../tools/host/stage';
import { readExample, triggerOf } from '../../tools/host/stage';
import { fs, path } from '../../tools/node';

export const headers = ['Invoice Number', 'Customer ID', 'Item', 'Amount', 'Currency', 'Due Date'];
type Cell = string | number | Date;
export type Sheet = Cell[][];
export type FileKind = 'csv' | 'xlsx';

/** The nodes of the spreadsheet example that read a file of each kind. */
const readers: Record<FileKind, [read: string, rows: string]> = {
	csv: ['Read CSV File', 'CSV Rows'],
	xlsx: ['Read Excel File', 'Excel Rows'],
};

/** A sheet of its own in a workflow that creates the invoices of many. */
export interface NamedSheet {
	/** No other sheet of the workflow has it. */
	name: string;
	headers: string[];
	/** For a CSV file, the text of all cells. */
	cells: Sheet;
	parameters: INodeParameters;
}

/** What became of a sheet. */
export interface SheetOutcome {
	/** What stopped it. */
	error?: { message: string; description?: string };
	/** The invoices that came out of the node. */
	ids: string[];
}

/** Writes the file that a person would have. */
export async function writeSheet(file: string, kind: FileKind, firstRow: string[], cells: Sheet) {
	if (kind === 'csv') {
		fs.writeFileSync(file, stringify([firstRow, ...cells]));
		return;
	}
	const cellOf = (value: Cell) => {
		if (value === '') return null;
		return { value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) };
	};
	const rows = [firstRow, ...cells].map((row): Row => row.map(cellOf));
	await writeXlsxFile(rows, { sheet: 'Sheet' }).toFile(file);
}

/** What came out of the node that creates the invoices. */
export const outputOf = ({ data }: StoredExecution, output = 0) =>
	(data.resultData.runData['Create Invoices'] ?? []).flatMap((run) =>
		(run.data?.main[output] ?? []).map(({ json }) => json),
	);

/** Sheets that n8n's own nodes read, as the spreadsheet example does, in a real n8n. */
export function sheetsIn(n8n: { readonly stage: SharedStage }) {
	const sheetOf = (count: number): Sheet => {
		const { id } = n8n.stage.simulator.world.account.customers[0];
		return Array.from({ length: count }, (_, index) => [
			`S-${index}`,
			id,
			'Consulting',
			`${index}.25`,
			'EUR',
			'2027-01-15',
		]);
	};

	/** Writes a file for the example and leaves out the branch that reads the other one. */
	async function workflowFor(kind: FileKind, sheet: Sheet, parameters: INodeParameters = {}) {
		const file = path.join(n8n.stage.filesFolder, `invoices.${kind}`);
		await writeSheet(file, kind, headers, sheet);
		const example = readExample('invoices-from-spreadsheet', n8n.stage);
		const trigger = triggerOf(example);
		const [first] = readers[kind];
		const workflow = {
			...example,
			nodes: example.nodes.map((node) =>
				node.name === 'Create Invoices'
					? { ...node, parameters: { ...node.parameters, ...parameters } }
					: node,
			),
			connections: {
				...example.connections,
				[trigger]: { main: [[{ node: first, type: 'main' as const, index: 0 }]] },
			},
		};
		await n8n.stage.api.saveWorkflow(workflow);
		return { id: workflow.id, trigger };
	}

	async function run(...args: Parameters<typeof workflowFor>): Promise<StoredExecution> {
		const { id, trigger } = await workflowFor(...args);
		return await n8n.stage.api.run(id, trigger);
	}

	const fileOf = (kind: FileKind, index: number) =>
		path.join(n8n.stage.filesFolder, `sheet-${index}.${kind}`).split(path.sep).join('/');

	/** A workflow with a branch for each sheet, which reads it and creates its invoices as the example does. */
	function branchesFor(kind: FileKind, sheets: NamedSheet[]): WorkflowFile {
		const example = readExample('invoices-from-spreadsheet', n8n.stage);
		const trigger = example.nodes.filter(({ name }) => name === triggerOf(example));
		const named = (wanted: string) => {
			const found = example.nodes.find(({ name }) => name === wanted);
			if (!found) throw new Error(`The example has no node "${wanted}"`);
			return found;
		};
		const [read, rows] = readers[kind].map(named);
		const create = named('Create Invoices');
		const branches = sheets.map(({ name, parameters }, index) => {
			const at = (node: INode, prefix: string, change: INodeParameters): INode => ({
				...node,
				id: `${node.id}-${index}`,
				name: `${prefix}${name}`,
				position: [node.position[0], 200 * index],
				parameters: { ...node.parameters, ...change },
			});
			return [
				at(read, 'Read ', { fileSelector: fileOf(kind, index) }),
				at(rows, 'Rows ', {}),
				at(create, '', parameters),
			];
		});
		const to = (node: INode) => ({ node: node.name, type: 'main' as const, index: 0 });
		const connections: IConnections = {
			[triggerOf(example)]: { main: [branches.map(([first]) => to(first))] },
		};
		for (const [first, second, last] of branches) {
			connections[first.name] = { main: [[to(second)]] };
			connections[second.name] = { main: [[to(last)]] };
		}
		return { ...example, nodes: [...trigger, ...branches.flat()], connections };
	}

	/**
	 * Creates the invoices of many sheets in few executions: one that stops a sheet ends there, and the sheets after it go
	 * on in the next one. Throws an Error with n8n's words where something else fails than the creation.
	 */
	async function runAll(kind: FileKind, sheets: NamedSheet[]): Promise<Map<string, SheetOutcome>> {
		const outcomes = new Map<string, SheetOutcome>();
		let left = sheets;
		while (left.length > 0) {
			for (const [index, sheet] of left.entries()) {
				await writeSheet(fileOf(kind, index), kind, sheet.headers, sheet.cells);
			}
			const workflow = branchesFor(kind, left);
			await n8n.stage.api.saveWorkflow(workflow);
			const { data } = await n8n.stage.api.run(workflow.id, triggerOf(workflow));
			const { runData, error } = data.resultData;
			const ran = left.filter(({ name }) => runData[name] !== undefined);
			for (const { name } of ran) {
				const [branch] = runData[name];
				const items = branch.data?.main[0] ?? [];
				outcomes.set(name, {
					...(branch.error && { error }),
					ids: items.map(({ json }) => String(json.id)),
				});
			}
			const isStopped = ran.some(({ name }) => outcomes.get(name)?.error);
			if (ran.length < left.length && !isStopped) {
				throw new Error(`n8n ended before all sheets were read: ${error?.message ?? 'no error'}`);
			}
			left = left.filter((sheet) => !ran.includes(sheet));
		}
		return outcomes;
	}

	return { sheetOf, workflowFor, run, runAll };
}
