import type { IDataObject, IExecuteFunctions, ITaskDataConnections } from 'n8n-workflow';

/** Not part of n8n's public interface (seen in 2.41). Callers have a fallback if a field is missing. */
type Internals = { inputData?: ITaskDataConnections; runIndex?: number };

/** The input of a run of a node. All tries of the run get the same object. */
export const inputDataOf = (context: IExecuteFunctions): ITaskDataConnections | undefined =>
	(context as Internals).inputData;

export const runIndexOf = (context: IExecuteFunctions): number | undefined =>
	(context as Internals).runIndex;

/** Whether n8n saves changes of this static data. It does not observe durable cursors. */
export const isObserved = (staticData: IDataObject): boolean => '__dataChanged' in staticData;
