import type { IExecuteFunctions, PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { openDirectory } from '../../shared/customers/directory';
import { resolveEmails } from '../../shared/customers/resolveEmails';
import { toNodeError } from '../../shared/errors/nodeErrors';
import type { Field } from '../../shared/fields/field';
import { fieldsIn } from '../../shared/fields/field';
import type { EmailPlace } from '../../shared/fields/readFields';
import type { RequestPolicy } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';

/** Replaces customers' emails with their IDs (spec 4.1, 4.2, 4.3). Returns problems by index in `places`. Throws a NodeApiError. */
export async function replaceEmails(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'helpers' | 'getNode'> &
		Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>,
	places: EmailPlace[],
	policy: RequestPolicy = defaultPolicy,
): Promise<Map<number, string>> {
	const client = await openDirectory(context, context.getExecutionCancelSignal?.());
	const outcome = 'failure' in client ? client : await resolveEmails(client, policy, places);
	if ('failure' in outcome) throw toNodeError(context.getNode(), outcome.failure);
	return outcome.problems;
}

/** A preSend action for n8n's RoutingNode: replaces emails in one request. Throws a NodeOperationError for the first problem. */
export const sendCustomerIds = (fields: Field[]): PreSendAction =>
	async function (sent) {
		const places = fields
			.flatMap((field) => (field.type === 'collection' ? fieldsIn(field) : [field]))
			.filter(({ rule }) => rule?.limits.kind === 'uuid')
			.flatMap(({ displayName, routing }): EmailPlace[] => {
				const { type, property } = routing?.send ?? {};
				const part = type === 'query' ? sent.qs : (sent.body as EmailPlace['part'] | undefined);
				if (!part || !property || !String(part[property]).includes('@')) return [];
				return [{ part, property, displayName }];
			});
		if (places.length === 0) return sent;
		const [problem] = (await replaceEmails(this as unknown as IExecuteFunctions, places)).values();
		if (problem !== undefined) throw new NodeOperationError(this.getNode(), problem);
		return sent;
	};
