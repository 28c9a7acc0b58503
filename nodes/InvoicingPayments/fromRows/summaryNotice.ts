import type { Notice, Plan, Unit } from '../execution/operation';
import type { Outcomes } from '../execution/run';
import { moneyOf, sumsBy } from '../plan/summary';
import { plural } from '../reading/problems';

/** How many invoices the rows make, their total per currency, and how many were created. A preview has its own box. */
export function summaryNotice({ units, isPreview }: Plan, outcomes: Outcomes): Notice[] {
	if (units.length === 0 || isPreview) return [];
	const rows = units.reduce((sum, { items }) => sum + items.length, 0);
	const results = [...outcomes.values()].flatMap((outcome) =>
		'results' in outcome ? outcome.results : [],
	);
	const countOf = (count: number, words: string) => (count ? [`${count} ${words}`] : []);
	const countOutcomes = (name: string) => results.filter(({ outcome }) => outcome === name).length;
	const hasFailed = ({ items }: Unit) => 'error' in (outcomes.get(items[0]) ?? {});
	const counts = [
		...countOf(countOutcomes('created'), 'created'),
		...countOf(countOutcomes('found'), 'existed already'),
		...countOf(countOutcomes('recovered'), 'recovered'),
		...countOf(units.filter(hasFailed).length, 'failed'),
		...(results.length > 0 && countOutcomes('found') === results.length ? ['none created'] : []),
	];
	const money = moneyOf(sumsBy(units.flatMap((unit) => sumOf(unit, outcomes) ?? [])));
	const sums = `${plural(units.length, 'invoice')} for ${plural(rows, 'row')}${money && `: ${money}`}`;
	return [{ lines: [`${sums} (${counts.join(', ')}).`], isWarning: false }];
}

/** An invoice's total. For an existing invoice it comes from the service, and may differ from the sheet. */
function sumOf({ items, sum }: Unit, outcomes: Outcomes): Unit['sum'] {
	const outcome = outcomes.get(items[0]);
	const [result] = outcome && 'results' in outcome ? outcome.results : [];
	const { outcome: how, amount, currency } = result ?? {};
	const isDecimal = typeof amount === 'string' && /^-?\d+(?:\.\d{1,5})?$/.test(amount);
	if (!['found', 'recovered'].includes(String(how)) || !isDecimal || typeof currency !== 'string') {
		return sum;
	}
	return { currency, total: amount };
}
