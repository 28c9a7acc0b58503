import type { IDataObject, IExecuteFunctions, PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Operation } from '../execution/operation';
import { planSheet } from './planSheet';

/** For n8n's RoutingNode, which sends one request per item. Throws a NodeOperationError if the row is not valid. */
export const sendRow = (operation: () => Operation): PreSendAction =>
	async function (request) {
		const context = Object.create(this, {
			getInputData: { value: () => [this.getInputData()] },
			getNodeParameter: {
				value: (name: string, _itemIndex: number, fallback?: IDataObject) =>
					this.getNodeParameter(name, fallback),
			},
		}) as IExecuteFunctions;
		const [{ ready }] = (await planSheet(context, operation())).units;
		if ('request' in ready) return { ...request, body: ready.request.request.body };
		const problems = 'problems' in ready ? ready.problems : ['Nothing is to be sent for this row'];
		throw new NodeOperationError(this.getNode(), problems.join('; '));
	};
