import { codeOf } from '../../shared/hash';
import { comparableNumber } from '../invoices/comparableNumber';
import type { PlannedInvoice } from './plannedInvoice';
import { identityOf } from './plannedInvoice';

export const defaultPrefix = 'AUTO-';
/** Leaves room for the code and a counter: numbers have at most 30 characters (spec 4.1). */
export const maxPrefixLength = 12;
/** 60 bits: two of a million invoices share a code with a probability of 1 in 2 million. */
const codeLength = 12;

/**
 * Derives invoice numbers from the content: an invoice has the same number in every run and is found again, a corrected one
 * gets another. Equal invoices are counted in their order: `-2`, `-3`. `taken`: numbers of other invoices, as
 * `comparableNumber` writes them.
 */
export function contentNumbers(
	planned: PlannedInvoice[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): string[] {
	const used = new Set(taken);
	return planned.map((one) => {
		const code = `${prefix}${codeOf(identityOf(one), codeLength)}`;
		let number = code;
		for (let count = 2; used.has(comparableNumber(number)); count++) number = `${code}-${count}`;
		used.add(comparableNumber(number));
		return number;
	});
}

/** Whether a number looks like a derived one, with any prefix or one of these. */
export function isContentNumber(number: string, prefixes?: string[]): boolean {
	const [, prefix] = /^(.{0,12}?)[0-9A-Z]{12}(?:-\d+)?$/i.exec(number.trim()) ?? [];
	if (prefix === undefined || !prefixes) return prefix !== undefined;
	return prefixes.some((one) => one.toUpperCase() === prefix.toUpperCase());
}
