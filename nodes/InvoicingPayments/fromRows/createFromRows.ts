/**
 * Create From Rows (spec 4.1): a sheet becomes invoices. Each line is one call below, from the top to the bottom. An invoice is a `Draft`
 * (../reading/invoices) all the way, and gains what a step finds.
 *
 *   rows        the items, or the rows of an agent, and how to read them     inputOf
 *   read        what the sheet says, and whether it may be billed            readWithCustomers, its verdict
 *   numbered    numbers that are made of the content, if it has none         withContentNumbers
 *   forecast    what exists, and what earlier runs have billed               forecastRun
 *   shown       in a preview: the box, the table, other readings             previewOf
 *   allowed     in a run: what nothing holds back                            allowedDrafts
 *   sent        a request for each invoice, or why there is none             unitToSend
 *   items       the invoices, or the rows of the sheet                       withRows
 *
 * ../execution sends the requests, each with `perform` of Create: an invoice that was made since the forecast is found then.
 */
import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { ok } from '../../shared/result';
import type { Batch, Notice, Operation, Unit } from '../execution/operation';
import { isCalledByAgent } from '../execution/run';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { Draft } from '../reading/invoices';
import { isBlank } from '../reading/table';
import { printReading } from '../reading/text';
import type { NumberedSheet } from './checks';
import { allowedDrafts } from './checks';
import { inputOf } from './input';
import type { ReadSheet } from './lookUps';
import { namesOfIds, readWithCustomers } from './lookUps';
import { boxOf, leftOutLines, offersOf, previewsOf, rememberReading, sumText } from './preview';
import { returnRows } from './returnedRows';
import { changesOf, forecastRun, planOf, unitOf, unitToSend, withContentNumbers } from './run';
import type { Sheet } from './settings';
import { invoicesError, refusalError, Refused, refuseIfAny, settingsOf } from './settings';

/** The invoices of a sheet. With Continue, what is wrong with the whole sheet fails all its rows. */
export async function createFromRows(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<Batch> {
	const { settings, problems } = settingsOf(context, operation, context.getTimezone());
	const source = settings.rows?.length
		? { input: settings.rows.map((json) => ({ json })), isGiven: true }
		: { input: context.getInputData() };
	const sheet = { context, operation, settings, source };
	try {
		refuseIfAny(problems);
		return await invoicesOf(sheet);
	} catch (error) {
		if (context.continueOnFail()) return failedSheet(sheet, error as Error);
		throw error instanceof Refused ? refusalError(context.getNode(), error.refusal) : error;
	}
}

/**
 * Shows the invoices, or prepares them to be sent. Nothing that is wrong in the sheet stops a preview, unless the file cannot be read. Throws
 * Refused, or a NodeApiError.
 */
async function invoicesOf(sheet: Sheet): Promise<Batch> {
	const { settings } = sheet;
	const { reading, otherReadings } = await readWithCustomers(sheet, await inputOf(sheet));
	const makesNumbers = needsNumberLookup(settings) && !reading.hasNumbers;
	const drafts = makesNumbers
		? await withContentNumbers(reading.drafts, settings.numberPrefix)
		: reading.drafts;
	const numbered = { ...sheet, reading, drafts, makesNumbers };
	try {
		return settings.previewOnly
			? await previewOf(numbered, otherReadings)
			: toSend(numbered, await allowedDrafts(numbered));
	} catch (error) {
		if (error instanceof Refused || !sheet.context.continueOnFail()) throw error as NodeApiError;
		return unanswered(numbered, error as NodeApiError);
	}
}

/** Shows what a run would do for each invoice, and how the sheet was read. */
async function previewOf(
	sheet: NumberedSheet,
	otherReadings: ReadSheet['otherReadings'],
): Promise<Batch> {
	const { context, settings, source, reading, drafts, makesNumbers } = sheet;
	const changes = changesOf(settings, makesNumbers);
	const forecast = await forecastRun(sheet, drafts, { makesNumbers, changes });
	const customerNames = await namesOfIds(context, settings, drafts);
	const offers = offersOf(await otherReadings(), reading);
	const text = printReading(reading.verdict.settledBy);
	const report = { reading, text, forecast, customerNames, offers };
	await rememberReading(context, { text, what: sumText(drafts), offers });
	const plan = await planOf(forecast, reading.verdict);
	const previews = await previewsOf(report, plan, {
		// Returned rows say how an existing invoice differs, which a flat preview only has as text.
		isFlat: settings.simplify !== false && !settings.returnRows,
		isForAgent: isCalledByAgent(context),
	});
	const units = drafts.map((draft, at): Unit => {
		return { ...unitOf(draft), work: { kind: 'none', outcome: ok([previews[at]]) } };
	});
	const shown = { units, isPreview: true, notices: [boxOf(report)] };
	return withRows(sheet, { ...source, ...shown, noun: 'invoice' });
}

/** The requests of what may be sent. */
function toSend(sheet: NumberedSheet, drafts: readonly Draft[]): Batch {
	return withRows(
		{ ...sheet, drafts },
		{
			...sheet.source,
			units: drafts.map((draft) => unitToSend(draft, sheet)),
			noun: 'invoice',
			explain: () => invoicesError(drafts),
			...(needsNumberLookup(sheet.settings) && { advice: fixAndRunAgain }),
			notices: runNotices(sheet),
		},
	);
}

/** The service does not answer. An invoice that an earlier attempt has created keeps that outcome. */
function unanswered(sheet: NumberedSheet, { message }: Error): Batch {
	const units = sheet.drafts.map((draft): Unit => {
		return { ...unitToSend(draft, sheet), work: { kind: 'refuse', problems: [message] } };
	});
	return withRows(sheet, { ...sheet.source, units, noun: 'invoice', notices: [] });
}

function runNotices({ reading, drafts, makesNumbers }: NumberedSheet): Notice[] {
	const made = drafts.find(({ body }) => makesNumbers && body.invoice_number);
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
function failedSheet(sheet: Sheet, error: Error): Batch {
	const { input } = sheet.source;
	const filled = input.flatMap(({ json }, index) => (isBlank(json) ? [] : [index]));
	const items = filled.length ? filled : input.map((_item, index) => index);
	const rows = items.map((index) => input[index].json.row_number ?? index + 2).join(', ');
	// A row of the sheet has no room for all lines.
	const { title, lines } =
		error instanceof Refused ? error.refusal : { title: error.message, lines: [] };
	const problems = sheet.settings.returnRows ? [title] : [title, ...lines];
	const name = `row${items.length === 1 ? '' : 's'} ${rows}`;
	const unit: Unit = { items, name, fields: { rows }, work: { kind: 'refuse', problems } };
	const batch = { ...sheet.source, units: [unit], noun: 'invoice', notices: [] };
	return withRows({ ...sheet, drafts: [], makesNumbers: false }, batch);
}

/** With Return Rows, the output is the rows of the sheet. */
const withRows = (
	{ context, settings, ...billed }: Omit<NumberedSheet, 'reading'>,
	batch: Batch,
): Batch =>
	settings.returnRows
		? { ...batch, output: (outcomes) => returnRows(context, batch, outcomes, billed) }
		: batch;
