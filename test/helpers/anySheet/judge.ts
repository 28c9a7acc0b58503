import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';
import type { Sheet } from '../anySheet';
import { decimalText, unitsOf } from './cells';
import type { KnownInvoice, KnownItem } from './known';

/** The invoices that the node would create, and its error. With Continue there can be both. */
export interface Outcome {
	invoices: IDataObject[];
	error?: string;
}

/** With Continue, failed invoices are items too. */
export function outcomeOf(json: IDataObject[]): Outcome {
	const failed = json.find(({ error }) => error !== undefined);
	return {
		invoices: json.filter(({ action, error }) => action !== undefined && error === undefined),
		...(failed && { error: String(failed.error) }),
	};
}

interface ShownItem {
	name: string;
	amount: string;
	quantity: number;
}

/** Whether the node's item has the price and name of the sheet's item. */
function isItem({ name, amount, quantity }: ShownItem, known: KnownItem): boolean {
	const costs = unitsOf(String(amount), 3) * BigInt(quantity) * 1000n;
	if (costs !== known.line) return false;
	const isWhole = known.quantity % 1000n === 0n;
	const isCounted = isWhole && known.unit !== undefined;
	if (isCounted && BigInt(quantity) * 1000n !== known.quantity) return false;
	return known.names.some((one) => (isWhole ? name === one : name.startsWith(one)));
}

/** Whether the node's invoice matches the sheet's. Throws a RangeError if an amount is not a decimal. */
function isInvoice(shown: IDataObject, known: KnownInvoice): boolean {
	const { customer, items } = shown as { customer: { id?: string }; items: ShownItem[] };
	return (
		(shown.invoice_number as string | undefined)?.normalize('NFC') === known.number &&
		customer.id?.toLowerCase() === known.customer.id &&
		shown.currency === known.currency &&
		shown.due_date === known.dueDate &&
		unitsOf(String(shown.total), 8) === known.total &&
		unitsOf(String(shown.subtotal), 8) === known.subtotal * 100n &&
		unitsOf(String(shown.discount), 8) === known.subtotal * BigInt(known.discount) &&
		items.length === known.items.length &&
		items.every((item, index) => isItem(item, known.items[index]))
	);
}

/** The first match among the remaining invoices of the sheet. */
function find(shown: IDataObject, left: KnownInvoice[]): KnownInvoice | undefined {
	try {
		const index = left.findIndex((known) => isInvoice(shown, known));
		return index < 0 ? undefined : left.splice(index, 1)[0];
	} catch {
		return undefined;
	}
}

/**
 * The problem with an outcome, if any. The node must give an error or all invoices. Beside an error, with Continue, it may bill only
 * correct invoices. It must never bill an invoice with a flaw, and must always bill a plain sheet.
 */
export function faultIn(sheet: Sheet, { invoices, error }: Outcome): string | undefined {
	const left = [...sheet.expected];
	for (const shown of invoices) {
		const known = find(shown, left);
		if (!known) return `billed what is not in the sheet: ${shownText(shown)}`;
		if (known.flaw) return `billed in spite of ${known.flaw}: ${shownText(shown)}`;
	}
	if (error === undefined && left.length) {
		return `neither billed nor refused: ${left.map(knownText).join('; ')}`;
	}
	const isRefused = error !== undefined && sheet.kind === 'plain';
	return isRefused ? `did not read a plain sheet: ${error}` : undefined;
}

const itemText = ({ names: [name], quantity, line }: KnownItem) =>
	`${decimalText(quantity, 3)} ${name} = ${decimalText(line, 6, 2)}`;

export function knownText(known: KnownInvoice): string {
	const { number = '-', customer, currency, dueDate, discount, items, flaw } = known;
	return [
		`${number}: ${customer.name} pays ${currency} ${decimalText(known.total, 8, 2)} by ${dueDate}`,
		`(${items.map(itemText).join(', ')}${discount ? `, less ${discount}%` : ''})`,
		flaw ? `never, because of ${flaw}` : '',
	].join(' ');
}

function shownText(shown: IDataObject): string {
	const { invoice_number: number = '-', customer, currency, total, due_date: due } = shown;
	const items = (shown.items as ShownItem[] | undefined) ?? [];
	const lines = items.map(({ name, amount, quantity }) => `${quantity} x ${amount} ${name}`);
	return `${String(number)}: ${JSON.stringify(customer)} pays ${String(currency)} ${String(total)} by ${String(due)} (${lines.join(', ')})`;
}

/** The sheet as a table (text in quotes, numbers without), its settings, the expected invoices and the outcome. */
export function describeSheet(sheet: Sheet, outcome: Outcome): string {
	const { rows, headers, parameters, continues, kind, oddity, expected } = sheet;
	const { groupBy, groupColumn, defaults, options: all } = parameters as IDataObject;
	const { customerList, ...rest } = (all ?? {}) as IDataObject;
	const options = customerList ? { ...rest, customerList: '…' } : rest;
	const table = new Table({ head: headers, style: { head: [], border: [] } });
	table.push(
		...rows.map((row) =>
			headers.map((header) => (header in row ? JSON.stringify(row[header]) : '')),
		),
	);
	return [
		`A ${kind} sheet (${oddity}):`,
		table.toString(),
		`Settings: ${JSON.stringify({ groupBy, groupColumn, defaults, options })}${continues ? ', with Continue' : ''}`,
		'In the sheet:',
		...expected.map((known) => `  ${knownText(known)}`),
		'From the node:',
		...outcome.invoices.map((shown) => `  ${shownText(shown)}`),
		...(outcome.error === undefined ? [] : [`  Error: ${outcome.error}`]),
	].join('\n');
}
