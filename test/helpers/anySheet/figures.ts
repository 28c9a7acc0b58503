import type { Cell, Column, Draft } from './draft';
import { mapping } from '../fromRows';
import { moneyHeaders } from './headers';

/** Money words that no header list contains. */
const words = [
	...['Materials', 'Pages', 'Pax', 'Setup', 'Blue', 'Zusatz', 'Aufwand', 'Nacht', 'Kilos', 'Words'],
	...['Fittings', 'Courses', 'Miles', 'Saturday', 'Kits', 'Anfahrt', 'Repas', 'Litros', 'Extra'],
	...['Adults', 'Night shift', 'Stairs', 'On site', 'Weekend', 'Öre', 'Bultos'],
];

/** Numbers that are neither a price nor a quantity in these sheets. */
const figures: Cell[] = [37.5, '37.50', '€ 41', '43 pcs', '37%', 1741, '2 x 37.00', '41 sessions', '37 rolls', 'ca. 37', '37,-', '٣٧']; // prettier-ignore
const nested: Cell[] = [
	'{"price": 37}',
	'[{"Description":"Extra","Amount":"37.00"}]',
	'{"a":{"b":[37]}}',
];

/** Measures, which nobody pays directly, and possible extra charges. */
const measures = ['Length (min)', 'Weight (kg)', 'Temperature (°C)', 'Notice (months)'];
const moreQuantities = ['Overtime Hours', 'Extra guests', 'Additional nights', 'Spare pieces'];

const header = ({ headers }: Draft, names = words) => headers.take(names) ?? 'Materials';

/** Adds a column of unexplained numbers. At least one row has one. */
function addFigures(draft: Draft, cells: Cell[], names = words): Column {
	const { dice, lines } = draft;
	const certain = dice.int(0, lines.length - 1);
	const blank: Cell[] = [undefined, undefined, 'n/a', '-', 0];
	const all = dice.chance(50);
	return draft.add('extra', header(draft, names), (line) =>
		all || line === lines[certain] ? dice.pick(cells) : dice.pick(blank),
	);
}

const addTotal = (draft: Draft, names: string[]) =>
	draft.add('total', header(draft, names), (line) => draft.price(line.invoice.total, 8, line));

/** Columns of numbers that belong to no field. */
export const figureColumns: Record<string, (draft: Draft) => void> = {
	openFigures(draft) {
		addFigures(draft, figures);
		draft.flawAll('figures that nobody accounts for');
	},
	nestedFigures(draft) {
		addFigures(draft, nested);
		draft.flawAll('figures inside an object');
	},
	figureLikePrice(draft) {
		const [line] = draft.lines;
		draft.add('extra', header(draft), () => draft.price(line.item.unit ?? 0n, 3, line));
		if (line.item.unit !== 0n) draft.flawAll('figures that equal the price by chance');
	},
	/** `Rate, Total, Late Fee`: Total belongs to the row. */
	besideRowTotal(draft) {
		addTotal(draft, ['Total']);
		addFigures(draft, figures);
		draft.flawAll('figures beside the total of each row');
	},
	moneyBesideTotal(draft) {
		addTotal(draft, ['Invoice Total', 'Grand Total']);
		const money = moneyHeaders.filter((name) => !/total|%|rate/i.test(name));
		const column = addFigures(draft, [37.5, '37.50', 1741], money);
		draft.flawAll(`"${column.header}" beside a total`);
	},
	besideInvoiceTotal(draft) {
		addTotal(draft, ['Invoice Total', 'Grand Total']);
		addFigures(draft, figures);
	},
	waivedFigures(draft) {
		const { header: name } = addFigures(draft, [...figures, ...nested]);
		const before = (draft.options.ignoreColumns ?? []) as string[];
		const list = [...before, name.trim()];
		draft.options.ignoreColumns = draft.dice.chance(50) ? list : [list.join(', ')];
	},
	/** An expression that could use any column, but uses none. */
	wholeRowInNote(draft) {
		addFigures(draft, figures);
		draft.flawAll('figures that only an expression for the note sees');
	},
	measureWithoutLines(draft) {
		addFigures(draft, [37, 37.5, 41], measures);
		draft.flawAll('measures that may be quantities');
	},
	quantityBesideLines(draft) {
		addFigures(draft, [37, 41, 43], moreQuantities);
		draft.flawAll('quantities of something else');
	},
	measureBesideLines(draft) {
		addFigures(draft, [37, 37.5, 41], measures);
	},
	/** The line totals show which column is the quantity. */
	unnamedQuantity(draft) {
		const column = draft.find('quantity');
		if (column) column.header = header(draft);
	},
	sumRow(draft) {
		draft.flaw(draft.lead.invoice, 'a row with the sum of the others');
	},
	notBilled(draft) {
		const { dice, lines } = draft;
		const [certain] = lines;
		const said = dice.pick(['void', 'Cancelled', 'Paid', 'storniert', 'Payé', 'Credit memo']);
		draft.add('extra', header(draft, ['State', 'Phase', 'Stage', 'Process']), (line) =>
			line === certain ? said : dice.pick(['open', 'draft', undefined]),
		);
		draft.flaw(certain.invoice, `a row that says ${said}`);
	},
};

const parameterOf: Partial<Record<Column['field'], string>> = {
	...{ invoiceNumber: 'invoiceNumber', customer: 'customerId', customerEmail: 'customerEmail' },
	...{
		itemName: 'itemName',
		unitPrice: 'itemAmount',
		lineTotal: 'itemTotal',
		currency: 'currency',
	},
	...{ quantity: 'itemQuantity', dueDate: 'dueDate', terms: 'terms', invoiceDate: 'invoiceDate' },
	...{ title: 'title', discount: 'discountPercentage' },
};

/** Columns mapped by hand, with a note made from the whole row. */
export const mappedByHand = ({ columns }: Draft) =>
	mapping({
		...Object.fromEntries(
			columns.flatMap(({ field, header: name }) => {
				const parameter = parameterOf[field];
				return parameter ? [[parameter, `={{ $json[${JSON.stringify(name)}] }}`]] : [];
			}),
		),
		note: '={{ Object.keys($json).length }}',
	});
