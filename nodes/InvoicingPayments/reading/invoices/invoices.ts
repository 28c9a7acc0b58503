import { addDays } from '../../../shared/fields/dates';
import { capitalize, quote, withoutEnd } from '../../../shared/fields/text';
import type { Checked, Parsed } from '../../../shared/result';
import { notRead, notValid, ok } from '../../../shared/result';
import { comparableNumber } from '../../invoices/comparableNumber';
import type { InvoiceBody } from '../../invoices/invoiceRequest';
import type { CountedItem } from '../../invoices/items';
import { toItem } from '../../invoices/items';
import type { CustomerMatch, CustomerResult, SheetField, Sums } from '../columns';
import { discountAdvice, sheetField, sheetFields, sumsOf, wordFields } from '../columns';
import { currenciesOf, decimalsOf, isCertainCurrency, problemText, rowsLabel } from '../cells';
import type { CellProblem } from '../cells';
import type { Row } from '../rows';

/** The invoice made from a group of rows, with its problems. It lacks fields whose cells have problems. */
export interface Draft {
	readonly rows: readonly Row[];
	/** The request (spec 4.1). */
	readonly body: Record<string, unknown>;
	/** The items of the request, with the counts that it appends to their names apart. */
	readonly items?: readonly CountedItem[];
	readonly sums?: Sums;
	readonly match?: CustomerMatch;
	readonly cellProblems: readonly CellProblem[];
	readonly problems: readonly string[];
	/** Days until the due date, if counted from today. */
	readonly dueInDays?: number;
}

/** Whom each row is billed to, as far as it was found. */
export const customersOf = (drafts: readonly Draft[]): Map<Row, unknown> =>
	new Map(drafts.flatMap(({ rows, body }) => rows.map((row) => [row, body.customer] as const)));

/** An invoice that can be sent. */
export interface ReadyDraft extends Draft {
	readonly body: InvoiceBody & Record<string, unknown>;
	readonly items: readonly CountedItem[];
	readonly sums: Sums;
}

export const isReady = <D extends Draft>(draft: D): draft is D & ReadyDraft =>
	draft.sums !== undefined && draft.problems.length === 0 && draft.cellProblems.length === 0;

export interface InvoiceSettings {
	defaults: { currency?: string; customerId?: string; dueInDays?: number };
	/** YYYY-MM-DD */
	today: string;
	/** Whether each invoice needs a number that the sheet must have. */
	needsNumber: boolean;
	/** The number of the invoice that an earlier run made of the row. */
	billedAs(row: Row): string | undefined;
	customerOf(row: Row): CustomerResult | undefined;
	missingCustomer(text: string): string;
}

/** Of the texts that an invoice carries only if its rows agree, those in which they differ. */
export const differingTexts = (rows: readonly Row[]): string[] =>
	wordFields
		.map(sheetField)
		.filter((field) => !sharedValue(rows, field).ok)
		.map(({ displayName }) => displayName);

/** Makes the invoice of a group of rows. */
export function draftOf(rows: readonly Row[], settings: InvoiceSettings): Draft {
	const { body, problems, dueInDays, match } = fieldsOf(rows, settings);
	const billedAs = settings.billedAs(rows[0]);
	if (billedAs !== undefined) body.invoice_number ??= billedAs;
	const empty = problems.length ? [] : emptyFields(rows, body, settings);
	const cellProblems = [
		...rows.flatMap((row) => row.problems),
		...empty.map((text) => ({ row: rows[0].number, text })),
	];
	problems.push(...discountProblems(rows));
	const draft = { rows, body, cellProblems, problems, match, dueInDays };
	if (rows.some(({ items }) => items === undefined)) return draft;
	const items = rows.flatMap((row) => row.items ?? []);
	body.items = items.map(toItem);
	problems.push(...fractionProblems(rows, body.currency));
	const sums = sumsOf(items, (body.discount_percentage as number | undefined) ?? 0);
	if (/^-?\d{11}/.test(sums.subtotal))
		problems.push(
			`${capitalize(rowsLabel(rows))}: the items come to ${sums.subtotal}, more than the 10 digits that the service accepts`,
		);
	if (sums.total.startsWith('-'))
		problems.push(
			`${capitalize(rowsLabel(rows))}: the items come to ${sums.total}, and the service has no invoices below 0. Correct the amounts, or leave the ${rowsLabel(rows).split(' ')[0]} out`,
		);
	return { ...draft, items, sums };
}

/** What people read if a field is missing altogether. */
const whenEmpty: Record<string, string> = {
	customerId: ". Fill in the cell, or set 'Default Customer' under 'Defaults for Empty Cells'",
	currency: ". Fill in the cell, or set 'Default Currency' under 'Defaults for Empty Cells'",
	dueDate: ". Fill in the cell, or set 'Due in Days' under 'Defaults for Empty Cells'",
	invoiceNumber:
		", but 'If Invoice Number Exists' needs it. Fill in the cell, or choose 'Create Anyway'",
};

/** Fields that an invoice needs and no row has. Cells with problems are reported already. */
const emptyFields = (
	rows: readonly Row[],
	body: Draft['body'],
	{ needsNumber }: InvoiceSettings,
): string[] =>
	['customerId', 'currency', 'dueDate', ...(needsNumber ? ['invoiceNumber'] : [])]
		.map(sheetField)
		.filter(({ property = '' }) => body[property] === undefined)
		.filter(({ name }) => !rows.some(({ invalid }) => invalid.has(name)))
		.map(({ name, displayName }) => `${displayName} is empty${whenEmpty[name]}`);

function fieldsOf(rows: readonly Row[], settings: InvoiceSettings) {
	const customer = customerOf(rows, settings);
	const currency = currencyOf(rows, settings.defaults.currency);
	const due = dueDateOf(rows, settings);
	// The customer comes first, as in the panel.
	const body: Record<string, unknown> = { customer: customer.ok ? customer.value.id : undefined };
	const problems: string[] = [];
	for (const field of sheetFields) {
		const { name, property, isOfItem } = field;
		if (isOfItem || !property || ['currency', 'dueDate', 'customerId'].includes(name)) continue;
		const shared = sharedValue(rows, field);
		if (shared.ok) body[property] = shared.value;
		else if (!wordFields.includes(name)) problems.push(shared.problem);
	}
	if (!customer.ok) problems.push(customer.problem);
	if (currency.ok) body.currency = currency.value;
	else problems.push(`${capitalize(rowsLabel(rows))}: ${currency.problem}`);
	if (!due.ok) problems.push(...due.problems);
	else body.due_date = due.value.date;
	return {
		body: withoutUndefined(body),
		problems,
		dueInDays: due.ok ? due.value.inDays : undefined,
		match: customer.ok ? customer.value.match : undefined,
	};
}

const withoutUndefined = (body: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

function customerOf(
	rows: readonly Row[],
	{ customerOf: find, defaults, missingCustomer }: InvoiceSettings,
): Parsed<{ id?: string; match?: CustomerMatch }> {
	const found = rows.flatMap((row) => {
		const result = find(row);
		return result ? [{ row, result }] : [];
	});
	const [first] = found as Array<(typeof found)[0] | undefined>;
	if (!first) return ok({ id: defaults.customerId });
	for (const { row, result } of found) {
		const label = `Row ${row.number}: Customer: `;
		if (result.kind === 'missing') return notRead(`${label}${missingCustomer(result.text)}`);
		if (result.kind === 'unclear') return notRead(`${label}${result.problem}`);
	}
	const idOf = ({ result }: (typeof found)[0]) =>
		result.kind === 'found' ? result.id.toLowerCase() : '';
	const other = found.find((one) => idOf(one) !== idOf(first));
	const { result } = first;
	if (!other) return ok(result.kind === 'found' ? result : {});
	const texts = [first, other].map(({ row }) => quote(row.customers[0].text)).join(' and ');
	return notRead(
		`Rows ${first.row.number} and ${other.row.number} belong to one invoice but differ in Customer: ${texts}. Enter the same customer, or change how rows become invoices in the reading`,
	);
}

/** A discount in only some rows is probably meant for those rows, but the service applies it to the whole invoice. */
function discountProblems(rows: readonly Row[]): string[] {
	const discounted = rows.filter(({ values }) => values.has('discountPercentage'));
	const isZero = discounted.every(({ values }) => values.get('discountPercentage') === 0);
	if (discounted.length === 0 || discounted.length === rows.length || isZero) return [];
	if (rows.some(({ invalid }) => invalid.has('discountPercentage'))) return [];
	const text = `${capitalize(rowsLabel(rows))} form one invoice, but only ${rowsLabel(discounted)} ${discounted.length === 1 ? 'has' : 'have'} a Discount Percentage. The discount is for the whole invoice: enter it in all of its rows, or in none`;
	return [text];
}

/** A fractional quantity or a discount may lead to an amount that the currency cannot express. Nothing is rounded. */
function fractionProblems(rows: readonly Row[], currency: unknown): string[] {
	if (typeof currency !== 'string') return [];
	const decimals = decimalsOf(currency);
	return rows.flatMap(({ items = [], values, number }) => {
		if (items.length === 0) return [];
		const [{ amount, count }] = items;
		const [, digits = ''] = withoutEnd(amount, '0').split('.');
		const isStated = String(values.get('itemTotal')) === amount;
		if (count === undefined || isStated || digits.length <= decimals) return [];
		const advice = values.has('itemTotal')
			? discountAdvice
			: 'Add a Line Total column with the amount to bill';
		return [
			`Row ${number}: ${count} is ${amount}, but ${currency} has ${decimals} decimals. ${advice}`,
		];
	});
}

/** The value that the rows of an invoice share. A problem names two rows that differ. */
function sharedValue(rows: readonly Row[], { name, displayName }: SheetField): Parsed<unknown> {
	const filled = rows.filter(({ values }) => values.has(name));
	const [first] = filled;
	const value = first?.values.get(name);
	const shown = (one: unknown) => JSON.stringify(one)?.normalize('NFC');
	const other = filled.find(({ values }) => shown(values.get(name)) !== shown(value));
	if (!other) return ok(value);
	const problem = `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}. Enter the same, or change how rows become invoices in the reading`;
	return notRead(problem);
}

/** The invoice's currency: from its column, else the only one that all signs beside amounts allow, else the default. */
export function currencyOf(rows: readonly Row[], fallback?: string): Parsed<string | undefined> {
	const shared = sharedValue(rows, sheetField('currency'));
	if (!shared.ok) return shared;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return ok(undefined);
	const written = rows.flatMap((row) =>
		row.currencies.map((text) => ({ row: rowsLabel([row]), text, codes: currenciesOf(text) })),
	);
	const certain = written.filter(({ text }) => isCertainCurrency(text));
	const [first] = certain as Array<(typeof certain)[0] | undefined>;
	const possible =
		first?.codes.filter((code) => certain.every(({ codes }) => codes.includes(code))) ?? [];
	if (shared.value === undefined && first && possible.length === 0) {
		const other = certain.find(({ codes }) => !codes.some((code) => first.codes.includes(code)));
		const problem = `Currency differs: ${first.row} says ${quote(first.text)}, ${(other ?? first).row} says ${quote(other?.text)}. An invoice has one currency`;
		return notRead(problem);
	}
	const only = possible.length === 1 ? possible[0] : undefined;
	const currency = (shared.value as string | undefined) ?? only ?? fallback;
	if (currency === undefined) {
		if (!first) return ok(undefined);
		const problem = `Currency is empty, and ${quote(first.text)} can mean ${possible.slice(0, 5).join(', ')}. Add a Currency column, or set 'Default Currency' under 'Defaults for Empty Cells'`;
		return notRead(problem);
	}
	const other = written.find(({ codes }) => !codes.includes(currency));
	if (!other) return ok(currency);
	const problem = `Currency is ${currency}, but an amount in ${other.row} says ${quote(other.text)}. Enter the same in both`;
	return notRead(problem);
}

/** From the Due Date column, else terms after the invoice date (or today), else the default. `inDays`: set if counted from today. */
function dueDateOf(
	rows: readonly Row[],
	{ defaults: { dueInDays }, today }: InvoiceSettings,
): Checked<{ date?: string; inDays?: number }> {
	const fromToday = (inDays: number) => ok({ date: addDays(today, inDays), inDays });
	const shared = sharedValue(rows, sheetField('dueDate'));
	if (!shared.ok) return notValid([shared.problem]);
	if (shared.value !== undefined) return ok({ date: shared.value as string });
	if (rows.some(({ invalid }) => invalid.has('dueDate'))) return ok({});
	const terms = deferredValue(rows, 'terms');
	if (!terms.ok) return terms;
	if (terms.value === undefined) return dueInDays === undefined ? ok({}) : fromToday(dueInDays);
	const start = deferredValue(rows, 'invoiceDate');
	if (!start.ok) return start;
	if (start.value === undefined) return fromToday(terms.value as number);
	return ok({ date: addDays(start.value as string, terms.value as number) });
}

/** The value of a column whose cell problems count only now that it is needed. */
function deferredValue(rows: readonly Row[], name: string): Checked<unknown> {
	const problems = rows.flatMap((row) => row.deferred.get(name) ?? []);
	if (problems.length) return notValid(problems.map(problemText));
	const shared = sharedValue(rows, sheetField(name));
	return shared.ok ? shared : notValid([shared.problem]);
}

/** Invoices whose numbers the service could take for one. */
export function withNumberProblems(drafts: Draft[], isFoundByNumber: boolean): Draft[] {
	const first = new Map<string, Draft>();
	const problems = new Map<Draft, string>();
	for (const draft of drafts) {
		const number = draft.body.invoice_number;
		if (typeof number !== 'string') continue;
		const key = comparableNumber(number);
		const other = first.get(key);
		if (!other) first.set(key, draft);
		else if (String(other.body.invoice_number).normalize('NFC') !== number.normalize('NFC')) {
			const problem = `Invoice Number ${quote(number)} in ${rowsLabel(draft.rows)} and ${quote(other.body.invoice_number)} in ${rowsLabel(other.rows)} differ only in case or spaces. Write both alike, or give one another number`;
			problems.set(draft, problem).set(other, problem);
		} else if (isFoundByNumber) {
			const problem = `${capitalize(rowsLabel(draft.rows))}: Invoice Number ${quote(number)} is also used by another invoice (${rowsLabel(other.rows)}). Use a different number for each, or make the reading say "one invoice per Invoice Number"`;
			problems.set(draft, problem);
		}
	}
	return drafts.map((draft) => {
		const problem = problems.get(draft);
		return problem === undefined ? draft : withProblem(draft, problem);
	});
}

export const withProblem = (draft: Draft, problem: string): Draft => ({
	...draft,
	problems: [...draft.problems, problem],
});
