import { toDecimal, toHundredThousandths } from '../../shared/fields/decimal';
import type { PlanLine } from './approval';
import type { Action } from './plannedInvoice';

const maxNamed = 3;

/** Adds thousands separators. */
const grouped = (decimal: string) => decimal.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/** Sums per currency: `EUR 12,400.00 and CHF 830.50`. `units`: in hundred-thousandths. */
export function moneyOf(sums: Map<string, bigint>): string {
	const each = [...sums].map(([currency, units]) => `${currency} ${grouped(toDecimal(units, 5))}`);
	return each.length < 3 ? each.join(' and ') : `${each.slice(0, -1).join(', ')} and ${each[each.length - 1]}`; // prettier-ignore
}

/** Sums per currency, in hundred-thousandths. */
export function sumsBy(sums: Array<{ currency: string; total: string }>): Map<string, bigint> {
	const all = new Map<string, bigint>();
	for (const { currency, total } of sums)
		all.set(currency, (all.get(currency) ?? BigInt(0)) + toHundredThousandths(total));
	return all;
}

/**
 * A plan in one line, for an email or approval: `18 invoices to create for EUR 12,400.00 and CHF 830.50; 2 exist; 1 differs
 * (INV-7: amount: 100.00 in the service, 120.00 here)`.
 */
export function summaryOf(lines: PlanLine[]): string {
	const of = (...actions: Action[]) =>
		lines.filter(({ outlook }) => actions.includes(outlook.action));
	const toCreate = of('create');
	const parts = [
		toCreate.length
			? `${toCreate.length} invoice${toCreate.length === 1 ? '' : 's'} to create for ${moneyOf(sumsBy(toCreate.map(({ planned: { body, total } }) => ({ currency: body.currency, total }))))}`
			: 'Nothing to create',
	];
	const say = (action: Action, one: string, many: string) => {
		const those = of(action);
		if (those.length === 0) return;
		const named = those.slice(0, maxNamed).map(({ planned, outlook: { differences, why } }) => {
			const said = why ?? differences.join('; ');
			return `${planned.body.invoice_number ?? planned.rows}${said ? `: ${said}` : ''}`;
		});
		const rest = those.length > maxNamed ? ` and ${those.length - maxNamed} more` : '';
		const list = action === 'exists' ? '' : ` (${named.join('; ')}${rest})`;
		parts.push(`${those.length} ${those.length === 1 ? one : many}${list}`);
	};
	say('exists', 'exists', 'exist');
	say('exists, paid', 'exists and is paid', 'exist and are paid');
	say('exists, differs', 'differs', 'differ');
	say('exists, cancelled', 'exists and is cancelled', 'exist and are cancelled');
	say('stop', 'stops', 'stop');
	return parts.join('; ');
}
