import { capitalize, shorten } from '../../shared/fields/text';
import { ceilingProblem, hasCeiling } from '../invoices/ceilings';
import { changeSince } from '../plan/approval';
import type { Draft } from '../reading/invoices';
import { withProblem } from '../reading/invoices';
import type { SheetReading } from '../reading/readSheet';
import type { Finding } from '../reading/findings';
import { findingsOf } from '../reading/verdict';
import { printReading } from '../reading/text';
import { refusalOf, rememberReading, sumText } from './preview';
import type { Forecast } from './run';
import { changesOf, comparedDrafts, forecastRun, isCreated, planOf, rowChanges } from './run';
import type { Sheet } from './settings';
import { Refused } from './settings';

/** A sheet that was read, with the numbers of its invoices. */
export interface NumberedSheet extends Sheet {
	reading: SheetReading;
	/** The invoices of the reading, with numbers that are made of the content if it has none. */
	drafts: readonly Draft[];
	/** Whether no column has the invoice numbers. */
	makesNumbers: boolean;
}

/**
 * The invoices that a run may send. What decides, in this order:
 *
 *                           confirmed reading                  approved plan
 *   verdict of the reading  holds the sheet, or some rows      was shown
 *   the plan                                                   must be as approved
 *   ceilings                stop                               stop
 *   rows of earlier runs    changed: stops, unless it may create both
 *
 * The service is asked what exists if one of the last three needs to know it. Throws Refused, or a NodeApiError of the service.
 */
export async function allowedDrafts(sheet: NumberedSheet): Promise<readonly Draft[]> {
	const { settings, makesNumbers } = sheet;
	const isApproved = settings.onlyIfPlanIs !== undefined;
	const drafts = isApproved ? sheet.drafts : await draftsNotHeld(sheet);
	const changes = changesOf(settings, makesNumbers) === 'stop' ? 'stop' : 'not sought';
	if (changes === 'not sought' && !isApproved && !hasCeiling(settings)) return drafts;
	const forecast = await forecastRun(sheet, drafts, { makesNumbers, changes });
	await refuseOtherPlan(sheet, forecast);
	await refuseAboveCeiling(sheet, forecast);
	const changed = rowChanges(forecast);
	if (changed) throw new Refused(changed);
	return drafts;
}

/** The invoices without what the verdict holds. With Continue, what is about rows holds only their invoices: it becomes their problem. */
async function draftsNotHeld({
	context,
	reading,
	drafts,
}: NumberedSheet): Promise<readonly Draft[]> {
	const { verdict } = reading;
	const refusal = refusalOf(reading);
	if (!refusal) return drafts;
	const isWhole = verdict.holds === 'sheet' || !context.continueOnFail();
	const [first] = verdict.unsettled as [Finding?];
	// Several stopped runs stand one below the other.
	const why = first ? ` at ${shorten(first.text, 60)}` : '';
	await rememberReading(context, {
		text: printReading(verdict.settledBy),
		what: `${isWhole ? 'stopped' : 'some rows stopped'}${why}, ${sumText(drafts)}`,
	});
	if (isWhole) throw new Refused(refusal);
	return drafts.map((draft) =>
		findingsOf(verdict, draft).reduce(
			(held, { text }) => withProblem(held, capitalize(text)),
			draft,
		),
	);
}

/** Refuses a run that is not what somebody has approved. */
async function refuseOtherPlan(
	{ settings, reading }: NumberedSheet,
	forecast: Forecast,
): Promise<void> {
	if (!settings.onlyIfPlanIs) return;
	const now = await planOf(forecast, reading.verdict);
	const change = changeSince(settings.onlyIfPlanIs, now);
	if (change !== undefined)
		throw new Refused({
			title: `The plan has changed since it was approved: ${change}`,
			lines: [`The plan is now: ${now.summary}. Approve it again, or undo the changes`],
		});
}

/** Refuses more invoices, or more money in a currency, than the user allows for one run. */
async function refuseAboveCeiling(
	{ context, settings }: NumberedSheet,
	forecast: Forecast,
): Promise<void> {
	const created = comparedDrafts(forecast).filter(isCreated);
	const bodies = created.map(({ body }) => body);
	const problem = await ceilingProblem(context, bodies, settings);
	if (problem !== undefined) throw new Refused({ title: problem, lines: [] });
}
