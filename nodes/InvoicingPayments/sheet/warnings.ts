import { toThousandths } from '../../shared/fields/decimal';
import type { Draft } from './invoices';
import type { Row } from './rows';

/** Oddities to check before an invoice goes out. They do not stop it. */
export function warningsOf(
	drafts: Draft[],
	today: string,
	doubts: ReadonlyMap<readonly Row[], string[]>,
): Map<Draft, string[]> {
	const warnings = new Map<Draft, string[]>();
	const seen = new Set<string>();
	const hasQuantity = ({ values }: Row) => values.has('itemQuantity');
	const hasQuantities = drafts.some(({ rows }) => rows.some(hasQuantity));
	for (const draft of drafts) {
		const { rows, body, sums } = draft;
		if (!sums) continue;
		const own: string[] = [...(doubts.get(rows) ?? [])];
		const amounts = rows.map(({ item }) => toThousandths(item?.amount ?? '0'));
		if (amounts.some((amount) => amount < BigInt(0))) own.push('negative amount');
		if (amounts.some((amount) => amount === BigInt(0))) own.push('amount of 0');
		const quantities = rows.map(({ item }) => item?.quantity ?? 1);
		if (quantities.some((quantity) => quantity < 0)) own.push('negative quantity');
		if (hasQuantities && !rows.every(hasQuantity)) own.push('no quantity, taken for 1');
		const hasOnlyTotal = ({ values }: Row) => values.has('itemTotal') && !values.has('itemAmount');
		if (Number(sums.discount) !== 0 && rows.some(hasOnlyTotal)) {
			own.push('discount taken off the line totals');
		}
		if (quantities.includes(0)) own.push('quantity of 0');
		if (/^-?0\.0+$/.test(sums.total)) own.push('total of 0');
		if (String(body.due_date) < today) own.push('due date in the past');
		const key = JSON.stringify([
			body.customer,
			body.currency,
			body.due_date,
			body.items,
			sums.total,
		]);
		if (seen.has(key)) own.push('same customer, due date, items and total as another invoice');
		seen.add(key);
		if (own.length) warnings.set(draft, own);
	}
	return warnings;
}
