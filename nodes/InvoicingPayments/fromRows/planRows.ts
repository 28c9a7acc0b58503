import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { turns } from '../../shared/clock';
import type { Directory } from '../../shared/customers/directory';
import { openDirectory, searchDirectory } from '../../shared/customers/directory';
import { CustomerIndex } from '../../shared/customers/customerIndex';
import { customerNotFound } from '../../shared/customers/findCustomer';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { todayIn } from '../../shared/fields/dates';
import { capitalize } from '../../shared/fields/text';
import { codeOf } from '../../shared/hash';
import { openClient } from '../../shared/transport/client';
import type { Failure } from '../../shared/transport/failure';
import type { Notice, Operation, Plan, Unit } from '../execution/operation';
import { policyOf } from '../execution/operation';
import type { Run } from '../execution/run';
import { isCalledByAgent } from '../execution/run';
import { ceilingProblem, hasCeiling } from '../invoices/ceilings';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import { summaryOf } from '../plan/summary';
import type { Finding } from '../reading/findings';
import type { Draft } from '../reading/invoices';
import { isReady } from '../reading/invoices';
import { rowsLabel } from '../reading/problems';
import type { SheetReading, SheetSettings, Steps } from '../reading/readSheet';
import { openSheet, readSheet } from '../reading/readSheet';
import { hasKinds } from '../reading/statements';
import { headersIn, isBlank, withLetters } from '../reading/table';
import { printReading } from '../reading/text';
import { boxOf, leftOutLines, refusalOf, sumText, unsettled } from './box';
import type { Refusal } from './errors';
import { invoicesError, refusalError } from './errors';
import type { Forecast } from './forecast';
import { changedSince, forecastRun, rowChanges, withContentNumbers } from './forecast';
import type { Action } from '../plan/plannedInvoice';
import { readAgentRows } from './givenLists';
import { requestOf } from './invoiceRequests';
import { exampleTexts, numbersOf, previewsOf, reasonsOf, warningsOf } from './preview';
import { RecentReadings } from './recentReadings';
import { billedRows, overwrittenProblems, returnedColumns, returnRows } from './returnedRows';
import type { RowSettings } from './settings';
import { mappedBesideItems, mappingOf, settingsOf, typedHeaders } from './settings';
import { unreadableFile } from './unreadableFile';

type Source = Pick<Plan, 'input' | 'isGiven'>;

/**
 * Plans the invoices of a sheet (spec 4.1). The engine in ../reading reads it; this shell fetches the customers, shows a preview, or
 * lets a creating run pass if everything was seen. What is wrong in the sheet never stops a preview.
 */
export async function planRows(
	context: IExecuteFunctions,
	operation: Operation,
	run: Run,
): Promise<Plan> {
	const zone = context.getTimezone();
	const given = readAgentRows(context);
	const source: Source = {
		input: given ?? context.getInputData(),
		...(given && { isGiven: true }),
	};
	const input = [...withLetters(source.input.map(({ json }) => json))];
	const { settings, problems } = settingsOf(context, operation, zone);
	const fail = (error: Error, refusal?: Refusal): Plan => {
		if (!context.continueOnFail()) throw error;
		return planOfError(
			context,
			source,
			settings,
			refusal ? [refusal.title, ...(settings.returnRows ? [] : refusal.lines)] : [error.message],
			refusal?.reading,
		);
	};
	const refuse = (refusal: Refusal) => fail(refusalError(context.getNode(), refusal), refusal);

	const mapping = await mappingOf(context, input.length);
	const wrong = [
		...problems,
		...(settings.returnRows ? overwrittenProblems(input) : []),
		...typedHeaders(mapping, headersIn(input)),
		...mappedBesideItems(mapping, settings),
	];
	if (wrong.length)
		return refuse({ title: wrong.join('. '), lines: wrong.length > 1 ? wrong : [] });
	const unreadable = unreadableFile(input, {
		isMapped: mapping.given.size > 0,
		said: settings.reading,
	});
	if (unreadable) return refuse(unreadable);

	const read = await readRows(
		context,
		settings,
		{
			said: settings.reading,
			...{ given: mapping.given, mapped: mapping.columns },
			defaults: settings,
			matchCustomersBy: settings.matchCustomersBy ?? 'idEmailOrName',
			isFoundByNumber: needsNumberLookup(settings),
			mayMakeNumbers: settings.invoiceNumbers !== 'fromSheet',
			// The arguments of an agent's call are no columns.
			without:
				isCalledByAgent(context) && !given
					? headersIn(input)
					: returnedColumns(input, settings.numberPrefix),
			billed: billedRows(input, settings.numberPrefix),
			...{ zone, today: todayIn(zone) },
		},
		input,
	);
	if (read instanceof Error) return fail(read);
	const makesNumbers =
		needsNumberLookup(settings) && settings.invoiceNumbers !== 'fromSheet' && !read.hasNumbers;
	const reading = {
		...read,
		drafts: makesNumbers ? withContentNumbers(read.drafts, settings) : read.drafts,
	};
	let { drafts } = reading;

	const { findings, text, seen } = unsettled(reading);
	const isApproved = settings.onlyIfPlanIs !== undefined;
	const isPreview = settings.previewOnly === true;
	// What an agent enters is no sheet: the tool has told it the names.
	const isEntered = (given !== undefined || isCalledByAgent(context)) && !reading.unbilled.length;
	const isConfirmed = settings.reading !== undefined || isEntered;
	const stop = refusalOf(reading, { text, findings, isConfirmed });
	const typed = typedKey(settings, text, seen);
	const isSeen = stop && drafts.length && !isPreview && (await wasPreviewed(context, typed));
	const refusal = isSeen ? undefined : stop;
	if (refusal && !isPreview && !isApproved) {
		const isOfRows =
			isConfirmed && drafts.length > 0 && findings.every(({ rows }) => rows.length > 0);
		const isWhole = !context.continueOnFail() || !isOfRows;
		const what = isWhole ? 'stopped' : 'some rows stopped';
		await remember(context, text, `${what}, ${sumText(drafts)}`, zone);
		if (isWhole) return refuse(refusal);
		drafts = held(drafts, findings);
	}

	const findsChanges =
		makesNumbers && (isPreview || (!isApproved && settings.ifRowsChanged !== 'createBoth'));
	const forecast =
		isPreview || isApproved || findsChanges || hasCeiling(settings)
			? await forecastRun(context, operation, { ...settings, findsChanges }, drafts, run)
			: undefined;
	// What the service does not answer fails each invoice.
	const failAll = (error: Error): Plan => {
		if (!context.continueOnFail()) throw error;
		const units = drafts.map((draft) => ({
			...unitOf(draft, operation, { ...settings, makesNumbers }),
			prepared: { problems: [error.message] },
		}));
		return withRows(context, settings, { ...source, units, noun: 'invoice', notices: [] }, drafts);
	};
	if (forecast instanceof Error) return failAll(forecast);
	if (forecast && !isPreview) {
		const changed =
			(settings.onlyIfPlanIs &&
				changedSince(settings.onlyIfPlanIs, forecast, warningsOf(findings))) ??
			(await aboveCeiling(context, forecast, settings)) ??
			rowChanges(forecast);
		if (changed) return refuse(changed);
	}
	const report =
		settings.previewOnly && forecast
			? {
					...{ reading, text, findings, forecast },
					customerNames: await namesOfIds(context, settings, drafts),
				}
			: undefined;
	const previews = report && previewsOf(report, settings, isCalledByAgent(context));
	const notices =
		report && forecast
			? await previewNotices(
					context,
					reading,
					{
						...{ text, findings, typed },
						isNeeded: refusal !== undefined,
						isTyped: typed !== undefined,
						summary: boxSummary(reading, forecast),
						examples: exampleTexts(report),
						existing: existingLines(forecast),
					},
					zone,
				)
			: runNotices(reading, makesNumbers);
	const plan: Plan = {
		...source,
		units: drafts.map((draft) =>
			unitOf(draft, operation, { ...settings, makesNumbers }, previews?.get(draft)),
		),
		noun: 'invoice',
		explain: () => invoicesError(drafts, rowNotes(source)),
		...(needsNumberLookup(settings) && { advice: fixAndRunAgain }),
		...(settings.previewOnly && { isPreview: true }),
		notices,
	};
	return withRows(context, settings, plan, drafts, previews ? text : undefined);
}

/** With Continue, a finding of rows stops only their invoices. */
const held = (drafts: readonly Draft[], findings: readonly Finding[]): Draft[] =>
	drafts.map((draft) => {
		const own = new Set(draft.rows.map(({ number }) => number));
		const those = findings.filter(({ rows }) => rows.some((row) => own.has(row)));
		return {
			...draft,
			problems: [...draft.problems, ...those.map(({ text }) => capitalize(text))],
		};
	});

/** With Return Rows, the output is the rows of the sheet. */
const withRows = (
	context: IExecuteFunctions,
	{ returnRows: isOn }: RowSettings,
	plan: Plan,
	drafts?: readonly Draft[],
	reading?: string,
): Plan =>
	isOn
		? { ...plan, output: (outcomes) => returnRows(context, plan, outcomes, drafts, reading) }
		: plan;

/** Reads the sheet, and searches the service for customers only if a row needs it. Returns an Error if that fails. */
async function readRows(
	context: IExecuteFunctions,
	settings: RowSettings,
	sheetSettings: SheetSettings,
	input: IDataObject[],
): Promise<SheetReading | Error> {
	const sheet = await inSteps(context, openSheet(input, sheetSettings));
	const own = new CustomerIndex(settings.customerList ?? []);
	const read = async (directory?: Directory) => {
		const ofService = directory && new CustomerIndex(directory.customers);
		const notFound = (text: string) =>
			`${customerNotFound(text, ofService ?? own, directory)} ${otherFixes}`;
		return await inSteps(context, readSheet(sheet, sheetSettings, { own, ofService, notFound }));
	};
	const first = await read();
	if (!first.needsDirectory && !first.mayHaveCustomers) return first;
	let reading = first;
	const fail = (failure: Failure) =>
		first.needsDirectory ? toNodeError(context.getNode(), failure) : first;
	const client = await openDirectory(context, context.getExecutionCancelSignal?.());
	if ('failure' in client) return fail(client.failure);
	const failed = await searchDirectory(client, policyOf(settings), async (directory) => {
		reading = await read(directory);
		return !reading.needsDirectory;
	});
	if (failed) return fail(failed.failure);
	return reading;
}

/**
 * Names of the customers of whom a row or a default has only the ID, by which nobody recognizes them. Empty if the service does not
 * answer: a preview can do without.
 */
async function namesOfIds(
	context: IExecuteFunctions,
	settings: RowSettings,
	drafts: readonly Draft[],
): Promise<Map<string, string>> {
	const found = new Map<string, string>();
	const wanted = drafts.flatMap(({ match, body }) =>
		match || body.customer === undefined ? [] : [String(body.customer).toLowerCase()],
	);
	const addAll = (customers: Directory['customers']) => {
		for (const { id, names, emails } of customers) {
			const [name] = [...names, ...emails] as Array<string | undefined>;
			if (name !== undefined) found.set(id.toLowerCase(), name);
		}
		return wanted.every((id) => found.has(id));
	};
	if (addAll(settings.customerList ?? [])) return found;
	const client = await openDirectory(context, context.getExecutionCancelSignal?.());
	if (!('failure' in client))
		await searchDirectory(client, policyOf(settings), ({ customers }) => addAll(customers));
	return found;
}

const otherFixes =
	"Correct the cell, enter the customer's ID, or add the customer to 'Customer List'";

/** Milliseconds. */
const longestStep = 25;

/** Lets other work run between the steps of the engine. */
async function inSteps<T>(context: IExecuteFunctions, steps: Steps<T>): Promise<T> {
	const turn = turns(longestStep);
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		if (!context.getExecutionCancelSignal()?.aborted) await turn();
	}
}

/** More invoices, or more money in a currency, than the user allows for one run. */
async function aboveCeiling(
	context: IExecuteFunctions,
	{ lines }: Forecast,
	settings: RowSettings,
): Promise<Refusal | undefined> {
	const created = [...lines.values()].filter(({ comparison }) => comparison.action === 'create');
	const title = await ceilingProblem(
		context,
		created.map(({ planned }) => planned.body),
		settings,
	);
	return title === undefined ? undefined : { title, lines: [] };
}

/** What to look at among the invoices that exist. */
function existingLines({ lines }: Forecast): string[] {
	const rowsWith = (action: Action) =>
		[...lines].flatMap(([{ rows }, { comparison }]) => (comparison.action === action ? rows : []));
	const cancelled = rowsWith('exists, cancelled');
	const differs = rowsWith('exists, differs');
	return [
		...(cancelled.length
			? [
					`Look at: the invoices of ${rowsLabel(cancelled)} are cancelled in the service, so nothing is billed for them. To bill them, give them other invoice numbers, or set 'If Invoice Number Exists' to 'Create Anyway'`,
				]
			: []),
		...(differs.length
			? [
					`Look at: the invoices of ${rowsLabel(differs)} differ from those that exist, which stay as they are`,
				]
			: []),
	];
}

const maxReasons = 5;

/** What a preview comes to, and why invoices cannot be created. */
function boxSummary({ drafts }: SheetReading, { lines }: Forecast): string[] {
	const created = drafts.filter((draft) => lines.get(draft)?.comparison.action === 'create');
	if (created.length === drafts.length) return [`${sumText(drafts)}.`];
	const stopped = drafts.filter((draft) => reasonsOf(draft).length > 0);
	const count = stopped.length ? `; ${stopped.length} cannot be created` : '';
	const { message, lines: reasons } = invoicesError(stopped);
	const all = stopped.length === 0 ? [] : reasons.length ? reasons : [message];
	return [
		`${summaryOf([...lines.values()])}${count}.`,
		...all.slice(0, maxReasons),
		...(all.length > maxReasons ? [`and ${all.length - maxReasons} more`] : []),
	];
}

/** Offers a reading in the list of the parameter. `what`: the sheet that it is of. */
async function remember(
	context: IExecuteFunctions,
	text: string,
	what: string,
	zone: string,
	typed?: string,
): Promise<void> {
	const client = await openClient(context);
	if ('problem' in client) return;
	const recent = client.account.part(RecentReadings);
	recent.add(text, what, zone);
	if (typed !== undefined) recent.addTyped(typed);
}

/** A key of a reading that was typed, so that it says nothing of the cells, and of all that a preview with it shows. */
function typedKey({ reading: said }: RowSettings, text: string, seen: string): string | undefined {
	if (!said || hasKinds(said)) return undefined;
	return codeOf(JSON.stringify([printReading(said), text, seen]), 26);
}

/** Whoever has typed a reading and seen its preview may bill exactly that. */
async function wasPreviewed(context: IExecuteFunctions, typed?: string): Promise<boolean> {
	const client = typed === undefined ? undefined : await openClient(context);
	if (!client || 'problem' in client || typed === undefined) return false;
	return client.account.part(RecentReadings).wasPreviewed(typed);
}

/** The box of a preview. */
async function previewNotices(
	context: IExecuteFunctions,
	reading: SheetReading,
	box: Parameters<typeof boxOf>[1] & { text: string; typed?: string },
	zone: string,
): Promise<Notice[]> {
	const { lines, isWarning } = boxOf(reading, box);
	await remember(context, box.text, box.summary[0].replace(/\.$/, ''), zone, box.typed);
	return [{ lines, isWarning }];
}

function runNotices(reading: SheetReading, makesNumbers: boolean): Notice[] {
	const number = makesNumbers
		? reading.drafts.find(({ body }) => body.invoice_number)?.body.invoice_number
		: undefined;
	const notice = (type: 'info' | 'warning', line: string): Notice => ({
		lines: [line],
		isWarning: type === 'warning',
	});
	return [
		...leftOutLines(reading).map((line) => notice('warning', line)),
		...(number === undefined
			? []
			: [
					notice(
						'info',
						`The sheet has no invoice numbers, so they are made from the content, such as ${String(number)}: the same rows find the same invoices. To bill the same rows once more, set another 'Number Prefix'.`,
					),
				]),
	];
}

/** With Continue, what is wrong with the whole sheet fails all rows, as a single unit. */
function planOfError(
	context: IExecuteFunctions,
	source: Source,
	settings: RowSettings,
	problems: string[],
	reading?: string,
): Plan {
	const filled = source.input.flatMap(({ json }, index) => (isBlank(json) ? [] : [index]));
	const items = filled.length ? filled : source.input.map((_item, index) => index);
	const rows = items.map((index) => source.input[index].json.row_number ?? index + 2).join(', ');
	const unit: Unit = {
		items,
		name: `row${items.length === 1 ? '' : 's'} ${rows}`,
		fields: { rows, ...(reading !== undefined && { reading }) },
		prepared: { problems },
	};
	const plan: Plan = { ...source, units: [unit], noun: 'invoice', notices: [] };
	return withRows(context, settings, plan, undefined, reading);
}

const rowNotes = ({ input }: Source): string[] =>
	input.some(({ json }) => 'row_number' in json)
		? []
		: ['Rows are counted from row 2, below the headers; n8n leaves out empty ones.'];

const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};

function unitOf(
	draft: Draft,
	operation: Operation,
	settings: RowSettings & { makesNumbers: boolean },
	preview?: IDataObject,
): Unit {
	const { rows, body, sums, match } = draft;
	const number = body.invoice_number as string | undefined;
	const label = `${number === undefined ? '' : `invoice ${number}, `}${rowsLabel(rows)}`;
	const unit = {
		...(sums && isReady(draft) && { sum: { currency: String(body.currency), total: sums.total } }),
		items: [...new Set(rows.map(({ line }) => line.index))],
		name: label,
	};
	if (preview) return { ...unit, prepared: { results: [preview] } };
	const reasons = reasonsOf(draft);
	return {
		...unit,
		fields: { rows: numbersOf(draft), ...(number !== undefined && { invoice_number: number }) },
		...(match && { added: { customer_match: { ...match } } }),
		prepared: reasons.length
			? { problems: reasons }
			: { request: requestOf(draft, operation, settings) },
	};
}
