import type { ApprovedPlan } from '../plan/approval';
import { changesSince, entryOf } from '../plan/approval';
import { nameOf } from '../plan/plannedInvoice';
import { summaryOf } from '../plan/summary';
import type { Ahead } from './lookAhead';
import type { SheetProblem } from './sheetError';

const most = 10;

/** Compares an approved plan with the current one. Also reports invoices that would stop the run half-way. */
export function changedSince(approved: ApprovedPlan, { lines, account }: Ahead): SheetProblem[] {
	const all = [...lines.values()];
	const stops = all.flatMap(({ planned, outlook: { why } }) =>
		why === undefined ? [] : [`${nameOf(planned)}: ${why}`],
	);
	const names = all.map(({ planned }) => nameOf(planned));
	const changes = changesSince(approved, all.map(entryOf), names, account);
	if (changes.length === 0) return stops.map((text) => ({ title: text, text }));
	const title = `The plan has changed since it was approved: ${changes.slice(0, 2).join('; ')}${changes.length > 2 ? `; and ${changes.length - 2} more below` : ''}`;
	const rest = changes.length - most;
	return [
		...[...changes.slice(0, most), ...(rest > 0 ? [`… and ${rest} more`] : [])],
		`The plan is now: ${summaryOf(all)}. Approve it anew, or undo the changes`,
	].map((text, at) => ({ title: at ? '' : title, text }));
}
