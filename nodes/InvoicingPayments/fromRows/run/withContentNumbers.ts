import { turns } from '../../../shared/clock';
import { comparableNumber } from '../../invoices/comparableNumber';
import { contentNumbers } from '../../plan/contentNumbers';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';

/** Gives each invoice a number that is made of what it says. */
export async function withContentNumbers(
	drafts: readonly Draft[],
	prefix?: string,
): Promise<Draft[]> {
	const given = drafts.flatMap(({ body }) => (body.invoice_number as string | undefined) ?? []);
	const taken = new Set(given.map((number) => comparableNumber(number)));
	const ready = drafts.filter(isReady).filter(({ body }) => body.invoice_number === undefined);
	const made = new Map<Draft, string>();
	const turn = turns();
	for (const number of contentNumbers(ready, prefix, taken)) {
		made.set(ready[made.size], number);
		await turn();
	}
	return drafts.map((draft) =>
		made.has(draft)
			? { ...draft, body: { ...draft.body, invoice_number: made.get(draft) } }
			: draft,
	);
}
