import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import type { PlanLine } from '../plan/approval';
import { entryOf, fingerprintOf } from '../plan/approval';
import { moneyOf, summaryOf } from '../plan/summary';
import { Decimal } from '../../shared/fields/decimal';
import type { Finding } from '../reading/findings';
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
export function summaryText({ reading, forecast }: Pick<Report, 'reading' | 'forecast'>): string {
	const stopped = reading.drafts.filter((draft) => reasonsOf(draft).length);
	const why = stopped.length > 0 && reasonsOf(stopped[0])[0];
	const more = why
		? `; ${stopped.length} cannot be created (${/^Rows? \d/.test(why) ? '' : `row ${numbersOf(stopped[0])}: `}${shorten(why, 120)})`
		: '';
	return `${summaryOf([...forecast.lines.values()])}${more}`;
}

/**
 * One item for each invoice. The last one also has the reading, the fingerprint and the summary, so that expressions can pass them on:
 * in a table, these long texts would push all other invoices out of sight if they were in the first.
 */
export function previewsOf(
	report: Report,
	{ returnRows, simplify = true }: RowSettings,
): Map<Draft, IDataObject> {
	const { reading, forecast, text, findings } = report;
	const { lines, account, changes } = forecast;
	const all = [...lines.values()];
	const invoices = all.map(entryOf);
	const whole = {
		fingerprint: fingerprintOf(invoices, account),
		account,
		summary: summaryText(report),
		invoices: invoices as unknown as IDataObject[],
	};
	const byRow = new Map<number, string[]>();
	for (const { rows, text: found } of findings)
		for (const row of new Set(rows)) addTo(byRow, row, found);
	const raised = new Set(findings.map(({ header }) => header));
	const unbilled = [
		...reading.unbilled.filter(({ header }) => raised.has(header)),
		...reading.unbilled.filter(({ header }) => !raised.has(header)),
	];
	// Returned rows say how an existing invoice differs, which a flat preview only has as text.
	const isFlat = simplify && !returnRows;
	const hasTexts = reading.drafts.some(({ body }) => textsOf(body) !== '');
	return new Map(
		reading.drafts.map((draft, at): [Draft, IDataObject] => {
			const line = lines.get(draft);
			const isLast = at === reading.drafts.length - 1;
			const change = changes.get(draft);
			const notes = [
				...reasonsOf(draft),
				...(change === undefined ? [] : [`${change}. ${cancelEarlier}`]),
				...new Set(draft.rows.flatMap(({ number }) => byRow.get(number) ?? [])),
				...differingTexts(draft.rows).map((field) => `its rows differ in ${field}, so it has none`),
				// What an approver must see, who has no box.
				...(at ? [] : findings.filter(({ rows }) => !rows.length).map((one) => one.text)),
			];
			const flat = flatPreview(draft, line, {
				customer: customerName(draft, report.customerNames),
				...{ notes, hasTexts, rest: notOnInvoice(draft, unbilled) },
			});
			if (isFlat) {
				const more = isLast
					? { reading: text, fingerprint: whole.fingerprint, summary: whole.summary }
					: { reading: '', fingerprint: '', summary: '' };
				return [draft, { ...flat, ...more }];
			}
			return [
				draft,
				{
					...wholePreview(draft, line, flat, report.customerNames),
					reading: isLast ? text : '',
					plan: isLast ? whole : { fingerprint: whole.fingerprint },
				},
			];
		}),
	);
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

/** A planned invoice as a table row, for people. What matters first comes first. */
function flatPreview(
	draft: Draft,
	line: PlanLine | undefined,
	shown: { customer: string; notes: string[]; hasTexts: boolean; rest: string },
): IDataObject {
	const { body, sums } = draft;
	const currency = (body.currency as string | undefined) ?? '';
	const { differences = [], why } = line?.comparison ?? {};
	const items = (body.items ?? []) as IDataObject[];
	const itemText = ({ name, amount, quantity }: IDataObject) =>
		`${String(quantity)} × ${String(name)} at ${Decimal.of(String(amount))}`;
	return {
		action: actionOf(line),
		customer: shown.customer,
		total: sums ? moneyOf(new Map([[currency, Decimal.of(sums.total)]])).trim() : '',
		due_date: (body.due_date as string | undefined) ?? '',
		items: items.map(itemText).join('; '),
		...(shown.hasTexts && { texts: textsOf(body) }),
		not_on_invoice: shown.rest,
		invoice_number: (body.invoice_number as string | undefined) ?? '',
		rows: numbersOf(draft),
		warnings: [...(why === undefined ? [] : [why]), ...differences, ...shown.notes].join('; '),
	};
}

/** What the customer reads besides the items. */
const textsOf = ({ title, note }: Draft['body']) =>
	[title && `title: ${String(title)}`, note && `note: ${String(note)}`].filter(Boolean).join('; ');

/** A planned invoice with everything that would be sent. */
function wholePreview(
	draft: Draft,
	line: PlanLine | undefined,
	flat: IDataObject,
	names: Report['customerNames'],
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
		...{ currency, due_date: dueDate, rows: numbersOf(draft), not_on_invoice: flat.not_on_invoice },
		...(reason !== undefined && { why: reason }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		...{ subtotal: sums?.subtotal, discount: sums?.discount, items, ...rest },
		...(match && { customer_match: { ...match } }),
		...(flat.warnings !== '' && { warnings: flat.warnings }),
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
