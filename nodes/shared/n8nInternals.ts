import type { IDataObject, IExecuteFunctions, ITaskDataConnections } from 'n8n-workflow';

/** Not part of n8n's public interface (seen in 2.41). Callers must cope with missing fields. */
type Internals = { inputData?: ITaskDataConnections; runIndex?: number };

/** The input of a node's run. All attempts of the run share this object. */
export const inputDataOf = (context: IExecuteFunctions): ITaskDataConnections | undefined =>
	(context as Internals).inputData;

export const runIndexOf = (context: IExecuteFunctions): number | undefined =>
	(context as Internals).runIndex;

/** Whether n8n tracks changes of this static data. It does not track durable cursors. */
export const isObserved = (staticData: IDataObject): boolean => '__dataChanged' in staticData;
