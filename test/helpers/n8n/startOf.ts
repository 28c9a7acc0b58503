import type { IRunData, ITaskData } from 'n8n-workflow';

/** The stored data of an execution. After a kill, it may only have the nodes that wait to run. */
interface StoredData {
	resultData?: { runData?: IRunData };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: ITaskData['data'] }>;
	};
}

/** The trigger of an execution and the IDs of its items; `undefined` if n8n has no data, or the poll failed. */
export function startOf(data: object): { trigger: string; ids: string[] } | undefined {
	const { resultData, executionData } = data as StoredData;
	const [ran] = Object.entries(resultData?.runData ?? {});
	const [waiting] = executionData?.nodeExecutionStack ?? [];
	const candidates = [
		...(ran ? [{ trigger: ran[0], given: ran[1][0]?.data }] : []),
		...(waiting ? [{ trigger: waiting.node.name, given: waiting.data }] : []),
	];
	return candidates
		.map(({ trigger, given }) => ({
			trigger,
			// A failed poll gives an item without an ID.
			ids: (given?.main?.[0] ?? []).flatMap(({ json: { id } }) =>
				id === undefined ? [] : String(id),
			),
		}))
		.find(({ ids }) => ids.length > 0);
}
