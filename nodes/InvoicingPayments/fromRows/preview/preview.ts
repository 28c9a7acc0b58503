import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../../shared/addTo';
import { turns } from '../../../shared/clock';
import { Decimal } from '../../../shared/fields/decimal';
import { shorten } from '../../../shared/fields/text';
import type { ApprovedPlan } from '../../plan/approval';
import { moneyOf } from '../../plan/summary';
import type { Finding } from '../../reading/findings';
import type { Draft } from '../../reading/invoices';
import { differingTexts, isReady } from '../../reading/invoices';
import type { SheetReading } from '../../reading/readSheet';
import type { Forecast, ForecastDraft } from '../run';
import { numbersOf, reasonsOf } from '../run';
import { itemTexts } from './draftTexts';
import type { Offer } from './otherReadings';

/** What a preview shows. */
export interface Report {
	reading: SheetReading;
	/** The reading to confirm. */
	text: string;
	forecast: Forecast;
	/** By ID in lower case, for rows and defaults that have only an ID. */
	customerNames: ReadonlyMap<string, string>;
	/** Other readings of the sheet, the likeliest first. */
	offers: readonly Offer[];
}

/** How a preview is shown. */
interface PreviewForm {
	/** One line for each invoice, instead of all that would be sent. */
	isFlat: boolean;
	/** An agent reads no table, and has no list to pick from. */
	isForAgent: boolean;
}

/** The texts of one invoice. */
interface Said {
	notes: readonly string[];
	/** The last invoice carries what concerns the whole sheet. */
	isLast: boolean;
	plan: Required<ApprovedPlan>;
	otherReadings: ReadonlyArray<{ what: string; reading: string }>;
}

/**
 * One item for each invoice, in their order. The last one also has what concerns the whole sheet: the reading, the fingerprint, the summary
 * and findings. In a table, these long texts would push all other invoices out of sight if they were in the first.
 */
export async function previewsOf(
	report: Report,
	plan: Required<ApprovedPlan>,
	form: PreviewForm,
): Promise<IDataObject[]> {
	const { reading, forecast, offers } = report;
	const { unsettled } = reading.verdict;
	const otherReadings = offers.map(({ label, text: own }) => ({ what: label, reading: own }));
	const notesOf = notesByRow(unsettled);
	const ofSheet = unsettled
		.filter(({ rows, kind }) => !rows.length && kind !== 'unseen')
		.map((one) => one.text);
	const previews: IDataObject[] = [];
	const turn = turns();
	for (const [at, draft] of forecast.drafts.entries()) {
		const isLast = at === forecast.drafts.length - 1;
		const notes = [...notesOf(draft), ...(isLast ? ofSheet : [])];
		const said = { notes, isLast, plan, otherReadings };
		previews.push(
			form.isFlat ? flatPreview(draft, report, said, form) : wholePreview(draft, report, said),
		);
		await turn();
	}
	return previews;
}

/** What a person should know of an invoice. */
function notesByRow(unsettled: readonly Finding[]): (draft: ForecastDraft) => string[] {
	const byRow = new Map<number, string[]>();
	for (const { rows, text: found } of unsettled)
		for (const row of new Set(rows)) addTo(byRow, row, found);
	return (draft) => {
		const { change, comparison } = draft;
		const { differences = [], why, action } = comparison ?? {};
		return [
			...(why === undefined ? [] : [why]),
			...(action === 'exists, cancelled' ? ['cancelled in the service, so it is not billed'] : []),
			...differences,
			...reasonsOf(draft),
			...(change === undefined || change === why ? [] : [change]),
			...new Set(draft.rows.flatMap(({ number }) => byRow.get(number) ?? [])),
			...differingTexts(draft.rows).map(
				(field) => `its rows differ in ${field}, so the invoice has no ${field}`,
			),
		];
	};
}

const actionOf = ({ comparison }: ForecastDraft) => comparison?.action ?? 'stop';

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

/** An invoice as a row of a table that stays low, so that a screen shows many. What matters first comes first. */
function flatPreview(
	draft: ForecastDraft,
	{ customerNames, text }: Report,
	{ notes, isLast, plan, otherReadings }: Said,
	{ isForAgent }: PreviewForm,
): IDataObject {
	const { body } = draft;
	const ofSheet = isLast
		? { reading: text, ...plan }
		: { reading: '', fingerprint: '', summary: '' };
	return {
		action: actionOf(draft),
		customer: customerName(draft, customerNames),
		total: totalText(draft),
		due_date: (body.due_date as string | undefined) ?? '',
		items: isForAgent ? itemTexts(draft).join('; ') : (draft.items?.length ?? 0),
		invoice_number: (body.invoice_number as string | undefined) ?? '',
		rows: shorten(numbersOf(draft), maxRows),
		warnings: isForAgent ? notes.join('; ') : shortNotes(notes),
		...ofSheet,
		...(isForAgent && isLast && otherReadings.length > 0 && { other_readings: [...otherReadings] }),
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
export function exampleTexts({
	reading: { drafts },
	customerNames,
}: Pick<Report, 'reading' | 'customerNames'>): string[] {
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

/** An invoice with everything that would be sent. */
function wholePreview(
	draft: ForecastDraft,
	{ customerNames, reading, text }: Report,
	{ notes, isLast, plan, otherReadings }: Said,
): IDataObject {
	const { body, sums, match, comparison } = draft;
	const {
		customer,
		currency,
		due_date: dueDate,
		items,
		invoice_number: number,
		...rest
	} = body as IDataObject;
	const { existing, differences = [], why } = comparison ?? {};
	const { id, status, amount, url } = existing ?? {};
	const name = match?.name ?? customerNames.get(String(customer).toLowerCase());
	const reason = comparison ? why : reasonsOf(draft).join('. ');
	return {
		action: actionOf(draft),
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
		not_on_invoice: notOnInvoice(draft, reading.unbilled),
		...(reason !== undefined && { why: reason }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		subtotal: sums?.subtotal,
		discount: sums?.discount,
		items,
		...rest,
		...(match && { customer_match: { ...match } }),
		...(notes.length > 0 && { warnings: notes.join('; ') }),
		reading: isLast ? text : '',
		plan: isLast ? { ...plan } : { fingerprint: plan.fingerprint },
		...(isLast && otherReadings.length > 0 && { other_readings: [...otherReadings] }),
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
