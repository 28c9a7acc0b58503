import type { IDataObject, IExecuteFunctions, ITaskDataConnections } from 'n8n-workflow';

/**
 * What n8n's contexts hold but its public interface does not promise. Seen in n8n 2.41; where a field is missing, the
 * callers have another way.
 */
type Internals = { inputData?: ITaskDataConnections; runIndex?: number };

/** The input of a run of a node: the same object for all tries of the run. */
export const inputDataOf = (context: IExecuteFunctions): ITaskDataConnections | undefined =>
	(context as Internals).inputData;

/** Which run of the node within the execution this is. */
export const runIndexOf = (context: IExecuteFunctions): number | undefined =>
	(context as Internals).runIndex;

/** Whether n8n observes changes of static data to save it; durable cursors are not observed. */
export const isObserved = (staticData: IDataObject): boolean => '__dataChanged' in staticData;
