import { addTo } from '../../../shared/addTo';
import type { Column, Profile, Roles } from '../columns';
import type { Draft, InvoiceSettings } from './invoices';
import { currencyOf, withProblem } from './invoices';
import { hasWord } from '../table';
import type { Row } from '../rows';
import type { Grouping } from '../statements';

/** How rows become invoices, with the count of another way if it makes a difference. */
export interface Grouped {
	grouping: Grouping;
	groups: Row[][];
	other?: number;
}

/** By what a person has said, else by number, else by an ID that repeats in neighbouring rows of one customer, else by customer. */
export function* groupingOf(
	rows: readonly Row[],
	roles: Roles,
	profile: Profile,
	{
		settings,
		form: { said, hasNumbers, isSideBySide },
	}: {
		settings: InvoiceSettings;
		form: { said?: Grouping; hasNumbers: boolean; isSideBySide: boolean };
	},
): Generator<void, Grouped> {
	const by = (grouping: Grouping): Grouped => {
		const column = columnOf(grouping, profile);
		const groups = new Map<string, Row[]>();
		// Without a key, a row stays alone. A line break cannot occur in a key.
		for (const row of rows)
			addTo(groups, keyOf(row, grouping, column, settings) ?? `\n${row.line.index}`, row);
		return { grouping, groups: [...groups.values()] };
	};
	if (said) return by(said);
	if (hasNumbers) return by({ by: 'invoiceNumber' });
	if (isSideBySide) return by({ by: 'row' });
	yield;
	const byCustomer = by({ by: 'customer' });
	yield;
	const used = new Set([...roles.fields.values()].flat());
	let id: Column | undefined;
	for (const column of profile.columns) {
		if (used.has(column) || !hasWord(column.header, 'identifiers')) continue;
		yield;
		if (!isInvoiceId(column, rows, settings)) continue;
		id = column;
		break;
	}
	const chosen = id ? by({ by: 'column', header: id.header }) : byCustomer;
	const count = chosen.groups.length;
	const others = [byCustomer.groups.length, new Set(rows.map(({ line }) => line.index)).size];
	return { ...chosen, other: others.find((other) => other !== count) };
}

/** What rows of one invoice have in common. */
function keyOf(
	row: Row,
	grouping: Grouping,
	column: Column | undefined,
	settings: InvoiceSettings,
): string | undefined {
	// A new row is not added to an invoice that exists.
	const number = settings.billedAs(row);
	if (number !== undefined) return `\n${number}`;
	if (grouping.by === 'all') return 'all';
	if (grouping.by === 'invoiceNumber')
		return (row.values.get('invoiceNumber') as string | undefined)?.normalize('NFC');
	if (grouping.by === 'customer') return customerKey(row, settings);
	return column?.looks[row.at]?.text.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase();
}

const columnOf = (grouping: Grouping, { byHeader }: Profile) =>
	grouping.by === 'column' ? byHeader.get(grouping.header) : undefined;

/** The customer who is found, else what the row calls them. */
function ownerOf(row: Row, { customerOf }: InvoiceSettings): string | undefined {
	const found = customerOf(row);
	return found?.kind === 'found' ? found.id : row.customers[0]?.text;
}

/** Equal for rows of the same customer, currency and due date. */
function customerKey(row: Row, settings: InvoiceSettings): string | undefined {
	const { values, invalid } = row;
	const { defaults } = settings;
	const customer = ownerOf(row, settings) ?? defaults.customerId;
	if (customer === undefined) return undefined;
	const terms = values.get('terms');
	const due =
		values.get('dueDate') ?? (terms === undefined ? '' : [values.get('invoiceDate'), terms]);
	return JSON.stringify([
		...[customer.toLowerCase(), currencyOf([row], defaults.currency), due],
		...[values.get('discountPercentage') ?? 0, invalid.has('dueDate') ? row.line.index : ''],
	]);
}

/** Whether each value of a column stands in neighbouring rows of one customer, and some customer has several. */
function isInvoiceId(column: Column, rows: readonly Row[], settings: InvoiceSettings): boolean {
	if (!column.is('text', 'number', 'id')) return false;
	const texts = rows.map(({ at }) => column.looks[at]?.text ?? '');
	const count = new Set(texts).size;
	// Weeks, ages and sprints repeat as well.
	const areShort = texts.every((text) => /^\d{0,2}$/.test(text));
	if (texts.includes('') || count === texts.length || count < 2 || areShort) return false;
	const owners = new Map<string, string>();
	const areNeighbours = rows.every((row, index) => {
		const owner = ownerOf(row, settings);
		// The rows of a default customer are one list.
		if (owner === undefined) return false;
		const isNew = texts[index - 1] !== texts[index];
		const isSame = isNew ? !owners.has(texts[index]) : owners.get(texts[index]) === owner;
		owners.set(texts[index], owner);
		return isSame;
	});
	return areNeighbours && new Set(owners.values()).size < count;
}

/** Rows that the column of the reading assigns to no invoice. */
export const withoutKey = (drafts: Draft[], grouping: Grouping, profile: Profile): Draft[] =>
	drafts.map((draft) => {
		const column = columnOf(grouping, profile);
		const lone = column && draft.rows.find(({ at }) => !column.looks[at]);
		if (!lone) return draft;
		const text = `Row ${lone.number}: ${column.header} is empty, so the row belongs to no invoice. Fill in the cell, or change 'one invoice per ${column.header}' in the reading`;
		return withProblem(draft, text);
	});

/** A row without a number may belong to a neighbouring invoice, which must then not be sent without it. */
export function withNeighbours(drafts: Draft[], { needsNumber }: InvoiceSettings): Draft[] {
	if (!needsNumber) return drafts;
	const isNumbered = ({ rows }: Draft) =>
		rows.some(({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'));
	const inOrder = [...drafts].sort((a, b) => a.rows[0].at - b.rows[0].at);
	const places = new Map(inOrder.map((draft, at) => [draft, at]));
	return drafts.map((draft) => {
		const at = places.get(draft) ?? 0;
		const beside = [inOrder[at - 1], inOrder[at + 1]] as Array<Draft | undefined>;
		const lone = isNumbered(draft) ? beside.find((one) => one && !isNumbered(one)) : undefined;
		if (!lone) return draft;
		const problem = `Row ${lone.rows[0].number} has no invoice number and may be a part of this invoice. Fill it in first`;
		return withProblem(draft, problem);
	});
}
