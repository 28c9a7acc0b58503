import { stringify } from 'csv-stringify/sync';
import type { INodeParameters } from 'n8n-workflow';
import writeXlsxFile from 'write-excel-file/node';
import type { StoredExecution } from '../../host/api';
import type { SharedStage } from '../../host/stage';
import { readExample, triggerOf } from '../../host/stage';
import { fs, path } from '../../scripts/node';

export const headers = ['Invoice Number', 'Customer ID', 'Item', 'Amount', 'Currency', 'Due Date'];
type Cell = string | number | Date;
export type Sheet = Cell[][];

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
	async function workflowFor(kind: 'csv' | 'xlsx', sheet: Sheet, parameters: INodeParameters = {}) {
		const file = path.join(n8n.stage.filesFolder, `invoices.${kind}`);
		if (kind === 'csv') {
			fs.writeFileSync(file, stringify([headers, ...(sheet as string[][])]));
		} else {
			const cells = sheet.map((row) =>
				row.map((value) => ({ value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) })),
			);
			await writeXlsxFile([headers.map((value) => ({ value })), ...cells] as never, {
				sheet: 'Sheet',
			}).toFile(file);
		}
		const example = readExample('invoices-from-spreadsheet', n8n.stage);
		const trigger = triggerOf(example);
		const first = kind === 'csv' ? 'Read CSV File' : 'Read Excel File';
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

	return { sheetOf, workflowFor, run };
}
