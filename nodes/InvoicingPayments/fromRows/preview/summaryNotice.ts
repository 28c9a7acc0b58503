import { addTo } from '../../../shared/addTo';
import type { Batch, Notice, Unit } from '../../execution/operation';
import type { Outcomes } from '../../execution/run';
import { moneyOf, sumsBy } from '../../plan/summary';
import { plural } from '../../reading/cells';

/** What became of the invoices. A preview has its own box. */
export function summaryNotice({ units, isPreview }: Batch, outcomes: Outcomes): Notice[] {
	if (units.length === 0 || isPreview) return [];
	const byOutcome = new Map<string, Unit[]>();
	for (const unit of units) addTo(byOutcome, outcomeOf(unit, outcomes), unit);
	const created = byOutcome.get('created') ?? [];
	const money = moneyOf(sumsBy(created.flatMap(({ sum }) => sum ?? [])));
	const rows = created.reduce((sum, { items }) => sum + items.length, 0);
	const part = (outcome: string, words: string) => {
		const count = byOutcome.get(outcome)?.length;
		return count ? [`${count} ${words}`] : [];
	};
	const parts = [
		...(created.length
			? [`${plural(created.length, 'invoice')} created from ${plural(rows, 'row')}: ${money}`]
			: []),
		...(created.length || byOutcome.has('recovered') ? [] : ['No invoice created']),
		...part('found', 'existed already'),
		...part('found, cancelled', 'existed already, cancelled'),
		...part('recovered', 'recovered'),
		...part('failed', 'failed'),
	];
	return [{ lines: [`${parts.join('; ')}.`], isWarning: false }];
}

function outcomeOf({ items }: Unit, outcomes: Outcomes): string {
	const outcome = outcomes.get(items[0]);
	if (!outcome) return 'unsent';
	return outcome.ok ? String(outcome.value[0]?.outcome) : 'failed';
}
