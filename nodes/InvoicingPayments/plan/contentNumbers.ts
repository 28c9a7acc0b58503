import { codeOf } from '../../shared/hash';
import { comparableNumber } from '../invoices/comparableNumber';
import type { PlannedInvoice } from './plannedInvoice';
import { essenceOf } from './plannedInvoice';

export const defaultPrefix = 'AUTO-';
/** With the code and the count of equal invoices a number has at most 30 characters (spec 4.1). */
export const longestPrefix = 12;
/** 60 bits: among a million invoices two have the same with a probability of one in two millions. */
const codeLength = 12;

/**
 * Numbers that are made of what invoices say: the same invoice has the same number in every run, so that it is found again, and one
 * that was corrected has another. Invoices that are equal are counted in the order in which they stand: `-2`, `-3`. `taken`: numbers
 * that other invoices have, as `comparableNumber` writes them.
 */
export function contentNumbers(
	planned: PlannedInvoice[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): string[] {
	const used = new Set(taken);
	return planned.map((one) => {
		const code = `${prefix}${codeOf(essenceOf(one), codeLength)}`;
		let number = code;
		for (let count = 2; used.has(comparableNumber(number)); count++) number = `${code}-${count}`;
		used.add(comparableNumber(number));
		return number;
	});
}

/** Whether a number looks like one that was made, with any prefix or with one of these. */
export function isContentNumber(number: string, prefixes?: string[]): boolean {
	const [, prefix] = /^(.{0,12}?)[0-9A-Z]{12}(?:-\d+)?$/i.exec(number.trim()) ?? [];
	if (prefix === undefined || !prefixes) return prefix !== undefined;
	return prefixes.some((one) => one.toUpperCase() === prefix.toUpperCase());
}
