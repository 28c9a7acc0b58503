import { addTo } from '../../shared/addTo';
import type { Notice, Plan, Unit } from '../execution/operation';
import type { Outcomes } from '../execution/run';
import { moneyOf, sumsBy } from '../plan/summary';
import { plural } from '../reading/problems';

/** What became of the invoices, each with its total per currency. A preview has its own box. */
export function summaryNotice({ units, isPreview }: Plan, outcomes: Outcomes): Notice[] {
	if (units.length === 0 || isPreview) return [];
	const byOutcome = new Map<string, Unit[]>();
	for (const unit of units) addTo(byOutcome, outcomeOf(unit, outcomes), unit);
	const part = (outcome: string, words: (count: string) => string) => {
		const those = byOutcome.get(outcome) ?? [];
		if (those.length === 0) return [];
		const money = moneyOf(sumsBy(those.flatMap((unit) => sumOf(unit, outcomes) ?? [])));
		return [`${words(String(those.length))}${money && outcome !== 'failed' ? `: ${money}` : ''}`];
	};
	const created = byOutcome.get('created') ?? [];
	const rows = created.reduce((sum, { items }) => sum + items.length, 0);
	const parts = [
		...part(
			'created',
			() => `${plural(created.length, 'invoice')} created from ${plural(rows, 'row')}`,
		),
		...part('found', (count) => `${count} existed already`),
		...part(
			'found, cancelled',
			(count) => `${count} existed already and ${count === '1' ? 'is' : 'are'} cancelled`,
		),
		...part('recovered', (count) => `${count} recovered`),
		...part('failed', (count) => `${count} failed`),
	];
	const none = created.length + (byOutcome.get('recovered')?.length ?? 0) === 0;
	return [
		{
			lines: [`${[...(none ? ['No invoice created'] : []), ...parts].join('; ')}.`],
			isWarning: false,
		},
	];
}

function outcomeOf({ items }: Unit, outcomes: Outcomes): string {
	const outcome = outcomes.get(items[0]);
	if (!outcome) return 'unsent';
	return 'error' in outcome ? 'failed' : String(outcome.results[0]?.outcome);
}

/** An invoice's total. For an existing invoice it comes from the service, and may differ from the sheet. */
function sumOf({ items, sum }: Unit, outcomes: Outcomes): Unit['sum'] {
	const outcome = outcomes.get(items[0]);
	const [result] = outcome && 'results' in outcome ? outcome.results : [];
	const { outcome: how, amount, currency } = result ?? {};
	const isDecimal = typeof amount === 'string' && /^-?\d+(?:\.\d{1,5})?$/.test(amount);
	if (
		!['found', 'found, cancelled', 'recovered'].includes(String(how)) ||
		!isDecimal ||
		typeof currency !== 'string'
	) {
		return sum;
	}
	return { currency, total: amount };
}
