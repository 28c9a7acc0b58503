import { Decimal } from '../../shared/fields/decimal';
import { rowsLabel } from '../reading/cells';
import type { Action, ComparedDraft } from './comparison';

const maxNamed = 3;

/** `12400.00` → `12,400.00` */
function withThousandsCommas(decimal: string): string {
	const [whole, decimals] = decimal.split('.');
	return `${BigInt(whole).toLocaleString('en-US').replace(/^0$/, whole)}.${decimals}`;
}

/** `EUR 12,400.00 and CHF 830.50` */
export function moneyOf(sums: Map<string, Decimal>): string {
	const each = [...sums].map(([currency, sum]) => `${currency} ${withThousandsCommas(`${sum}`)}`);
	return each.length < 3 ? each.join(' and ') : `${each.slice(0, -1).join(', ')} and ${each[each.length - 1]}`; // prettier-ignore
}

/** By currency. */
export function sumsBy(sums: Array<{ currency: string; total: string }>): Map<string, Decimal> {
	const totals = new Map<string, Decimal>();
	for (const { currency, total } of sums)
		totals.set(currency, (totals.get(currency) ?? Decimal.zero).plus(Decimal.of(total)));
	return totals;
}

/** `18 invoices to create for EUR 12,400.00; 2 exist; 1 differs (INV-7: amount: 100.00 in the service, 120.00 here)` */
export function summaryOf(drafts: readonly ComparedDraft[]): string {
	const those = (...actions: Action[]) =>
		drafts.filter(({ comparison }) => actions.includes(comparison.action));
	const toCreate = those('create');
	const parts = [
		toCreate.length
			? `${toCreate.length} invoice${toCreate.length === 1 ? '' : 's'} to create for ${moneyOf(sumsBy(toCreate.map(({ body, sums }) => ({ currency: body.currency, total: sums.total }))))}`
			: 'Nothing to create',
	];
	const addPart = (action: Action, singular: string, plural: string) => {
		const matching = those(action);
		const { length } = matching;
		if (length === 0) return;
		const texts = matching
			.slice(0, maxNamed)
			.map(({ body, rows, comparison: { differences, why } }) => {
				const reason = why ?? differences.join('; ');
				return `${body.invoice_number ?? rowsLabel(rows)}${reason ? `: ${reason}` : ''}`;
			});
		const rest = length > maxNamed ? ` and ${length - maxNamed} more` : '';
		const list = action === 'exists' ? '' : ` (${texts.join('; ')}${rest})`;
		parts.push(`${length} ${length === 1 ? singular : plural}${list}`);
	};
	addPart('exists', 'exists', 'exist');
	addPart('exists, paid', 'exists and is paid', 'exist and are paid');
	addPart('exists, differs', 'differs', 'differ');
	addPart('exists, cancelled', 'exists and is cancelled', 'exist and are cancelled');
	addPart('stop', 'stops', 'stop');
	return parts.join('; ');
}
