import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { PlanLine } from '../plan/approval';
import { entryOf, fingerprintOf } from '../plan/approval';
import { summaryOf } from '../plan/summary';
import type { Columns } from './columns';
import type { Draft } from './invoices';
import type { Ahead } from './lookAhead';
import type { RowSettings } from './rowSettings';

/** The results of Only Validate. The first one carries the whole plan, so that a later run can be compared with it. */
export function previewsOf(
	{ lines, account }: Ahead,
	sources: IDataObject,
	warnings: Map<Draft, string[]>,
	{ isFlat }: RowSettings,
): Map<Draft, IDataObject> {
	const all = [...lines.values()];
	const invoices = all.map((line) => entryOf(line));
	const fingerprint = fingerprintOf(invoices, account);
	const whole = {
		fingerprint,
		account,
		summary: summaryOf(all),
		invoices: invoices as unknown as IDataObject[],
	};
	return new Map(
		[...lines].map(([draft, line], at) => {
			const notes = warnings.get(draft);
			const plan = at ? { fingerprint } : whole;
			const more = { columns: sources, ...(notes && { warnings: notes }), plan };
			return [draft, isFlat ? flatPreview(draft, line, notes, plan) : previewOf(draft, line, more)];
		}),
	);
}

const rowsOf = ({ rows }: Draft) => [...new Set(rows.map((row) => row.number))].join(', ');

/** A planned invoice as a table row, for people. The first one carries the plan's summary. */
function flatPreview(
	draft: Draft,
	{ outlook }: PlanLine,
	warnings: string[] = [],
	{ fingerprint, summary }: IDataObject,
): IDataObject {
	const { body, sums, match } = draft;
	const { action, differences, why } = outlook;
	const items = (body.items ?? []) as IDataObject[];
	return {
		action,
		invoice_number: body.invoice_number ?? '',
		customer: match?.name ?? match?.email ?? body.customer,
		total: sums?.total,
		currency: body.currency,
		due_date: body.due_date,
		items: items
			.map(
				({ name, amount, quantity }) =>
					`${String(quantity)} × ${String(name)} at ${String(amount)}`,
			)
			.join('; '),
		rows: rowsOf(draft),
		warnings: [...(why === undefined ? [] : [why]), ...differences, ...warnings].join('; '),
		fingerprint,
		...(summary !== undefined && { summary }),
	};
}

/** A planned invoice: first what people compare, then everything that would be sent. */
function previewOf(draft: Draft, { outlook }: PlanLine, more: IDataObject): IDataObject {
	const { body, sums, match } = draft;
	const { customer, currency, due_date: dueDate, items, invoice_number: number, ...rest } = body;
	const { action, existing, differences, why } = outlook;
	const { id, status, amount, url } = existing ?? {};
	return {
		action,
		...(number !== undefined && { invoice_number: number }),
		customer: {
			id: customer,
			...(match?.name !== undefined && { name: match.name }),
			...(match?.email !== undefined && { email: match.email }),
		},
		total: sums?.total,
		currency,
		due_date: dueDate,
		rows: rowsOf(draft),
		...(why !== undefined && { why }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		subtotal: sums?.subtotal,
		discount: sums?.discount,
		items,
		...rest,
		...(match && { customer_match: { ...match } }),
		...more,
	};
}

/** The column that each field came from, for the preview. */
export function sourcesOf({ fields }: Columns): IDataObject {
	const sources: IDataObject = {};
	for (const { field, header } of fields) {
		if (header === undefined) continue;
		const before = sources[field.displayName];
		sources[field.displayName] = isEmpty(before) ? header : `${String(before)}, ${header}`;
	}
	return sources;
}
