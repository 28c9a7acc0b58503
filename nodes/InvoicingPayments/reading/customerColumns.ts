import type { CustomerIndex } from '../../shared/customers/customerIndex';
import type { Choice } from './choice';
import { findCustomers } from './customers';
import type { Column } from './profile';

/**
 * Which columns say who pays. Cells that are known customers decide between columns; a column of unknown emails is not the customer.
 * If no cell is known, two columns may be a first and a last name.
 */
export function* pickCustomers(choice: Choice): Generator<void> {
	const { customers } = choice.settings;
	if (choice.has('customerId') || choice.has('customerEmail')) return;
	const shares = new Map<Column, number>();
	for (const column of choice.freeColumns((one) => one.share('email', 'id', 'text') > 0.3)) {
		shares.set(column, knownShare(column, customers));
		yield;
	}
	const shareOf = (column: Column) => shares.get(column) ?? 0;
	const isAnyKnown = [...shares.values()].some((share) => share > 0);
	if (customers && !isAnyKnown && pickTwoNames(choice, customers)) return;
	yield* choice.pick('customerEmail', {
		// Emails may stand below Customer.
		names: ['customerEmail', 'customerId'],
		fits: (one) => one.share('email') > 0.5 && (!isAnyKnown || shareOf(one) > 0),
		least: 0,
	});
	yield* choice.pick('customerId', {
		fits: (one) => shares.has(one) && !one.is('email'),
		least: 4.5,
		bonus: (one) => 9 * shareOf(one),
	});
}

/** A first and a last name that together are known customers. */
function pickTwoNames(choice: Choice, customers: CustomerIndex): boolean {
	const names = choice.freeColumns((one) => one.is('text')).slice(0, 12);
	for (const first of names) {
		for (const last of names) {
			const pairs = first.looks
				.flatMap((look, at) => {
					const rest = last.looks[at];
					return look && rest ? [`${look.text} ${rest.text}`] : [];
				})
				.slice(0, 50);
			const known = pairs.filter((pair) => customers.withName(pair).length > 0);
			if (first === last || known.length * 2 <= pairs.length) continue;
			choice.use('customerId', first, { isGuess: true });
			choice.useAsRest(last);
			return true;
		}
	}
	return false;
}

/** Which share of the texts are customers that the service knows. */
function knownShare({ texts }: Column, customers?: CustomerIndex): number {
	if (!customers) return 0;
	return texts.filter((text) => findCustomers(text, customers).length > 0).length / texts.length;
}
