import { codeOf } from '../../shared/hash';
import type { PlannedInvoice } from './plannedInvoice';
import { essenceOf } from './plannedInvoice';

export const defaultPrefix = 'AUTO-';
/** With the code and the count of equal invoices a number has at most 30 characters (spec 4.1). */
export const longestPrefix = 12;
/** 60 bits: among a million invoices two have the same with a probability of one in two millions. */
const codeLength = 12;

/**
 * Numbers that are made of what invoices say: the same invoice has the same number in every run, so that it is found again, and one
 * that was corrected has another. Invoices that are equal are counted in the order in which they stand: `-2`, `-3`.
 */
export function contentNumbers(planned: PlannedInvoice[], prefix = defaultPrefix): string[] {
	const seen = new Map<string, number>();
	return planned.map((one) => {
		const essence = essenceOf(one);
		const times = (seen.get(essence) ?? 0) + 1;
		seen.set(essence, times);
		return `${prefix}${codeOf(essence, codeLength)}${times > 1 ? `-${times}` : ''}`;
	});
}
