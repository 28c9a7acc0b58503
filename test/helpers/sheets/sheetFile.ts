import type { INodeParameters } from 'n8n-workflow';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import type { WorkflowFile } from '../../../tools/host/api';
import type { SharedStage } from '../../../tools/host/stage';
import type { NodeUnderTest } from '../../../tools/host/workflowOf';
import { workflowOf } from '../../../tools/host/workflowOf';
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
	const { nodes, ...workflow } = workflowOf([], node);
	const [start, first, second, last] = nodes;
	const read = {
		...first,
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1.1,
		parameters: { operation: 'read', fileSelector: file, options: {} },
	};
	const rows = {
		...second,
		type: 'n8n-nodes-base.extractFromFile',
		typeVersion: 1.1,
		parameters: { operation, options },
	};
	return { ...workflow, nodes: [start, read, rows, last] };
}
