import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import type { PlanLine } from '../plan/approval';
import { entryOf, fingerprintOf } from '../plan/approval';
import { moneyOf, summaryOf } from '../plan/summary';
import { Decimal } from '../../shared/fields/decimal';
import { itemText } from '../../shared/output/simplify';
import type { Finding } from '../reading/findings';
import { isStated } from '../reading/findings';
import type { Draft } from '../reading/invoices';
import { differingTexts } from '../reading/invoices';
import { problemText } from '../reading/problems';
import type { SheetReading } from '../reading/readSheet';
import type { Forecast } from './forecast';
import { cancelEarlier } from './forecast';
import type { RowSettings } from './settings';

/** The row numbers of an invoice: `2, 3`. */
export const numbersOf = ({ rows }: Draft) =>
	[...new Set(rows.map(({ number }) => number))].join(', ');

/** Why an invoice cannot be created. */
export const reasonsOf = ({ cellProblems, problems }: Draft) => [
	...cellProblems.map(problemText),
	...problems,
];

interface Report {
	reading: SheetReading;
	text: string;
	/** Those that are not settled. */
	findings: readonly Finding[];
	forecast: Forecast;
	/** By ID in lower case, for rows and defaults that have only an ID. */
	customerNames: ReadonlyMap<string, string>;
}

/** The whole plan: what would be created, what exists, and what cannot be created. */
function summaryText({ reading, forecast }: Pick<Report, 'reading' | 'forecast'>): string {
	const stopped = reading.drafts.filter((draft) => reasonsOf(draft).length);
	const why = stopped.length > 0 && reasonsOf(stopped[0])[0];
	const more = why
		? `; ${stopped.length} cannot be created (${/^Rows? \d/.test(why) ? '' : `row ${numbersOf(stopped[0])}: `}${shorten(why, 120)})`
		: '';
	return `${summaryOf([...forecast.lines.values()])}${more}`;
}

/**
 * One item for each invoice. The last one also has what concerns the whole sheet: the reading, the fingerprint, the summary and findings.
 * In a table, these long texts would push all other invoices out of sight if they were in the first. `isForAgent`: it reads no table.
 */
export function previewsOf(
	report: Report,
	{ returnRows, simplify = true }: RowSettings,
	isForAgent: boolean,
): Map<Draft, IDataObject> {
	const { reading, forecast, text, findings } = report;
	const { lines, account } = forecast;
	const all = [...lines.values()];
	const invoices = all.map(entryOf);
	const whole = {
		fingerprint: fingerprintOf(invoices, account),
		account,
		summary: summaryText(report),
		invoices: invoices as unknown as IDataObject[],
		warnings: warningsOf(findings),
	};
	const notesOf = notesByInvoice(report);
	const ofSheet = findings.filter(({ rows }) => !rows.length).map((one) => one.text);
	const raised = new Set(findings.map(({ header }) => header));
	const unbilled = [
		...reading.unbilled.filter(({ header }) => raised.has(header)),
		...reading.unbilled.filter(({ header }) => !raised.has(header)),
	];
	// Returned rows say how an existing invoice differs, which a flat preview only has as text.
	const isFlat = simplify && !returnRows;
	return new Map(
		reading.drafts.map((draft, at): [Draft, IDataObject] => {
			const line = lines.get(draft);
			const isLast = at === reading.drafts.length - 1;
			const notes = [...notesOf(draft), ...(isLast ? ofSheet : [])];
			if (isFlat) {
				const customer = customerName(draft, report.customerNames);
				const more = isLast
					? { reading: text, fingerprint: whole.fingerprint, summary: whole.summary }
					: { reading: '', fingerprint: '', summary: '' };
				const shown = isForAgent
					? { notes, items: itemTexts(draft).join('; ') }
					: { notes: shortNotes(notes), items: itemTexts(draft).length };
				return [draft, { ...flatPreview(draft, line, { customer, ...shown }), ...more }];
			}
			return [
				draft,
				{
					...wholePreview(draft, line, {
						names: report.customerNames,
						warnings: notes.join('; '),
						notOnInvoice: notOnInvoice(draft, unbilled),
					}),
					reading: isLast ? text : '',
					plan: isLast ? whole : { fingerprint: whole.fingerprint },
				},
			];
		}),
	);
}

/** What somebody who approves the plan has to look at. The reading states the others. */
export const warningsOf = (findings: readonly Finding[]): string[] =>
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
	{ customer, notes, items }: { customer: string; notes: string[]; items: number | string },
): IDataObject {
	const { body } = draft;
	return {
		action: actionOf(line),
		customer,
		total: totalText(draft),
		due_date: (body.due_date as string | undefined) ?? '',
		items,
		invoice_number: (body.invoice_number as string | undefined) ?? '',
		rows: rangesOf(draft.rows.map(({ number }) => number)),
		warnings: notes.join('; '),
	};
}

const maxNotes = 2;
/** Characters. */
const maxNote = 60;

/** Without the row, which has a column, and without advice, which the box gives. */
const shortNote = (note: string) =>
	shorten(note.replace(/^Rows? [^:]*: /, '').split('. ')[0], maxNote);

function shortNotes(notes: readonly string[]): string[] {
	const more = notes.length - maxNotes;
	return [...notes.slice(0, maxNotes).map(shortNote), ...(more > 0 ? [`and ${more} more`] : [])];
}

const totalText = ({ body, sums }: Draft): string => {
	const currency = (body.currency as string | undefined) ?? '';
	return sums ? moneyOf(new Map([[currency, Decimal.of(sums.total)]])).trim() : '';
};

const maxRanges = 3;

/** `2-31, 40` */
function rangesOf(numbers: readonly number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
		const range = ranges[ranges.length - 1] as (typeof ranges)[0] | undefined;
		if (range && number === range[1] + 1) range[1] = number;
		else ranges.push([number, number]);
	}
	const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
	return `${texts.slice(0, maxRanges).join(', ')}${texts.length > maxRanges ? ', …' : ''}`;
}

const itemTexts = ({ body }: Draft): string[] =>
	((body.items ?? []) as IDataObject[]).map((item) =>
		itemText({ ...item, amount: Decimal.of(String(item.amount)) }),
	);

const maxItems = 4;

/** The first and the largest invoice in full: the table has only the number of their items. */
export function exampleTexts({ reading: { drafts }, customerNames }: Report): string[] {
	const withItems = drafts.filter(({ sums }) => sums !== undefined);
	const ready = withItems.filter((one) => reasonsOf(one).length === 0);
	const [first, ...more] = (ready.length ? ready : withItems) as [Draft?, ...Draft[]];
	if (!first) return [];
	const totalOf = ({ sums }: Draft) => Number(sums?.total);
	const isSame = more.every(({ body }) => body.currency === first.body.currency);
	const largest = isSame
		? more.reduce((one, other) => (totalOf(other) > totalOf(one) ? other : one), first)
		: first;
	return [
		`The first invoice: ${exampleText(first, customerNames)}.`,
		...(largest === first ? [] : [`The largest: ${exampleText(largest, customerNames)}.`]),
	];
}

function exampleText(draft: Draft, customerNames: Report['customerNames']): string {
	const all = itemTexts(draft);
	const texts = all.slice(0, maxItems);
	const more = all.length > maxItems ? [`and ${all.length - maxItems} more`] : [];
	const others = textsOf(draft.body);
	const { due_date: due } = draft.body;
	const head = [
		customerName(draft, customerNames),
		totalText(draft),
		...(due === undefined ? [] : [`due ${String(due)}`]),
	];
	return `${head.filter(Boolean).join(', ')}: ${[...texts, ...more].join('; ')}${others && ` (${others})`}`;
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
		...{ currency, due_date: dueDate, rows: numbersOf(draft), not_on_invoice: besides },
		...(reason !== undefined && { why: reason }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		...{ subtotal: sums?.subtotal, discount: sums?.discount, items, ...rest },
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
