import type { IExecuteFunctions } from 'n8n-workflow';
import { openDirectory } from '../../shared/customers/directory';
import { resolveEmails } from '../../shared/customers/resolveEmails';
import { toNodeError } from '../../shared/errors/nodeErrors';
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
