import type { IExecuteFunctions, PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { openDirectory, searchDirectory } from '../../shared/customers/directory';
import { toNodeError } from '../../shared/errors/nodeErrors';
import type { Field } from '../../shared/fields/field';
import { fieldsIn } from '../../shared/fields/field';
import type { EmailPlace } from '../../shared/fields/readFields';
import type { RequestPolicy, Client } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';
import type { Failure } from '../../shared/transport/failure';
import {
	CustomerIndex,
	customerNotFound,
	customerNotUnique,
} from '../../shared/customers/findCustomer';

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

/** Similar emails take long to find, so only the first errors suggest some. */
const maxSuggestions = 20;

/** Replaces emails by customer IDs. Returns the problems by index, or the failure of the request. Never throws. */
export async function resolveEmails(
	client: Client,
	policy: RequestPolicy,
	places: EmailPlace[],
): Promise<{ problems: Map<number, string> } | { failure: Failure }> {
	const problems = new Map<number, string>();
	const failed = await searchDirectory(client, policy, (directory) => {
		const index = new CustomerIndex(directory.customers);
		problems.clear();
		places.forEach(({ part, property, displayName }, at) => {
			const email = String(part[property]);
			if (!email.includes('@')) return;
			const found = index.withEmail(email);
			if (found.length === 1) part[property] = found[0].id;
			else {
				const problem = found.length
					? `${customerNotUnique(email, found)}. Choose 'By ID'`
					: `${customerNotFound(email, index, directory, problems.size < maxSuggestions)} Choose 'By ID' for a customer without invoices.`;
				problems.set(at, `${displayName}: ${problem}`);
			}
		});
		return problems.size === 0;
	});
	return failed ?? { problems };
}
