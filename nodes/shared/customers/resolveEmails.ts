import type { EmailPlace } from '../fields/readFields';
import type { Client, RequestPolicy } from '../transport/client';
import type { Failure } from '../transport/failure';
import { CustomerIndex } from './findCustomer';
import { searchDirectory } from './directory';
import { notFound, notUnique } from './messages';

/** For how many emails those that are almost the same are looked for: it takes long. */
const mostSuggestions = 20;

/**
 * Puts the customers' IDs in the place of their emails. Returns what is wrong, by the index of the place, or the failure of the
 * request that looked for them. Never throws.
 */
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
					? `${notUnique(email, found)}. Choose 'By ID'`
					: `${notFound(email, index, directory, problems.size < mostSuggestions)} Choose 'By ID' for a customer without invoices.`;
				problems.set(at, `${displayName}: ${problem}`);
			}
		});
		return problems.size === 0;
	});
	return failed ?? { problems };
}
