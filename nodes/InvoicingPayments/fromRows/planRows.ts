import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { todayIn } from '../../shared/fields/dates';
import { capitalize } from '../../shared/fields/text';
import type { Notice, Operation, Plan, Unit } from '../execution/operation';
import { isCalledByAgent } from '../execution/run';
import { ceilingProblem, hasCeiling } from '../invoices/ceilings';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import { changeSince } from '../plan/approval';
import type { Finding } from '../reading/findings';
import type { Draft } from '../reading/invoices';
import type { SheetReading } from '../reading/readSheet';
import { headersIn, isBlank, withLetters } from '../reading/table';
import {
	boxOf,
	exampleTexts,
	leftOutLines,
	offersOf,
	planOf,
	previewsOf,
	refusalOf,
	rememberReading,
	sumText,
	unsettled,
} from './preview';
import type { Refusal, RowSettings } from './settings';
import {
	invoicesError,
	mappingOf,
	refusalError,
	Refused,
	settingsOf,
	typedHeaderProblems,
} from './settings';
import type { Forecast } from './run';
import { forecastRun, rowChanges, unitOf, unitToSend, withContentNumbers } from './run';
import type { ReadRows } from './lookUps';
import { namesOfIds, readRows } from './lookUps';
import {
	billedRows,
	overwrittenProblems,
	returnedColumns,
	returnRows,
	unreadableFile,
} from './returnedRows';

/** The parameters and the rows of one execution. */
interface Sheet {
	context: IExecuteFunctions;
	operation: Operation;
	settings: RowSettings;
	source: Pick<Plan, 'input' | 'isGiven'>;
}

/** A sheet that was read, and what nobody has settled in it. */
interface Seen extends ReadRows {
	/** Whether no column has the invoice numbers, so that they are made from the content. */
	makesNumbers: boolean;
	/** Those that are not settled. */
	findings: Finding[];
	/** The reading that settles them. */
	text: string;
	/** Somebody has given a reading, or an agent has entered the rows under our names. */
	hasReading: boolean;
	/** Why it must not be billed yet. */
	refusal?: Refusal;
}

/** Plans the invoices of a sheet (spec 4.1). With Continue, what is wrong with the whole sheet fails all its rows. */
export async function planRows(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const { settings, problems } = settingsOf(context, operation, context.getTimezone());
	const rows = settings.rows?.length ? settings.rows : undefined;
	const source = rows
		? { input: rows.map((json) => ({ json })), isGiven: true }
		: { input: context.getInputData() };
	const sheet = { context, operation, settings, source };
	try {
		refuseIfAny(problems);
		return await planSheet(sheet);
	} catch (error) {
		if (context.continueOnFail()) return planOfError(sheet, error as Error);
		throw error instanceof Refused ? refusalError(context.getNode(), error.refusal) : error;
	}
}

/**
 * Reads the sheet with the engine in ../reading, and shows it or bills it. Nothing that is wrong in the sheet stops a preview. Throws
 * Refused, or a NodeApiError of the service.
 */
async function planSheet(sheet: Sheet): Promise<Plan> {
	const seen = await seenIn(sheet, await readInput(sheet));
	try {
		return sheet.settings.previewOnly ? await planPreview(sheet, seen) : await planRun(sheet, seen);
	} catch (error) {
		if (error instanceof Refused || !sheet.context.continueOnFail()) throw error as NodeApiError;
		// The service does not answer. An invoice that an earlier attempt has created keeps that outcome.
		const { drafts } = seen.reading;
		const prepared = { problems: [(error as Error).message] };
		const units = drafts.map((draft) => ({ ...unitToSend(draft, sheet), prepared }));
		const plan: Plan = { ...sheet.source, units, noun: 'invoice', notices: [] };
		return withRows(sheet, plan, drafts, seen.makesNumbers);
	}
}

/** What an agent enters is no sheet: the tool has told it the names. */
async function seenIn(
	{ context, settings, source }: Sheet,
	{ reading: read, otherReadings }: ReadRows,
): Promise<Seen> {
	const makesNumbers = needsNumberLookup(settings) && !read.hasNumbers;
	const reading = makesNumbers
		? { ...read, drafts: await withContentNumbers(read.drafts, settings.numberPrefix) }
		: read;
	const isOfAgent = source.isGiven === true || isCalledByAgent(context);
	const isEntered = isOfAgent && reading.unbilled.length === 0;
	const hasReading = settings.reading !== undefined || isEntered;
	const { findings, text } = unsettled(reading);
	const refusal = refusalOf(reading, { text, findings, hasReading });
	return { reading, otherReadings, makesNumbers, findings, text, hasReading, refusal };
}

/** Shows what a run would do for each invoice, and how the sheet was read. */
async function planPreview(sheet: Sheet, seen: Seen): Promise<Plan> {
	const { context, operation, settings, source } = sheet;
	const { reading, findings, text, makesNumbers } = seen;
	const { drafts } = reading;
	const findsChanges = makesNumbers;
	const forecast = await forecastRun(context, operation, { ...settings, findsChanges }, drafts);
	const customerNames = await namesOfIds(context, settings, drafts);
	const offers = offersOf(await seen.otherReadings(), reading);
	const report = { reading, text, findings, forecast, customerNames, offers };
	const isNeeded = seen.refusal !== undefined;
	const examples = exampleTexts(report);
	const box = boxOf(reading, forecast, { findings, isNeeded, examples, offers });
	await rememberReading(context, text, sumText(drafts), offers);
	const plan = await planOf(reading, forecast, findings);
	const previews = await previewsOf(report, plan, settings, isCalledByAgent(context));
	const units = drafts.map((draft) => ({
		...unitOf(draft),
		prepared: { results: [previews.get(draft) ?? {}] },
	}));
	const shown: Plan = { ...source, units, noun: 'invoice', isPreview: true, notices: [box] };
	return withRows(sheet, shown, drafts, makesNumbers);
}

/** Bills what somebody has confirmed or approved. Asks the service before, if that decides whether the run may begin. */
async function planRun(sheet: Sheet, seen: Seen): Promise<Plan> {
	const { context, operation, settings, source } = sheet;
	const { reading, makesNumbers } = seen;
	const isApproved = settings.onlyIfPlanIs !== undefined;
	const drafts = isApproved ? reading.drafts : await confirmedDrafts(sheet, seen);
	const findsChanges = makesNumbers && !isApproved && settings.ifRowsChanged !== 'createBoth';
	if (findsChanges || isApproved || hasCeiling(settings)) {
		const forecast = await forecastRun(context, operation, { ...settings, findsChanges }, drafts);
		await refuseOtherPlan(sheet, seen, forecast);
		await refuseAboveCeiling(sheet, forecast);
		const changed = rowChanges(forecast);
		if (changed) throw new Refused(changed);
	}
	const plan: Plan = {
		...source,
		units: drafts.map((draft) => unitToSend(draft, sheet)),
		noun: 'invoice',
		explain: () => invoicesError(drafts),
		...(needsNumberLookup(settings) && { advice: fixAndRunAgain }),
		notices: runNotices(reading, makesNumbers),
	};
	return withRows(sheet, plan, drafts, makesNumbers);
}

/** Reads the rows. What is wrong with the parameters or the file is refused, also in a preview. */
async function readInput(sheet: Sheet): Promise<ReadRows> {
	const { context, settings, source } = sheet;
	const input = [...withLetters(source.input.map(({ json }) => json))];
	const mapping = await mappingOf(context, input.length);
	refuseIfAny([
		...(settings.returnRows ? overwrittenProblems(input) : []),
		...typedHeaderProblems(mapping, headersIn(input)),
	]);
	const isMapped = mapping.given.size > 0;
	const unreadable = unreadableFile(input, { isMapped, said: settings.reading });
	if (unreadable) throw new Refused(unreadable);
	const zone = context.getTimezone();
	// The arguments of an agent's call are no columns.
	const hasNoColumns = isCalledByAgent(context) && !source.isGiven;
	const sheetSettings = {
		said: settings.reading,
		given: mapping.given,
		mapped: mapping.columns,
		defaults: settings,
		matchCustomersBy: settings.matchCustomersBy ?? ('idEmailOrName' as const),
		isFoundByNumber: needsNumberLookup(settings),
		without: hasNoColumns ? headersIn(input) : returnedColumns(input, settings.numberPrefix),
		billed: billedRows(input, settings.numberPrefix),
		zone,
		today: todayIn(zone),
	};
	return await readRows(context, settings, sheetSettings, input);
}

function refuseIfAny(problems: string[]): void {
	if (problems.length === 0) return;
	const lines = problems.length > 1 ? problems : [];
	throw new Refused({ title: problems.join('. '), lines });
}

/** The invoices that may be billed. With Continue, what was found in rows holds only their invoices. Throws Refused. */
async function confirmedDrafts({ context }: Sheet, seen: Seen): Promise<readonly Draft[]> {
	const { findings, text, refusal, hasReading } = seen;
	const { drafts } = seen.reading;
	if (!refusal) return drafts;
	const isOfRows = hasReading && findings.every(({ rows }) => rows.length > 0);
	const isWhole = !context.continueOnFail() || !isOfRows || drafts.length === 0;
	const what = isWhole ? 'stopped' : 'some rows stopped';
	await rememberReading(context, text, `${what}, ${sumText(drafts)}`);
	if (isWhole) throw new Refused(refusal);
	return drafts.map((draft) => {
		const own = new Set(draft.rows.map(({ number }) => number));
		const those = findings.filter(({ rows }) => rows.some((row) => own.has(row)));
		return {
			...draft,
			problems: [...draft.problems, ...those.map(({ text: found }) => capitalize(found))],
		};
	});
}

/** Refuses a run that is not what somebody has approved. */
async function refuseOtherPlan({ settings }: Sheet, seen: Seen, forecast: Forecast): Promise<void> {
	if (!settings.onlyIfPlanIs) return;
	const now = await planOf(seen.reading, forecast, seen.findings);
	const change = changeSince(settings.onlyIfPlanIs, now);
	if (change !== undefined)
		throw new Refused({
			title: `The plan has changed since it was approved: ${change}`,
			lines: [`The plan is now: ${now.summary}. Approve it again, or undo the changes`],
		});
}

/** Refuses more invoices, or more money in a currency, than the user allows for one run. */
async function refuseAboveCeiling(
	{ context, settings }: Sheet,
	{ lines }: Forecast,
): Promise<void> {
	const created = [...lines.values()].filter(({ comparison }) => comparison.action === 'create');
	const bodies = created.map(({ planned }) => planned.body);
	const problem = await ceilingProblem(context, bodies, settings);
	if (problem !== undefined) throw new Refused({ title: problem, lines: [] });
}

function runNotices(reading: SheetReading, makesNumbers: boolean): Notice[] {
	const made = reading.drafts.find(({ body }) => makesNumbers && body.invoice_number);
	return [
		{ lines: leftOutLines(reading), isWarning: true },
		{
			lines: made
				? [
						`The sheet has no invoice numbers, so they are made from the content, such as ${String(made.body.invoice_number)}: the same rows find the same invoices. To bill the same rows once more, set another 'Number Prefix'.`,
					]
				: [],
			isWarning: false,
		},
	].filter(({ lines }) => lines.length > 0);
}

const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};

/** All rows as a single unit that has failed. */
function planOfError(sheet: Sheet, error: Error): Plan {
	const { input } = sheet.source;
	const filled = input.flatMap(({ json }, index) => (isBlank(json) ? [] : [index]));
	const items = filled.length ? filled : input.map((_item, index) => index);
	const rows = items.map((index) => input[index].json.row_number ?? index + 2).join(', ');
	// A row of the sheet has no room for all lines.
	const { title, lines } =
		error instanceof Refused ? error.refusal : { title: error.message, lines: [] };
	const problems = sheet.settings.returnRows ? [title] : [title, ...lines];
	const name = `row${items.length === 1 ? '' : 's'} ${rows}`;
	const unit: Unit = { items, name, fields: { rows }, prepared: { problems } };
	return withRows(
		sheet,
		{ ...sheet.source, units: [unit], noun: 'invoice', notices: [] },
		[],
		false,
	);
}

/** With Return Rows, the output is the rows of the sheet. */
const withRows = (
	{ context, settings }: Sheet,
	plan: Plan,
	drafts: readonly Draft[],
	makesNumbers: boolean,
): Plan =>
	settings.returnRows
		? { ...plan, output: (outcomes) => returnRows(context, plan, outcomes, drafts, makesNumbers) }
		: plan;
