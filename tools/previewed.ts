import { parseReading, printReading } from '../nodes/InvoicingPayments/reading/text';

/** A typed text of a reading as a preview would print it, for sheets that somebody has confirmed. Throws an Error if it is none. */
export function previewedAs(text: string): string {
	const read = parseReading(text);
	if (!read.ok) throw new Error(`${read.problem} in ${text}`);
	return printReading(read.value);
}
