import type { EmailPlace } from '../fields/readFields';
import type { Client, RequestPolicy } from '../transport/client';
import type { Failure } from '../transport/failure';
import { CustomerIndex, customerNotFound, customerNotUnique } from './findCustomer';
import { searchDirectory } from './directory';

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
