import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import { turns } from '../../../shared/clock';
import type { ApprovedPlan, PlanLine } from '../../plan/approval';
import { fingerprintOf } from '../../plan/approval';
import { moneyOf, summaryOf } from '../../plan/summary';
import { Decimal } from '../../../shared/fields/decimal';
import type { Finding } from '../../reading/findings';
import { isStated } from '../../reading/findings';
import type { Draft } from '../../reading/invoices';
import { differingTexts, isReady } from '../../reading/invoices';
import type { SheetReading } from '../../reading/readSheet';
import type { Forecast } from '../run';
import { cancelEarlier, numbersOf, reasonsOf } from '../run';
import { itemTexts } from './draftTexts';
import type { Offer } from './otherReadings';
import type { RowSettings } from '../settings';

interface Report {
	reading: SheetReading;
	text: string;
	/** Those that are not settled. */
	findings: readonly Finding[];
	forecast: Forecast;
	/** By ID in lower case, for rows and defaults that have only an ID. */
	customerNames: ReadonlyMap<string, string>;
	/** Other readings of the sheet, the likeliest first. */
	offers: readonly Offer[];
}

/** What would be created, what exists, and how many invoices cannot be created. */
export function planSummary({ drafts }: Pick<SheetReading, 'drafts'>, { lines }: Forecast): string {
	const stopped = drafts.filter((draft) => reasonsOf(draft).length > 0);
	const count = stopped.length ? `; ${stopped.length} cannot be created` : '';
	return `${summaryOf([...lines.values()])}${count}`;
}

/** The fingerprint and the summary of what would be sent now. */
export async function planOf(
	reading: Pick<SheetReading, 'drafts'>,
	forecast: Forecast,
	findings: readonly Finding[],
): Promise<Required<ApprovedPlan>> {
	const { lines, account } = forecast;
	const fingerprint = await fingerprintOf([...lines.values()], account, warningsOf(findings));
	return { fingerprint, summary: planSummary(reading, forecast) };
}

/**
 * One item for each invoice. The last one also has what concerns the whole sheet: the reading, the fingerprint, the summary and findings.
 * In a table, these long texts would push all other invoices out of sight if they were in the first. `isForAgent`: it reads no table.
 */
export async function previewsOf(
	report: Report,
	plan: Required<ApprovedPlan>,
	{ returnRows, simplify = true }: RowSettings,
	isForAgent: boolean,
): Promise<Map<Draft, IDataObject>> {
	const { reading, forecast, text, findings, offers } = report;
	const { lines } = forecast;
	// An agent sees no list to pick from.
	const others = offers.map(({ label, text: own }) => ({ what: label, reading: own }));
	const notesOf = notesByInvoice(report);
	const ofSheet = findings
		.filter(({ rows, kind }) => !rows.length && kind !== 'unseen')
		.map((one) => one.text);
	// Returned rows say how an existing invoice differs, which a flat preview only has as text.
	const isFlat = simplify && !returnRows;
	const previewOf = (draft: Draft, at: number): IDataObject => {
		const line = lines.get(draft);
		const isLast = at === reading.drafts.length - 1;
		const notes = [...notesOf(draft), ...(isLast ? ofSheet : [])];
		if (isFlat) {
			const customer = customerName(draft, report.customerNames);
			const more = isLast
				? { reading: text, ...plan }
				: { reading: '', fingerprint: '', summary: '' };
			const shown = isForAgent
				? { items: itemTexts(draft).join('; '), warnings: notes.join('; ') }
				: { items: draft.items?.length ?? 0, warnings: shortNotes(notes) };
			return {
				...flatPreview(draft, line, { customer, ...shown }),
				...more,
				...(isForAgent && isLast && others.length > 0 && { other_readings: others }),
			};
		}
		return {
			...wholePreview(draft, line, {
				names: report.customerNames,
				warnings: notes.join('; '),
				notOnInvoice: notOnInvoice(draft, reading.unbilled),
			}),
			reading: isLast ? text : '',
			plan: isLast ? { ...plan } : { fingerprint: plan.fingerprint },
			...(isLast && others.length > 0 && { other_readings: others }),
		};
	};
	const previews = new Map<Draft, IDataObject>();
	const turn = turns();
	for (const [at, draft] of reading.drafts.entries()) {
		previews.set(draft, previewOf(draft, at));
		await turn();
	}
	return previews;
}

/** What somebody who approves the plan has to look at. The reading states the others. */
const warningsOf = (findings: readonly Finding[]): string[] =>
	findings.flatMap((one) => (isStated(one) ? [] : [one.text]));

/** What a person should know of an invoice. */
function notesByInvoice({
	findings,
	forecast: { lines, changes },
}: Report): (draft: Draft) => string[] {
	const byRow = new Map<number, string[]>();
	for (const { rows, text: found } of findings)
		for (const row of new Set(rows)) addTo(byRow, row, found);
	return (draft) => {
		const change = changes.get(draft);
		const { differences = [], why, action } = lines.get(draft)?.comparison ?? {};
		return [
			...(why === undefined ? [] : [why]),
			...(action === 'exists, cancelled' ? ['cancelled in the service, so it is not billed'] : []),
			...differences,
			...reasonsOf(draft),
			...(change === undefined ? [] : [`${change}. ${cancelEarlier}`]),
			...new Set(draft.rows.flatMap(({ number }) => byRow.get(number) ?? [])),
			...differingTexts(draft.rows).map(
				(field) => `its rows differ in ${field}, so the invoice has no ${field}`,
			),
		];
	};
}

const actionOf = (line?: PlanLine) => line?.comparison.action ?? 'stop';

function customerName({ match, body, rows }: Draft, names: Report['customerNames']): string {
	const { customer } = body as { customer?: string };
	return (
		match?.name ??
		match?.email ??
		names.get(String(customer).toLowerCase()) ??
		customer ??
		rows[0].customers[0]?.text ??
		''
	);
}

/** A planned invoice as a row of a table that stays low, so that a screen shows many. What matters first comes first. */
function flatPreview(
	draft: Draft,
	line: PlanLine | undefined,
	shown: { customer: string; items: number | string; warnings: string },
): IDataObject {
	const { body } = draft;
	return {
		action: actionOf(line),
		customer: shown.customer,
		total: totalText(draft),
		due_date: (body.due_date as string | undefined) ?? '',
		items: shown.items,
		invoice_number: (body.invoice_number as string | undefined) ?? '',
		rows: shorten(numbersOf(draft), maxRows),
		warnings: shown.warnings,
	};
}

const maxNotes = 2;
/** Characters. */
const maxNote = 60;
const maxRows = 20;

/** Without the row, which has a column, and without advice, which the box gives. */
const shortNote = (note: string) =>
	shorten(note.replace(/^Rows? [^:]*: /, '').split('. ')[0], maxNote);

function shortNotes(notes: readonly string[]): string {
	const more = notes.length > maxNotes ? [`and ${notes.length - maxNotes} more`] : [];
	return [...notes.slice(0, maxNotes).map(shortNote), ...more].join('; ');
}

const totalText = ({ body, sums }: Draft): string => {
	const currency = (body.currency as string | undefined) ?? '';
	return sums ? moneyOf(new Map([[currency, Decimal.of(sums.total)]])).trim() : '';
};

const maxItems = 4;

/** The first invoice in full: the table has only the number of items. */
export function exampleTexts({ reading: { drafts }, customerNames }: Report): string[] {
	const withItems = drafts.filter(({ sums }) => sums !== undefined);
	const [first] = withItems as [Draft?];
	const shown = withItems.find(isReady) ?? first;
	if (!shown) return [];
	const all = itemTexts(shown);
	const more = all.length > maxItems ? [`and ${all.length - maxItems} more`] : [];
	const { due_date: due } = shown.body;
	const head = [
		customerName(shown, customerNames),
		totalText(shown),
		due !== undefined && `due ${String(due)}`,
	];
	const others = textsOf(shown.body);
	return [
		`The first invoice: ${head.filter(Boolean).join(', ')}: ${[...all.slice(0, maxItems), ...more].join('; ')}${others && ` (${others})`}.`,
	];
}

/** What the customer reads besides the items. */
const textsOf = ({ title, note }: Draft['body']) =>
	[title && `title: ${String(title)}`, note && `note: ${shorten(String(note), 100)}`]
		.filter(Boolean)
		.join('; ');

/** A planned invoice with everything that would be sent. */
function wholePreview(
	draft: Draft,
	line: PlanLine | undefined,
	{
		names,
		warnings,
		notOnInvoice: besides,
	}: { names: Report['customerNames']; warnings: string; notOnInvoice: string },
): IDataObject {
	const { body, sums, match } = draft;
	const {
		customer,
		currency,
		due_date: dueDate,
		items,
		invoice_number: number,
		...rest
	} = body as IDataObject;
	const { existing, differences = [], why } = line?.comparison ?? {};
	const { id, status, amount, url } = existing ?? {};
	const name = match?.name ?? names.get(String(customer).toLowerCase());
	const reason = line ? why : reasonsOf(draft).join('. ');
	return {
		action: actionOf(line),
		...(number !== undefined && { invoice_number: number }),
		customer: {
			id: customer,
			...(name !== undefined && { name }),
			...(match?.email !== undefined && { email: match.email }),
		},
		total: sums?.total,
		currency,
		due_date: dueDate,
		rows: numbersOf(draft),
		not_on_invoice: besides,
		...(reason !== undefined && { why: reason }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		subtotal: sums?.subtotal,
		discount: sums?.discount,
		items,
		...rest,
		...(match && { customer_match: { ...match } }),
		...(warnings !== '' && { warnings }),
	};
}

const maxCells = 12;

/** What the rows of an invoice say besides: `Paid: cash · Room: 12`. */
function notOnInvoice({ rows }: Draft, columns: SheetReading['unbilled']): string {
	const cells = columns.flatMap((column) => {
		const texts = [...new Set(rows.flatMap(({ at }) => column.looks[at]?.text ?? []))];
		return texts.length ? [`${shorten(column.header, 40)}: ${shorten(texts.join(', '), 80)}`] : [];
	});
	const more = cells.length > maxCells ? ` · and ${cells.length - maxCells} more` : '';
	return `${cells.slice(0, maxCells).join(' · ')}${more}`;
}
