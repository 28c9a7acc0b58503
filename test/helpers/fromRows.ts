import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { RunResult } from './engine';
import { runNode } from './engine';
import type { useSimulator } from './service';

/** Runs Create From Rows with Map Automatically. `change`: other parameters; `node`: settings of the node. */
export const fromRows =
	(service: ReturnType<typeof useSimulator>) =>
	async (change: object, items: IDataObject[], node: Partial<INode> = {}): Promise<RunResult> =>
		await runNode({
			credential: service.credential,
			parameters: {
				resource: 'invoice',
				operation: 'createFromRows',
				columns: { mappingMode: 'autoMapInputData', value: null } as never,
				...change,
			} as INodeParameters,
			items,
			node,
		});
