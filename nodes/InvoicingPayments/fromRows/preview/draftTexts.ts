import type { IDataObject } from 'n8n-workflow';
import { Decimal } from '../../../shared/fields/decimal';
import { itemText } from '../../../shared/output/simplify';
import { moneyOf, sumsBy } from '../../plan/summary';
import { plural } from '../../reading/cells';
import type { Draft } from '../../reading/invoices';

/** The sum of invoices, by currency: `EUR 17,955.18`. Empty without one. */
export const sumOf = (drafts: readonly Draft[]): string =>
	moneyOf(
		sumsBy(
			drafts.flatMap(({ sums, body }) =>
				sums && body.currency ? [{ currency: String(body.currency), total: sums.total }] : [],
			),
		),
	);

/** The items of an invoice: `2 × Design at 80.00`. */
export const itemTexts = ({ body }: Draft): string[] =>
	((body.items ?? []) as IDataObject[]).map((item) =>
		itemText({ ...item, amount: Decimal.of(String(item.amount)) }),
	);

/** The sum of invoices: `20 invoices for 25 rows: EUR 17,955.18`. */
export function sumText(drafts: readonly Draft[]): string {
	const rows = new Set(drafts.flatMap(({ rows: own }) => own.map(({ line }) => line.index))).size;
	const money = sumOf(drafts);
	return `${plural(drafts.length, 'invoice')} for ${plural(rows, 'row')}${money && `: ${money}`}`;
}
