import { capitalize } from '../../shared/fields/text';
import type { IDataObject } from 'n8n-workflow';
import { toThousandths } from '../../shared/fields/decimal';
import type { Operation } from '../execution/operation';
import type { OperationRequest, Unit } from '../execution/plan';
import { policyOf } from '../execution/plan';
import { comparableNumber } from '../invoices/comparableNumber';
import type { InvoiceRequest } from '../invoices/invoiceRequest';
import { looksForNumber } from '../invoices/invoiceRequest';
import type { InvoiceItem } from '../invoices/items';
import { decimalsOf } from './currencies';
import { currencyOf, dueDateOf, sharedValue } from './sharedValues';
import type { Group } from './groups';
import type { CellProblem, CustomerMatch, Row } from './rows';
import { rowsLabel, problemText } from './rows';
import { rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { Sums } from './sums';
import { sumsOf } from './sums';

/** The invoice made from a group of rows, as complete as they allow, and its problems. */
export interface Draft {
	readonly rows: readonly Row[];
	/** The request's body (spec 4.1). */
	readonly body: IDataObject;
	readonly sums?: Sums;
	readonly match?: CustomerMatch;
	readonly cellProblems: readonly CellProblem[];
	readonly problems: readonly string[];
	readonly blockedBy?: string;
	/** Days until the due date, if counted from today. */
	readonly dueInDays?: number;
}

/** Whether the invoice has no problems and a known total. */
export const isSound = ({ sums, problems, cellProblems }: Draft): boolean =>
	sums !== undefined && problems.length === 0 && cellProblems.length === 0;

/** Invoice numbers that clash, by group. */
export function numberProblems(groups: Group[], settings: RowSettings): Map<Group, string> {
	const first = new Map<string, { group: Group; number: string }>();
	const problems = new Map<Group, string>();
	for (const group of groups) {
		const numbered = group.rows.find(({ values }) => values.has('invoiceNumber'));
		if (!numbered) continue;
		const number = String(numbered.values.get('invoiceNumber'));
		const key = comparableNumber(number);
		const before = first.get(key);
		if (!before) first.set(key, { group, number });
		else if (before.number.normalize('NFC') !== number.normalize('NFC')) {
			const problem = `Invoice Number ${JSON.stringify(number)} in row ${numbered.number} and ${JSON.stringify(before.number)} in ${rowsLabel(before.group.rows)} differ only in case or spaces. Write both alike, or give one another number`;
			problems.set(group, problem);
			problems.set(before.group, problem);
		}
		// The number identifies an existing invoice: of two with the same one, the second would be lost.
		else if (looksForNumber(settings)) {
			problems.set(
				group,
				`Row ${numbered.number}: Invoice Number ${JSON.stringify(number)} is also used by another invoice (${rowsLabel(before.group.rows)}). Group the rows by invoice number, or use a different number for each`,
			);
		}
	}
	return problems;
}

const mostDigits = toThousandths('9999999999.999');

/** Makes the invoice of a group. `cellAbove` describes the filled cell above an empty one. */
export function draftOf(
	{ rows, problems: before, unassigned, blockedBy }: Group,
	settings: RowSettings,
	today: string,
	cellAbove: (row: Row, field: string) => string | undefined,
): Draft {
	const body: IDataObject = {};
	const problems = [...before];
	const cellProblems = [...rows.flatMap((row) => row.problems), ...unassigned];
	const draft = {
		rows,
		body,
		problems,
		cellProblems,
		...(blockedBy !== undefined && { blockedBy }),
	};
	if (rows.every(({ totalName }) => totalName !== undefined)) return draft;
	const isInvalid = (name: string) => rows.some(({ invalid }) => invalid.has(name));
	const put = (property: string | undefined, value: unknown) => {
		if (property !== undefined && value !== undefined) {
			body[property] = value as IDataObject[string];
		}
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
	else put('currency', currency.currency);
	const due = dueDateOf(rows, settings, today);
	if ('problems' in due) problems.push(...due.problems);
	else put('due_date', due.date);
	const dueInDays = 'problems' in due ? undefined : due.inDays;
	const isSaid = new Map([
		['customerId', body.customer !== undefined],
		['currency', body.currency !== undefined || 'problem' in currency],
		['dueDate', body.due_date !== undefined || 'problems' in due],
	]);
	const empty: string[] = [];
	for (const [name, isThere] of isSaid) {
		if (isThere || isInvalid(name) || problems.length || unassigned.length) continue;
		const { displayName } = rowField(name);
		empty.push(`${displayName} is empty, but it is required`);
	}
	problems.push(...discountProblems(rows));
	const isWrong = () => problems.length + unassigned.length + empty.length > 0;
	if (!isWrong()) problems.push(...mergedProblems(rows, settings, cellAbove));
	const needsNumber = looksForNumber(settings) && !settings.makesNumbers;
	if (!isInvalid('invoiceNumber') && needsNumber && !body.invoice_number) {
		if (!isWrong()) empty.push("Invoice Number is empty, but 'If Invoice Number Exists' needs it");
	}
	// Listed as cell problems, so that equal ones of other rows are reported together.
	const [{ number }] = rows;
	cellProblems.push(...empty.map((text) => ({ row: number, text })));
	const match = rows.map((row) => row.match).find((one) => one);
	const found = {
		...draft,
		...(match && { match }),
		...(dueInDays !== undefined && { dueInDays }),
	};
	if (!rows.every(({ item }) => item)) return found;
	const items = rows.map(({ item }) => item as InvoiceItem);
	body.items = items as unknown as IDataObject[];
	problems.push(...fractionProblems(rows, body.currency));
	const sums = sumsOf(items, (body.discount_percentage as number | undefined) ?? 0);
	const largest = toThousandths(sums.subtotal.replace(/(\.\d{3})\d*$/, '$1'));
	if (largest > mostDigits || largest < -mostDigits) {
		problems.push(
			`${capitalize(rowsLabel(rows))}: the items come to ${sums.subtotal}, more than the 10 digits that the service accepts`,
		);
	}
	return { ...found, sums };
}

/** A discount in only some rows is probably meant for these, but the service applies it to the whole invoice. */
function discountProblems(rows: readonly Row[]): string[] {
	const has = (row: Row) => row.values.has('discountPercentage');
	const those = rows.filter((row) => has(row));
	const isZero = those.every(({ values }) => values.get('discountPercentage') === 0);
	if (those.length === 0 || those.length === rows.length || isZero) return [];
	if (rows.some(({ invalid }) => invalid.has('discountPercentage'))) return [];
	return [
		`${capitalize(rowsLabel(rows))} form one invoice, but only ${rowsLabel(those)} ${those.length === 1 ? 'has' : 'have'} a Discount Percentage. The discount is for the whole invoice: enter it in all of its rows, or in none`,
	];
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
		return [
			`Row ${number}: ${quantity} x ${String(values.get('itemAmount'))} is ${item?.amount ?? ''}, but ${currency} has ${decimals} decimals. Add a Line Total column with the amount to bill`,
		];
	});
}

/** A merged cell fills only its first row. A default below it could bill the wrong customer, currency or date. */
function mergedProblems(
	rows: readonly Row[],
	settings: RowSettings,
	cellAbove: (row: Row, field: string) => string | undefined,
): string[] {
	const defaults = [
		['customerId', settings.customerId !== undefined],
		['currency', settings.currency !== undefined && rows.every(({ marks }) => !marks.length)],
		['dueDate', settings.dueInDays !== undefined],
	] as const;
	const has = (names: string[]) =>
		rows.some(({ values }) => names.some((name) => values.has(name)));
	return defaults.flatMap(([name, isDefault]) => {
		if (!isDefault || has(equivalentFields[name])) return [];
		const filled = cellAbove(rows[0], name);
		return filled === undefined
			? []
			: [
					`${capitalize(rowsLabel(rows))}: ${rowField(name).displayName} is empty below ${filled}, so the default may be wrong. Enter it in every row, or set 'Fill Merged Cells'`,
				];
	});
}

/** The fields that provide the same value as one with a default. */
const equivalentFields: Record<string, string[]> = {
	customerId: ['customerId', 'customerEmail'],
	currency: ['currency'],
	dueDate: ['dueDate', 'terms'],
};

/** For each row, the nearest filled cell above an empty one: `"ACME" in row 2`. */
export function cellsAbove(rows: Row[]): (row: Row, field: string) => string | undefined {
	const found = new Map<string, Map<Row, string>>();
	for (const [field, names] of Object.entries(equivalentFields)) {
		const ofField = new Map<Row, string>();
		let filled: string | undefined;
		for (const row of rows) {
			const name = names.find((one) => row.values.has(one) || row.invalid.has(one));
			if (name === undefined) {
				if (filled !== undefined) ofField.set(row, filled);
			} else filled = `${JSON.stringify(row.values.get(name) ?? '…')} in row ${row.number}`;
		}
		found.set(field, ofField);
	}
	return (row, field) => found.get(field)?.get(row);
}

/** Whether the invoice can be sent. */
export const isReady = (draft: Draft): boolean => isSound(draft) && draft.blockedBy === undefined;

/** The request that creates the invoice (spec 4.1). */
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
			...(dueInDays !== undefined && { isDueFromToday: true }),
			// An invoice that exists as approved is done.
			...(settings.onlyIfPlanIs && { ifInvoiceNumberExists: 'returnExisting' as const }),
		},
		policy: policyOf(settings),
	};
}

/** The unit of an invoice: its request, its preview (Only Validate), or its problems. */
export function unitOf(
	draft: Draft,
	operation: Operation,
	settings: RowSettings,
	preview?: IDataObject,
): Unit {
	const { rows, body, sums, match, blockedBy } = draft;
	const problems = [...draft.cellProblems.map((one) => problemText(one)), ...draft.problems];
	const reasons = problems.length || blockedBy === undefined ? problems : [blockedBy];
	const number = body.invoice_number as string | undefined;
	const { currency } = body;
	const isTold = settings.onlyValidate === true && settings.returnRows === true;
	const stop = isTold && reasons.length ? { action: 'stop', why: reasons.join('. ') } : undefined;
	const results = reasons.length ? stop : preview;
	const fields = {
		rows: [...new Set(rows.map((row) => row.number))].join(', '),
		...(number !== undefined && { invoice_number: number }),
	};
	return {
		...(sums && !reasons.length && { sum: { currency: String(currency), total: sums.total } }),
		items: [...new Set(rows.map(({ index }) => index))],
		name: `${number === undefined ? '' : `invoice ${number}, `}${rowsLabel(rows)}`,
		// A preview already contains the row numbers.
		...(!results && { fields: settings.onlyValidate ? { action: 'stop', ...fields } : fields }),
		...(match && !results && { added: { customer_match: { ...match } } }),
		ready:
			reasons.length && !stop
				? { problems: reasons }
				: settings.onlyValidate
					? { results: results ? [results] : [] }
					: { request: requestOf(draft, operation, settings) },
	};
}
