import type { ApprovedPlan } from '../../plan/approval';
import { fingerprintOf } from '../../plan/approval';
import { summaryOf } from '../../plan/summary';
import { isStated } from '../../reading/findings';
import type { Verdict } from '../../reading/verdict';
import type { Forecast } from './forecast';
import { comparedDrafts } from './forecast';
import { reasonsOf } from './invoiceUnits';

/** What would be created, what exists, and how many invoices cannot be created. */
export function planSummary(forecast: Forecast): string {
	const stopped = forecast.drafts.filter((draft) => reasonsOf(draft).length > 0);
	const count = stopped.length ? `; ${stopped.length} cannot be created` : '';
	return `${summaryOf(comparedDrafts(forecast))}${count}`;
}

/** The fingerprint and the summary of what would be sent now. Somebody who approves it has to look at what no reading states. */
export async function planOf(
	forecast: Forecast,
	{ unsettled }: Verdict,
): Promise<Required<ApprovedPlan>> {
	const warnings = unsettled.flatMap((one) => (isStated(one) ? [] : [one.text]));
	const fingerprint = await fingerprintOf(comparedDrafts(forecast), forecast.account, warnings);
	return { fingerprint, summary: planSummary(forecast) };
}
