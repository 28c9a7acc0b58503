import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import type { PlanLine } from '../plan/approval';
import { entryOf, fingerprintOf } from '../plan/approval';
import { summaryOf } from '../plan/summary';
import { lineTotalOf } from '../reading/amounts';
import type { Hand } from '../reading/hand';
import type { Draft } from '../reading/invoices';
import { differingTexts } from '../reading/invoices';
import { problemText } from '../reading/problems';
import type { SheetReading } from '../reading/readSheet';
import { guessLine, leftOutLines } from './box';
import type { Forecast } from './forecast';
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
	hands: readonly Hand[];
	forecast: Forecast;
	warnings: ReadonlyMap<Draft, string[]>;
}

/** The whole plan: what would be created, what exists, and what cannot be created. */
export function summaryText({ reading, forecast }: Pick<Report, 'reading' | 'forecast'>): string {
	const stopped = reading.drafts.filter((draft) => reasonsOf(draft).length);
	const more = stopped.length
		? `; ${stopped.length} cannot be created (row ${numbersOf(stopped[0])}: ${shorten(reasonsOf(stopped[0])[0], 120)})`
		: '';
	return `${summaryOf([...forecast.lines.values()])}${more}`;
}

/** One item for each invoice. The first one also has the reading, the fingerprint and the summary, so that expressions can pass them on. */
export function previewsOf(
	report: Report,
	{ returnRows, simplify = true }: RowSettings,
): Map<Draft, IDataObject> {
	const { reading, forecast, text, hands, warnings } = report;
	const { lines, account } = forecast;
	const all = [...lines.values()];
	const invoices = all.map(entryOf);
	const whole = {
		fingerprint: fingerprintOf(invoices, account),
		account,
		summary: summaryText(report),
		invoices: invoices as unknown as IDataObject[],
	};
	const byRow = new Map<number, number[]>();
	const isAboutAll = ({ rows }: Hand) => rows.length === reading.rows.length;
	for (const [at, hand] of hands.entries())
		if (!isAboutAll(hand)) for (const row of hand.rows) addTo(byRow, row, at);
	const handsOf = ({ rows }: Draft, isFirst: boolean) => {
		const own = new Set(rows.flatMap(({ number }) => byRow.get(number) ?? []));
		const all = isFirst ? hands.filter((hand, at) => isAboutAll(hand) || own.has(at)) : [];
		return isFirst ? all : [...own].sort((a, b) => a - b).map((at) => hands[at]);
	};
	const raised = new Set(hands.map(({ header }) => header));
	const unbilled = [
		...reading.unbilled.filter(({ header }) => raised.has(header)),
		...reading.unbilled.filter(({ header }) => !raised.has(header)),
	];
	// Returned rows say how an existing invoice differs, which a flat preview only has as text.
	const isFlat = simplify && !returnRows;
	return new Map(
		reading.drafts.map((draft, at): [Draft, IDataObject] => {
			const line = lines.get(draft);
			const notes = [
				...reasonsOf(draft),
				...(warnings.get(draft) ?? []),
				// What an approver must see, who has no box. What is about all rows stands beside the first invoice.
				...handsOf(draft, at === 0).map((hand) => `look at: ${hand.text}`),
				...(at ? [] : [...guessLine(reading), ...leftOutLines(reading)]),
			];
			const flat = flatPreview(draft, line, notes, notOnInvoice(draft, unbilled));
			if (isFlat) {
				const more = at
					? { reading: '', fingerprint: '', summary: '' }
					: { reading: text, fingerprint: whole.fingerprint, summary: whole.summary };
				return [draft, { ...flat, ...more }];
			}
			return [
				draft,
				{
					...wholePreview(draft, line, flat),
					reading: at ? '' : text,
					plan: at ? { fingerprint: whole.fingerprint } : whole,
				},
			];
		}),
	);
}

const actionOf = (line?: PlanLine) => line?.comparison.action ?? 'stop';

/** A planned invoice as a table row, for people. What matters first comes first. */
function flatPreview(
	draft: Draft,
	line: PlanLine | undefined,
	notes: string[],
	rest: string,
): IDataObject {
	const { body, sums, match, rows } = draft;
	const { differences = [], why } = line?.comparison ?? {};
	const items = (body.items ?? []) as IDataObject[];
	const itemText = ({ name, amount, quantity }: IDataObject) =>
		`${String(quantity)} × ${String(name)} at ${String(amount)}`;
	return {
		action: actionOf(line),
		customer:
			match?.name ??
			match?.email ??
			(body.customer as string | undefined) ??
			rows[0].customers[0]?.text ??
			'',
		total: sums?.total ?? '',
		currency: (body.currency as string | undefined) ?? '',
		due_date: (body.due_date as string | undefined) ?? '',
		items: items.map(itemText).join('; '),
		not_on_invoice: rest,
		invoice_number: (body.invoice_number as string | undefined) ?? '',
		rows: numbersOf(draft),
		warnings: [...(why === undefined ? [] : [why]), ...differences, ...notes].join('; '),
	};
}

/** A planned invoice with everything that would be sent. */
function wholePreview(draft: Draft, line: PlanLine | undefined, flat: IDataObject): IDataObject {
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
	const reason = line ? why : reasonsOf(draft).join('. ');
	return {
		action: actionOf(line),
		...(number !== undefined && { invoice_number: number }),
		customer: {
			id: customer,
			...(match?.name !== undefined && { name: match.name }),
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

/** Oddities that are worth a look, such as an amount of 0. They do not stop the invoice. */
export function warningsOf(drafts: readonly Draft[], today: string): Map<Draft, string[]> {
	const warnings = new Map<Draft, string[]>();
	const contents = new Set<string>();
	const hasQuantity = drafts.some(({ rows }) =>
		rows.some(({ values }) => values.has('itemQuantity')),
	);
	for (const draft of drafts) {
		const { rows, body, sums } = draft;
		if (!sums) continue;
		const amounts = rows.map(({ item }) => (item ? `${lineTotalOf(item)}` : '0'));
		const quantities = rows.map(({ item }) => item?.quantity ?? 1);
		const { customer, currency, due_date: dueDate, items } = body;
		const content = JSON.stringify([customer, currency, dueDate, items, sums.total]);
		const found = [
			amounts.some((amount) => amount.startsWith('-')) && 'negative amount',
			rows.some(({ item }) => Number(item?.amount) === 0) && 'amount of 0',
			quantities.includes(0) && 'quantity of 0',
			hasQuantity &&
				rows.some(({ values }) => !values.has('itemQuantity')) &&
				'no quantity, counted as 1',
			Number(sums.total) === 0 && 'total of 0',
			String(dueDate) < today && 'due date in the past',
			...differingTexts(rows).map((field) => `its rows differ in ${field}, so it has none`),
			contents.has(content) && 'same customer, due date, items and total as another invoice',
		].filter((one) => one !== false);
		contents.add(content);
		if (found.length) warnings.set(draft, found);
	}
	return warnings;
}
