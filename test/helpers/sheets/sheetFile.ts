import type { INodeParameters } from 'n8n-workflow';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import type { WorkflowFile } from '../../../tools/host/api';
import { ownId } from '../../../tools/host/sharedN8n';
import type { SharedStage } from '../../../tools/host/stage';
import type { NodeUnderTest } from '../../../tools/host/workflowOf';
import { fs, path } from '../../../tools/node';

/** `''` and `null` are empty cells. */
export type SheetCell = string | number | Date | null;

/** Writes a file that n8n may read: a text as it is, rows as an Excel file. Gives its path. */
export async function writeSheet(
	{ filesFolder }: SharedStage,
	name: string,
	content: string | Buffer | SheetCell[][],
): Promise<string> {
	const file = path.join(filesFolder, name);
	if (Array.isArray(content)) {
		const cellOf = (value: SheetCell) => {
			if (value === '' || value === null) return null;
			return { value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) };
		};
		const rows = content.map((row): Row => row.map(cellOf));
		await writeXlsxFile(rows, { sheet: 'Sheet' }).toFile(file);
	} else {
		fs.writeFileSync(file, content);
	}
	return file.split(path.sep).join('/');
}

/** A workflow in which n8n reads the file, and gives its rows to the node "Node". `options`: those of Extract From File. */
export function workflowOfFile(
	file: string,
	options: INodeParameters,
	node: NodeUnderTest,
): WorkflowFile {
	const operation = file.endsWith('csv') ? 'csv' : 'xlsx';
	const steps: Array<NodeUnderTest & { name: string }> = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: 'Read',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			parameters: { operation: 'read', fileSelector: file, options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1.1,
			parameters: { operation, options },
		},
		{ ...node, name: 'Node' },
	];
	const nodes = steps.map((step, at) => ({
		...step,
		id: `step-${at}`,
		position: [200 * at, 0] as [number, number],
	}));
	const connectionTo = (name: string) => ({
		main: [[{ node: name, type: 'main' as const, index: 0 }]],
	});
	return {
		id: ownId('workflowOfFile'),
		name: 'Sheet',
		nodes,
		connections: {
			Start: connectionTo('Read'),
			Read: connectionTo('Rows'),
			Rows: connectionTo('Node'),
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
	};
}
