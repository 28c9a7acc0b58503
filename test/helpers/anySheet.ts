import type fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SheetChoice } from './anySheet/choices';
import { anyChoice } from './anySheet/choices';
import { writeColumns } from './anySheet/columns';
import { diceOf } from './anySheet/dice';
import type { Cell, Column } from './anySheet/draft';
import { Draft } from './anySheet/draft';
import { changeCells } from './anySheet/flaws';
import { figureColumns, mappedByHand } from './anySheet/figures';
import { fromRowsParameters } from './fromRows';
import type { KnownInvoice } from './anySheet/known';
import { oddities } from './anySheet/oddities';
import { tidy } from './anySheet/tidy';

/** Oddities about figures are more likely. */
const figures = [...Object.keys(figureColumns), 'openFigures', 'openFigures', 'besideRowTotal'];

export { today } from './anySheet/cells';

/** A sheet with the settings that its author would make, and the expected invoices. */
export interface Sheet {
	kind: SheetChoice['kind'];
	/** Name of its oddity, or `none`. */
	oddity: string;
	headers: string[];
	rows: IDataObject[];
	parameters: INodeParameters;
	/** Whether the node continues on errors. */
	continues: boolean;
	expected: KnownInvoice[];
}

/** Adapts the choices to the kind of sheet. */
function settle(raw: SheetChoice): SheetChoice {
	const tidied = tidy(raw);
	if (raw.kind === 'plain') return { ...tidied, oddity: 'none' };
	if (raw.kind === 'odd') return oddities[raw.oddity](tidied);
	// If everything were odd, the node would never read anything.
	const dice = diceOf(raw.seed ^ 1);
	const some = Object.entries(raw).filter(() => dice.chance(25));
	return { ...tidied, ...(Object.fromEntries(some) as Partial<SheetChoice>), oddity: 'wild' };
}

/** A row as n8n gives it. An empty cell is missing or blank. */
function rowOf(cells: Array<[string, Cell]>, blank: Cell): IDataObject {
	const filled = cells.map(([header, cell]): [string, Cell] => [header, cell ?? blank]);
	return Object.fromEntries(filled.filter(([, cell]) => cell !== undefined));
}

/** A total row, as many sheets have at the end. */
function totalRow(draft: Draft, columns: Column[]): Array<[string, Cell]> {
	const { dice, expected } = draft;
	const place = dice.pick(['itemName', 'itemName', 'invoiceNumber', 'customer', 'nowhere']);
	const word = dice.pick([
		'Total',
		'TOTAL',
		'Total:',
		'Grand Total',
		'Subtotal',
		'Sum',
		'Gesamtbetrag',
		'TOTALE',
		'Total général',
		'Suma',
		'Totaal (EUR)',
	]);
	const sum = expected.reduce((all, { total }) => all + total, 0n);
	const cents = (sum / 1_000_000n) * 1_000_000n;
	return columns.map(({ header, field }): [string, Cell] => {
		if (field === place) return [header, word];
		const isSummed = ['lineTotal', 'amount', 'total', 'unitPrice'].includes(field);
		return [header, isSummed ? draft.money(cents, 8) : undefined];
	});
}

/** An extra row of the first invoice with the sum of the others, named by a word that no list contains. */
function sumRow(draft: Draft, columns: Column[]): Array<[string, Cell]> {
	const { invoice, row, line } = draft.lead;
	const word = draft.dice.pick(['Alles zusammen', 'In all', 'So far', 'Ensemble', '***']);
	return columns.map(({ header, field, cells }): [string, Cell] => {
		if (field === 'itemName') return [header, word];
		if (field === 'quantity') return [header, 1];
		const isSummed = ['lineTotal', 'amount', 'unitPrice'].includes(field);
		return [header, isSummed ? draft.price(invoice.subtotal, 6, line) : cells[row]];
	});
}

/** All rows, including blank rows and totals. */
function rowsOf(draft: Draft, columns: Column[]): IDataObject[] {
	const { choice, dice, lines } = draft;
	const blank = { missing: undefined, empty: '', null: null, spaces: '  ' }[choice.blank];
	const rows = lines.map((line, index) => {
		const isFollowUp = choice.followUps === 'blank' && !line.isLead;
		const cells = columns.map(({ header, isOfInvoice, cells }): [string, Cell] => [
			header,
			isFollowUp && isOfInvoice ? undefined : cells[index],
		]);
		return rowOf(cells, blank);
	});
	for (let count = 0; count < choice.blankRows; count++) {
		const empty = columns.map(({ header }): [string, Cell] => [header, '']);
		rows.splice(dice.int(0, rows.length), 0, dice.pick([{}, rowOf(empty, blank)]));
	}
	if (choice.oddity === 'sumRow') rows.push(rowOf(sumRow(draft, columns), blank));
	const isSummed = choice.oddity.startsWith('totalRow');
	if (isSummed || (choice.kind === 'wild' && dice.chance(5))) {
		rows.push(rowOf(totalRow(draft, columns), blank));
	}
	return rows;
}

/** Writes a sheet for the chosen invoices. */
export function writeSheet(raw: SheetChoice): Sheet {
	const draft = new Draft(settle(raw));
	writeColumns(draft);
	changeCells(draft);
	const { choice, dice, expected, defaults, options } = draft;
	const columns = choice.isShuffled ? dice.shuffle(draft.columns) : draft.columns;
	const groupColumn = draft.find('group')?.header;
	return {
		kind: raw.kind,
		oddity: choice.oddity,
		headers: columns.map(({ header }) => header),
		rows: rowsOf(draft, columns),
		parameters: fromRowsParameters({
			...(choice.oddity === 'wholeRowInNote' && mappedByHand(draft)),
			previewOnly: true,
			matchCustomersBy: choice.matchCustomersBy,
			...(choice.grouping === 'row' && { groupBy: 'row' }),
			...(choice.grouping === 'column' && { groupBy: 'column', groupColumn }),
			...(expected[0].number === undefined && { ifInvoiceNumberExists: 'create' }),
			...(Object.keys(defaults).length > 0 && { defaults }),
			options: { ...options, simplify: false },
		}),
		continues: choice.continues,
		expected,
	};
}

/** Random sheets with the invoices behind them. */
export const anySheet: fc.Arbitrary<Sheet> = anyChoice([
	...Object.keys(oddities),
	...figures,
	...figures,
]).map(writeSheet);
