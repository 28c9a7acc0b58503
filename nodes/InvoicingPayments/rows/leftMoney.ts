import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { own } from './columns';
import { wordsOf } from './headers';

const taxWords = new Set(
	'tax taxes duty duties excise levy cess vat gst hst pst qst mwst ust iva tva moms btw'.split(' '),
);
const moneyWords = new Set(
	'discount rebate reduction shipping freight postage delivery handling adjustment adjustments rounding roundoff fee fees latefee latefees commission customs toll surcharge tip tips gratuity deposit retainer prepaid prepayment paid credit credits gross withholding tds markup'.split(
		' ',
	),
);
const quantityWords = new Set('quantity qty hours hrs units pieces pcs count days'.split(' '));

/** Words with which a header names a person, a place, a way or a day rather than money. */
const otherWords = new Set(
	'date day due overdue reminder interval on at by via to name number id identification registration gstin address street city town state region province country zip postal postcode postalcode phone fax email method mode carrier tracking status card limit term terms treatment url link note notes attention'.split(
		' ',
	),
);
/** For taxes an `on`, `by` or `name` says nothing against money: `Tax Name` is a tax. */
const otherTaxWords = new Set(
	'date number id identification registration gstin address country state treatment email phone'.split(
		' ',
	),
);

const isNothing =
	/^(?:-+|–|none|nil|n\/?a|no|yes|true|false|exempt|no (?:tax|vat|gst)|(?:tax|vat|gst)[ -]?(?:exempt|free)|zero[ -]?rated|outside (?:the )?scope)$/i;

/** A figure that is not zero, whatever stands around it. */
const hasFigure = (cell: unknown) => /[1-9]/.test(String(cell));

/** Whether a cell says that there is money: a figure that is not zero, or the words of a tax. */
function isMoney(cell: unknown, isTax: boolean): boolean {
	if (isEmpty(cell) || typeof cell === 'boolean' || typeof cell === 'object') return false;
	if (typeof cell === 'number') return cell !== 0;
	const text = String(cell).trim();
	if (isNothing.test(text)) return false;
	if (/\d/.test(text)) return hasFigure(text);
	return isTax;
}

/** Here a note in brackets counts: `Amount (paid)`. */
const allWordsOf = (header: string) => wordsOf(header.replace(/[()[\]{}]/g, ' '));

const some = (words: string[], set: Set<string>) => words.some((word) => set.has(word));

/**
 * Columns that belong to no field although they hold money which the service has no field for: taxes, discounts, shipping, what
 * has been paid. Without them the customer would be asked for another amount than the sheet says.
 */
export function leftMoney(headers: string[], rows: IDataObject[]): string[] {
	return headers.filter((header) => {
		const words = allWordsOf(header);
		const isRoundOff = /round[\s_-]*off/i.test(header);
		const isTax = some(words, taxWords) && !some(words, otherTaxWords);
		const isOther = some(words, moneyWords) && !some(words, otherWords);
		if (!isTax && !isOther && !isRoundOff) return false;
		return rows.some((row) => isMoney(own(row, header), isTax));
	});
}

/** Columns that belong to no field although they seem to hold quantities, other than one. */
export function leftQuantities(headers: string[], rows: IDataObject[]): string[] {
	return headers.filter((header) => {
		const words = allWordsOf(header);
		if (!some(words, quantityWords) || some(words, otherWords)) return false;
		return rows.some((row) => {
			const cell = own(row, header);
			return hasFigure(cell ?? '') && !/^\s*1(?:[.,]0*)?\s*$/.test(String(cell));
		});
	});
}
