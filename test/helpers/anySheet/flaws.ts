import { addDays, currencies, dateCell } from './cells';
import { distinct } from './customers';
import type { Cell, Column, Draft } from './draft';
import { writeHeader } from './headers';

type Field = Column['field'];

/** Unreadable cells, by field. */
const unreadable: Partial<Record<Field, Array<string | number>>> = {
	unitPrice: ['n/a', 'TBD', '#REF!', '12.34.56', 'ten', '4 x 20', '?', '12-50'],
	lineTotal: ['n/a', 'TBD', '#VALUE!', '1.2.3', '20 + 4'],
	amount: ['n/a', 'TBD', '#N/A', 'free?', '10/20'],
	quantity: ['two', '?', '1/2', '2 x', '1-2', '#N/A'],
	currency: ['XX', '???', '12', 'EURO?'],
	dueDate: ['TBD', '2027-02-30', '30-Feb-27', 'asap', 'Q1 2027', 2027, '00/00/2026', 'soon'],
	customer: ['unknown', '42', 'not-a-uuid'],
	discount: ['ten percent', '150%', '-5%', 12.5, 'yes'],
};

const isPrice = (field: Field) => ['unitPrice', 'lineTotal', 'amount'].includes(field);

/** Changes the cells of a field in some rows, or in all if there is one price column. */
function setCells(draft: Draft, field: Field, rows: number[], cell: Cell): void {
	const isMeant = (column: Column) =>
		isPrice(field) ? isPrice(column.field) : column.field === field;
	for (const column of draft.columns.filter(isMeant)) {
		for (const row of rows) column.cells[row] = cell;
	}
}

/** A value that contradicts the first invoice, for each field that two columns or rows may repeat. */
function otherCells(draft: Draft): Partial<Record<Field, Cell>> {
	const { invoice, line } = draft.lead;
	const { choice } = draft;
	return {
		customer: distinct.find((one) => one !== invoice.customer)?.id,
		unitPrice: draft.price((line.item.unit ?? 0n) + 1000n, 3, line),
		lineTotal: draft.price(line.item.line + 1_000_000n, 6, line),
		quantity: draft.typed(line.item.quantity + 1000n, 3),
		currency: invoice.currency === 'EUR' ? 'GBP' : 'EUR',
		dueDate: dateCell(addDays(invoice.dueDate, 1), choice.dates, choice.order),
		discount: 55,
	};
}

/** Adds a second column for a field. It may differ in one row. */
function addSecond(draft: Draft, isOther: boolean): void {
	const { dice, headers, columns, choice } = draft;
	const { invoice, row } = draft.lead;
	const others = otherCells(draft);
	const fields = (Object.keys(others) as Field[]).filter((field) => draft.find(field));
	const field = dice.pick(fields) as keyof typeof others & Parameters<typeof headers.of>[0];
	const column = draft.find(field);
	if (!column) return;
	// The same header in another case, or another header of the field.
	const twin = dice.pick([writeHeader(column.header, 'dashed'), `${column.header} `]);
	const isTwin = choice.oddity.startsWith('sameHeader') && twin !== column.header;
	const cells = [...column.cells];
	columns.push({ ...column, header: isTwin ? twin : headers.of(field), cells });
	if (!isOther) return;
	// An empty cell is no contradiction.
	if (field === 'quantity') column.cells[row] ??= 1;
	if (field === 'discount') column.cells[row] ??= 0;
	cells[row] = others[field];
	draft.flaw(invoice, `two columns that differ in ${field}`);
}

/** Changes that oddities make to finished cells. */
const changes: Record<string, (draft: Draft) => void> = {
	wrongLineTotal(draft) {
		const { invoice, row, line } = draft.lead;
		const column = draft.find('lineTotal', 'amount');
		const off = draft.dice.pick([10_000n, 1_000_000n, -10_000n]);
		if (column) column.cells[row] = draft.price(line.item.line + off, 6, line);
		draft.flaw(invoice, 'a line total that does not agree');
	},
	contradictingSign(draft) {
		const { invoice, row } = draft.lead;
		const column = draft.find('unitPrice', 'lineTotal', 'amount');
		const { sign } = currencies[invoice.currency === 'EUR' ? 'GBP' : 'EUR'];
		const other = (cell: Cell) => String(cell).replace(/[^\d.,()\s'’-]+/, sign);
		if (column) column.cells[row] = other(column.cells[row]);
		draft.flaw(invoice, 'a sign of another currency');
	},
	nameOfAnother(draft) {
		const { invoice, row } = draft.lead;
		const column = draft.find('customer');
		const another = distinct.find((one) => one !== invoice.customer);
		if (column) column.cells[row] = another?.name;
		draft.flaw(invoice, 'a name and an e-mail of two customers');
	},
	contradictingRows(draft) {
		const { invoice } = draft.lead;
		const row = draft.lines.findIndex((line) => line.invoice === invoice && !line.isLead);
		const field = draft.dice.pick(['customer', 'currency', 'dueDate'] as const);
		setCells(draft, field, [row], otherCells(draft)[field]);
		draft.flaw(invoice, `rows that differ in ${field}`);
	},
	missingCell(draft) {
		const { invoice, row } = draft.lead;
		const fields = ['currency', 'dueDate', 'customer', 'itemName', 'unitPrice'] as const;
		const field = draft.dice.pick(fields);
		const all = draft.lines.flatMap((line, index) => (line.invoice === invoice ? [index] : []));
		const isOfRow = field === 'itemName' || field === 'unitPrice';
		setCells(draft, field, isOfRow ? [row] : all, undefined);
		draft.flaw(invoice, `no ${field}`);
	},
	unreadableCell(draft) {
		const { invoice, row } = draft.lead;
		const fields = (Object.keys(unreadable) as Field[]).filter((field) => draft.find(field));
		const field = draft.dice.pick(fields);
		const cell = draft.dice.pick(unreadable[field] ?? []);
		setCells(draft, field, [row], cell);
		draft.flaw(invoice, `"${cell}" as ${field}`);
	},
	secondColumn: (draft) => addSecond(draft, false),
	sameHeader: (draft) => addSecond(draft, false),
	secondColumnDiffers: (draft) => addSecond(draft, true),
	sameHeaderDiffers: (draft) => addSecond(draft, true),
	smallestUnit(draft) {
		const column = draft.find('unitPrice');
		const units = ['(cents)', '(in cents)', '(in thousands)', '(per 100)'];
		if (column) column.header = `${column.header} ${draft.dice.pick(units)}`;
		draft.flawAll('amounts in another unit than the currency');
	},
	currencyInHeader(draft) {
		const column = draft.find('unitPrice');
		const [{ currency }] = draft.expected;
		if (column) column.header = `${column.header} (${currency})`;
		for (const invoice of draft.expected) {
			if (invoice.currency !== currency) draft.flaw(invoice, 'another currency in the header');
		}
	},
	otherCurrencyInHeader(draft) {
		const column = draft.find('unitPrice');
		if (column) column.header = `${column.header} (NZD)`;
		draft.flawAll('another currency in the header');
	},
	byteOrderMark(draft) {
		draft.columns[0].header = `\ufeff${draft.columns[0].header}`;
	},
	thousandOrThousandth(draft) {
		if (draft.texts.some((text) => text.includes(','))) {
			draft.flawAll('a comma that may be either');
		}
	},
};
changes.wrongAmountBesidePrice = changes.wrongLineTotal;

/** Applies the oddity of the sheet to its cells. */
export const changeCells = (draft: Draft): void => changes[draft.choice.oddity]?.(draft);
