import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { Row } from './row';

/** How people call a row that is the sum of others. */
const sumWord =
	/^(?:(?:grand|sub|invoice|net|gross|overall)[\s-]*)?(?:totals?|sum|summe|summa|gesamt\w*)(?:[\s:]+(?:due|amount|net|gross|of|for|in|excl\.?|incl\.?|tax|vat|[A-Z]{3}|invoice|[^\s:]*\d[^\s:]*))*[\s:.]*$|^(?:carried forward|balance due|amount (?:due|paid)|less deposit|deposit paid)[\s:.]*$/i;

/** The word by which a row says that it is the sum of others: in its first cell, or where the item's name should be. */
export function sumWordIn({ values }: Row, json: IDataObject): string | undefined {
	const first = Object.entries(json).find(
		([header, cell]) => header !== 'row_number' && !isEmpty(cell),
	);
	return [first?.[1], values.get('itemName')].find(
		(cell): cell is string =>
			typeof cell === 'string' && cell.length < 60 && sumWord.test(cell.trim()),
	);
}

/** A row that is not to be billed: of what it says only the invoice's number counts. */
export function sumRow({ index, number, values, ...row }: Row, word: string): Row {
	const own = values.get('invoiceNumber');
	return {
		...row,
		index,
		number,
		values: new Map(own === undefined ? [] : [['invoiceNumber', own]]),
		customers: [],
		marks: [],
		invalid: new Set(),
		deferred: new Map(),
		problems: [
			{
				row: number,
				text: `This row looks like a total ("${word}"). Delete it, or give the item another name`,
			},
		],
		isSum: true,
	};
}
