import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { own } from './columns';
import { wordsOf } from './headers';

const taxWords = new Set(
	'tax taxes duty duties excise levy cess vat gst hst pst qst mwst ust iva tva moms btw'.split(' '),
);
const moneyWords = new Set(
	'discount discounts disc rebate reduction shipping freight postage delivery handling adjustment adjustments rounding roundoff fee fees latefee latefees commission customs toll surcharge tip tips gratuity deposit retainer prepaid prepayment paid credit credits gross voucher coupon refund refunded retention insurance packaging interest received advance payments withholding tds markup'.split(
		' ',
	),
);
/** Words of quantities, in the languages and businesses of sheets. */
export const quantityWords = new Set(
	'quantity quantities qty qnty hours hrs units pieces pcs count days nights weeks months sessions tickets persons people seats licences licenses users attendees participants guests duration minutes kg km boxes ordered volume menge anzahl stück stunden quantité cantidad'.split(
		' ',
	),
);

/** Words of numbers that are neither money nor quantities. */
const numberWords = new Set(
	'number id identification code phone tel telephone mobile fax zip postal postcode postalcode plz year age ref reference sku barcode ean isbn account row line position pos index latitude longitude lat lng exchange rating score version stock weight size date time room floor house order po'.split(
		' ',
	),
);

/** Whether a header names numbers of another kind than money. */
export const isOfOtherKind = (words: string[]) => words.some((word) => numberWords.has(word));

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
	/^(?:-+|–|none|nil|n\/?a|no|false|exempt|no (?:tax|vat|gst)|(?:tax|vat|gst)[ -]?(?:exempt|free)|zero[ -]?rated|outside (?:the )?scope)$/i;

/** Digits with decimals or a sign of a currency. */
const isAmount = (cell: unknown) =>
	typeof cell === 'number' ? cell !== 0 : /\p{Sc}|%|\d[.,]\d{1,2}\D*$/u.test(String(cell ?? ''));

/** A figure that is not zero, whatever stands around it. */
const hasFigure = (cell: unknown) => /[1-9]/.test(String(cell).normalize('NFKC'));

/** Whether a cell says that there is money: a figure that is not zero, or the words of a tax. */
function isMoney(cell: unknown, isTax: boolean): boolean {
	if (isEmpty(cell) || typeof cell === 'boolean' || typeof cell === 'object') return false;
	if (typeof cell === 'number') return cell !== 0;
	const text = String(cell).normalize('NFKC').trim();
	if (isNothing.test(text)) return false;
	if (/\d/.test(text)) return hasFigure(text);
	return isTax;
}

/** Here a note in brackets counts: `Amount (paid)`. */
export const allWordsOf = (header: string) =>
	wordsOf(header.replace(/[()[\]{}]/g, ' ').replace(/\bto date\b/i, ''));

const some = (words: string[], set: Set<string>) => words.some((word) => set.has(word));

/**
 * Columns that belong to no field although they hold money which the service has no field for: taxes, discounts, shipping, what
 * has been paid. Without them the customer would be asked for another amount than the sheet says.
 */
export function leftMoney(headers: string[], rows: IDataObject[]): string[] {
	return headers.filter((header) => {
		const words = allWordsOf(header);
		const isRoundOff = /round[\s_-]*off/i.test(header);
		const cells = rows.map((row) => own(row, header));
		// `State Tax`, `Paid to date`: where there are amounts, such words say nothing against money.
		const isAmounts = !isOfOtherKind(words) && cells.some((cell) => isAmount(cell));
		const isFlag = words[0] === 'is';
		const isTax = !isFlag && some(words, taxWords) && (isAmounts || !some(words, otherTaxWords));
		const isOther = !isFlag && some(words, moneyWords) && (isAmounts || !some(words, otherWords));
		if (!isTax && !isOther && !isRoundOff) return false;
		return cells.some((cell) => isMoney(cell, isTax));
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
