import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IPollFunctions,
	ITaskDataConnections,
	Workflow,
} from 'n8n-workflow';

/** Not part of n8n's public interface (seen in 2.41). Callers must cope with missing fields. */
type Internals = {
	inputData?: ITaskDataConnections;
	runIndex?: number;
	workflow?: Partial<Workflow>;
};

/** The input of a node's run. All attempts of the run share this object. */
export const inputDataOf = (context: IExecuteFunctions): ITaskDataConnections | undefined =>
	(context as Internals).inputData;

export const runIndexOf = (context: IExecuteFunctions): number | undefined =>
	(context as Internals).runIndex;

/** All nodes of the workflow. */
export const nodesOf = (context: IPollFunctions): INode[] =>
	Object.values((context as Internals).workflow?.nodes ?? {});

/** Whether n8n tracks changes of this static data. It does not track durable cursors. */
export const isObserved = (staticData: IDataObject): boolean => '__dataChanged' in staticData;
