import type { IDataObject } from 'n8n-workflow';
import type { Parsed } from '../../shared/fields/text';
import { capitalize, quote } from '../../shared/fields/text';
import type { Operation, OperationRequest } from '../execution/operation';
import { policyOf } from '../execution/operation';
import type { InvoiceRequest } from '../invoices/invoiceRequest';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { InvoiceItem } from '../invoices/items';
import type { Sums } from './amounts';
import { sumsOf } from './amounts';
import { currenciesOf, decimalsOf, isCertainCurrency } from './currencies';
import type { Group } from './groups';
import type { CellProblem } from './problems';
import { problemText, rowsLabel } from './problems';
import type { RowField } from './rowFields';
import { rowField, rowFields } from './rowFields';
import type { CustomerMatch, Row } from './rows';
import type { RowSettings } from './rowSettings';
import { toThousandths } from './scales';

/** The invoice made from a group of rows, with its problems. It lacks fields whose cells have problems. */
export interface Draft {
	readonly rows: readonly Row[];
	readonly body: IDataObject;
	readonly sums?: Sums;
	readonly match?: CustomerMatch;
	readonly cellProblems: readonly CellProblem[];
	readonly problems: readonly string[];
	readonly blockedBy?: string;
	/** Days until the due date, if counted from today. */
	readonly dueInDays?: number;
}

export const isSound = ({ sums, problems, cellProblems }: Draft): boolean =>
	sums !== undefined && problems.length === 0 && cellProblems.length === 0;

/** Makes the invoice of a group. */
export function draftOf(
	{ rows, problems: groupProblems, unassignedProblems, blockedBy }: Group,
	settings: RowSettings,
	today: string,
	cellAbove: CellAbove,
): Draft {
	const cellProblems = [...rows.flatMap((row) => row.problems), ...unassignedProblems];
	const draft = { rows, cellProblems, blockedBy };
	if (rows.every(({ totalName }) => totalName !== undefined)) {
		return { ...draft, body: {}, problems: groupProblems };
	}
	const { body, problems: fieldProblems, dueInDays } = fieldsOf(rows, settings, today);
	const problems = [...groupProblems, ...fieldProblems];
	const isInvalid = (name: string) => rows.some(({ invalid }) => invalid.has(name));
	const emptyFields: string[] = [];
	// One mistake may cause others, so report the first ones alone.
	const hasNoProblems = () =>
		problems.length + unassignedProblems.length + emptyFields.length === 0;
	if (hasNoProblems()) {
		for (const { name, displayName, property = '' } of requiredFields) {
			if (body[property] !== undefined || isInvalid(name)) continue;
			emptyFields.push(`${displayName} is empty, but it is required`);
		}
	}
	problems.push(...discountProblems(rows));
	if (hasNoProblems()) problems.push(...mergedProblems(rows, settings, cellAbove));
	const needsNumber = needsNumberLookup(settings) && !settings.makesNumbers;
	if (hasNoProblems() && needsNumber && !body.invoice_number && !isInvalid('invoiceNumber')) {
		emptyFields.push("Invoice Number is empty, but 'If Invoice Number Exists' needs it");
	}
	// As cell problems, so that the same problem in several rows is reported once.
	cellProblems.push(...emptyFields.map((text) => ({ row: rows[0].number, text })));
	const match = rows.map((row) => row.match).find((one) => one);
	const withoutSums = { ...draft, body, problems, match, dueInDays };
	if (!rows.every(({ item }) => item)) return withoutSums;
	const items = rows.map(({ item }) => item as InvoiceItem);
	body.items = items as unknown as IDataObject[];
	problems.push(...fractionProblems(rows, body.currency));
	const sums = sumsOf(items, (body.discount_percentage as number | undefined) ?? 0);
	if (/^-?\d{11}/.test(sums.subtotal)) {
		problems.push(
			`${capitalize(rowsLabel(rows))}: the items come to ${sums.subtotal}, more than the 10 digits that the service accepts`,
		);
	}
	return { ...withoutSums, sums };
}

const requiredFields = ['customerId', 'currency', 'dueDate'].map(rowField);

function fieldsOf(rows: readonly Row[], settings: RowSettings, today: string) {
	const body: IDataObject = {};
	const problems: string[] = [];
	const put = (property: string, value: unknown) => {
		if (value !== undefined) body[property] = value as IDataObject[string];
	};
	for (const field of rowFields) {
		const { name, property, isOfItem } = field;
		if (isOfItem || !property || ['currency', 'dueDate'].includes(name)) continue;
		const shared = sharedValue(rows, field);
		if ('problem' in shared) problems.push(shared.problem);
		else put(property, shared.value ?? (name === 'customerId' ? settings.customerId : undefined));
	}
	const currency = currencyOf(rows, settings.currency);
	if ('problem' in currency) problems.push(`${capitalize(rowsLabel(rows))}: ${currency.problem}`);
	else put('currency', currency.value);
	const due = dueDateOf(rows, settings, today);
	if ('problems' in due) return { body, problems: [...problems, ...due.problems] };
	put('due_date', due.date);
	return { body, problems, dueInDays: due.inDays };
}

/** A discount in only some rows is probably meant for those rows, but the service applies it to the whole invoice. */
function discountProblems(rows: readonly Row[]): string[] {
	const has = (row: Row) => row.values.has('discountPercentage');
	const discounted = rows.filter((row) => has(row));
	const isZero = discounted.every(({ values }) => values.get('discountPercentage') === 0);
	if (discounted.length === 0 || discounted.length === rows.length || isZero) return [];
	if (rows.some(({ invalid }) => invalid.has('discountPercentage'))) return [];
	const text = `${capitalize(rowsLabel(rows))} form one invoice, but only ${rowsLabel(discounted)} ${discounted.length === 1 ? 'has' : 'have'} a Discount Percentage. The discount is for the whole invoice: enter it in all of its rows, or in none`;
	return [text];
}

/** A fractional quantity may lead to an amount that the currency cannot express. Nothing is rounded. */
function fractionProblems(rows: readonly Row[], currency: unknown): string[] {
	if (typeof currency !== 'string') return [];
	const decimals = decimalsOf(currency);
	return rows.flatMap(({ item, values, number }) => {
		const quantity = String(values.get('itemQuantity') ?? 1);
		const isWhole = toThousandths(quantity) % BigInt(1000) === BigInt(0);
		const [, digits = ''] = (item?.amount ?? '').replace(/0+$/, '').split('.');
		if (isWhole || values.has('itemTotal') || digits.length <= decimals) return [];
		const text = `Row ${number}: ${quantity} x ${String(values.get('itemAmount'))} is ${item?.amount ?? ''}, but ${currency} has ${decimals} decimals. Add a Line Total column with the amount to bill`;
		return [text];
	});
}

/** Fields with a default, each with all fields that can provide its value. */
const equivalentFields = {
	customerId: ['customerId', 'customerEmail'],
	currency: ['currency'],
	dueDate: ['dueDate', 'terms'],
};

type CellAbove = (row: Row, field: string) => string | undefined;

/** A merged cell fills only its first row, so a default below it could bill the wrong customer, currency or date. */
function mergedProblems(
	rows: readonly Row[],
	{ customerId, currency, dueInDays }: RowSettings,
	cellAbove: CellAbove,
): string[] {
	const hasWrittenCurrencies = rows.some(({ writtenCurrencies }) => writtenCurrencies.length);
	const defaults = {
		customerId,
		currency: hasWrittenCurrencies ? undefined : currency,
		dueDate: dueInDays,
	};
	return (['customerId', 'currency', 'dueDate'] as const).flatMap((name) => {
		const hasValue = ({ values }: Row) => equivalentFields[name].some((one) => values.has(one));
		if (defaults[name] === undefined || rows.some(hasValue)) return [];
		const filled = cellAbove(rows[0], name);
		if (filled === undefined) return [];
		const text = `${capitalize(rowsLabel(rows))}: ${rowField(name).displayName} is empty below ${filled}, so the default may be wrong. Enter it in every row, or set 'Fill Merged Cells'`;
		return [text];
	});
}

/** Describes the nearest filled cell above a row's empty cell: `"ACME" in row 2`. */
export function cellsAbove(rows: Row[]): CellAbove {
	const byField = new Map<string, Map<Row, string>>();
	for (const [field, names] of Object.entries(equivalentFields)) {
		const byRow = new Map<Row, string>();
		let filled: string | undefined;
		for (const row of rows) {
			const name = names.find((one) => row.values.has(one) || row.invalid.has(one));
			if (name !== undefined) {
				filled = `${JSON.stringify(row.values.get(name) ?? '…')} in row ${row.number}`;
			} else if (filled !== undefined) byRow.set(row, filled);
		}
		byField.set(field, byRow);
	}
	return (row, field) => byField.get(field)?.get(row);
}

export const isReady = (draft: Draft): boolean => isSound(draft) && draft.blockedBy === undefined;

export function requestOf(
	{ body, dueInDays }: Draft,
	{ routing, response }: Operation,
	settings: RowSettings,
): OperationRequest & InvoiceRequest {
	const { method, url: path } = routing.request;
	return {
		request: { method, path, body },
		response,
		settings: {
			...settings,
			...(dueInDays !== undefined && { hasRelativeDueDate: true }),
			// If a run carries out an approved plan again, existing invoices are no error.
			...(settings.onlyIfPlanIs && { ifInvoiceNumberExists: 'returnExisting' as const }),
		},
		policy: policyOf(settings),
	};
}

/** The value that the rows of an invoice share. A problem names two rows that differ. */
function sharedValue(rows: readonly Row[], { name, displayName }: RowField): Parsed<unknown> {
	const filled = rows.filter(({ values }) => values.has(name));
	const [first] = filled;
	const value = first?.values.get(name);
	const shown = (one: unknown) => JSON.stringify(one)?.normalize('NFC');
	const other = filled.find(({ values }) => shown(values.get(name)) !== shown(value));
	if (!other) return { value };
	const problem = `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}. Enter the same, or add the column to 'Ignore Columns'`;
	return { problem };
}

/** The invoice's currency: from its column, else the only one that all signs beside amounts allow, else the default. */
function currencyOf(rows: readonly Row[], fallback?: string): Parsed<string | undefined> {
	const shared = sharedValue(rows, rowField('currency'));
	if ('problem' in shared) return shared;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return { value: undefined };
	const written = rows.flatMap((row) =>
		row.writtenCurrencies.map((text) => ({
			row: rowsLabel([row]),
			text,
			codes: currenciesOf(text),
		})),
	);
	const certain = written.filter(({ text }) => isCertainCurrency(text));
	const [first] = certain;
	const isPossible = (code: string) => certain.every(({ codes }) => codes.includes(code));
	const possible = first?.codes.filter(isPossible) ?? [];
	if (shared.value === undefined && first && possible.length === 0) {
		const isOther = ({ codes }: typeof first) => !codes.some((code) => first.codes.includes(code));
		const other = certain.find(isOther);
		const problem = `Currency differs: ${first.row} says ${quote(first.text)}, ${(other ?? first).row} says ${quote(other?.text)}. An invoice has one currency`;
		return { problem };
	}
	const only = possible.length === 1 ? possible[0] : undefined;
	const currency = (shared.value as string | undefined) ?? only ?? fallback;
	if (currency === undefined) {
		if (!first) return { value: undefined };
		const problem = `Currency is empty, and ${quote(first.text)} can mean ${possible.slice(0, 5).join(', ')}: add a Currency column or 'Default Currency'`;
		return { problem };
	}
	const other = written.find(({ codes }) => !codes.includes(currency));
	if (!other) return { value: currency };
	const problem = `Currency is ${currency}, but an amount in ${other.row} says ${quote(other.text)}`;
	return { problem };
}

const addDays = (date: string, days: number) =>
	new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

type Problems = { problems: string[] };

/** From the Due Date column, else terms after the invoice date (or today), else the default. `inDays`: set if counted from today. */
function dueDateOf(
	rows: readonly Row[],
	{ dueInDays }: RowSettings,
	today: string,
): { date?: string; inDays?: number } | Problems {
	const fromToday = (inDays: number) => ({ date: addDays(today, inDays), inDays });
	const shared = sharedValue(rows, rowField('dueDate'));
	if ('problem' in shared) return { problems: [shared.problem] };
	if (shared.value !== undefined) return { date: shared.value as string };
	if (rows.some(({ invalid }) => invalid.has('dueDate'))) return {};
	const terms = deferredValue(rows, 'terms');
	if ('problems' in terms) return terms;
	if (terms.value === undefined) return dueInDays === undefined ? {} : fromToday(dueInDays);
	const start = deferredValue(rows, 'invoiceDate');
	if ('problems' in start) return start;
	if (start.value === undefined) return fromToday(terms.value as number);
	return { date: addDays(start.value as string, terms.value as number) };
}

/** The value of a column whose cell problems count only now that it is needed. */
function deferredValue(rows: readonly Row[], name: string): { value: unknown } | Problems {
	const problems = rows.flatMap((row) => row.deferred.get(name) ?? []);
	if (problems.length) return { problems: problems.map(problemText) };
	const shared = sharedValue(rows, rowField(name));
	return 'problem' in shared ? { problems: [shared.problem] } : shared;
}
