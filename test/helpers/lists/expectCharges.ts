import { creationTimeOf } from '../../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import type { Listed } from './list';

/** Expects each ID exactly once, and no others. */
export function expectCharges(charges: Listed[], ids: string[]): void {
	const delivered = charges.map(({ id }) => String(id));
	const wanted = new Set(ids);
	const seen = new Set(delivered);
	expect({
		delivered: delivered.length,
		lost: ids.filter((id) => !seen.has(id)).length,
		unexpected: delivered.filter((id) => !wanted.has(id)).length,
		twice: delivered.length - seen.size,
	}).toEqual({ delivered: ids.length, lost: 0, unexpected: 0, twice: 0 });
}

/** Whether the oldest come first. */
export const isByAge = (charges: Listed[]) =>
	charges.every(
		(charge, at) =>
			at === 0 || (creationTimeOf(charges[at - 1]) ?? 0) <= (creationTimeOf(charge) ?? 0),
	);
