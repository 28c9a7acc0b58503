import type { IExecuteFunctions } from 'n8n-workflow';
import type { Customer } from '../../shared/customers/customer';
import type { Directory } from '../../shared/customers/directory';
import { openDirectory, searchDirectory } from '../../shared/customers/directory';
import {
	CustomerIndex,
	customerNotFound,
	customerNotUnique,
} from '../../shared/customers/findCustomer';
import { toNodeError } from '../../shared/errors/nodeErrors';
import type { Parsed } from '../../shared/fields/text';
import { toEmail, toUuid } from '../../shared/fields/text';
import { policyOf } from '../execution/operation';
import { plainHeader } from './headers';
import type { CustomerCell, CustomerMatch, Row } from './rows';
import type { RowSettings } from './rowSettings';
import { inAll } from './words';

/** Finds the customers of all rows. Searches the service only if a row needs it, and returns an Error if that fails. */
export async function withCustomers(
	context: IExecuteFunctions,
	rows: Row[],
	settings: RowSettings,
): Promise<{ rows: Row[]; cutAfter?: number } | Error> {
	const search = searchOf(rows, settings);
	if (!search.isDone()) {
		const client = await openDirectory(context, context.getExecutionCancelSignal?.());
		const failed =
			'failure' in client
				? client
				: await searchDirectory(client, policyOf(settings), (directory) => {
						search.searchService(directory);
						return search.isDone();
					});
		if (failed) return toNodeError(context.getNode(), failed.failure);
	}
	return search.finish();
}

interface CustomerClues {
	id?: string;
	emails: string[];
	firstCellEmails: number;
	names: string[];
	/** The header of the column with the payer, if other columns name customers too. */
	payer?: string;
}

type LookupResult =
	| { match: CustomerMatch }
	| { id: string; isUnchecked?: boolean }
	| { problem: string }
	| { missing: string; advice: string };

interface Lookup {
	clues: Parsed<CustomerClues>;
	result: LookupResult;
}

interface Service {
	index: CustomerIndex;
	directory: Directory;
}

const maxSuggestions = 20;

/** Searches emails and names in the user's list, then in the service. An ID needs no search, unless the row also has an email. */
function searchOf(rows: Row[], settings: RowSettings) {
	const userList = new CustomerIndex(settings.customerList ?? []);
	const lookups = new Map<string, Lookup>();
	const lookupOfRow = new Map<Row, Lookup>();
	let service: Service | undefined;
	const lookUp = (clues: Parsed<CustomerClues>) =>
		'problem' in clues ? clues : lookUpCustomer(clues.value, settings, userList, service);
	for (const row of rows) {
		if (row.customers.length === 0) continue;
		const clues = cluesOf(row.customers);
		const key = JSON.stringify(clues);
		const lookup = lookups.get(key) ?? { clues, result: lookUp(clues) };
		lookups.set(key, lookup);
		lookupOfRow.set(row, lookup);
	}
	return {
		isDone: () => [...lookups.values()].every(({ result }) => !needsService(result)),
		searchService(directory: Directory) {
			service = { index: new CustomerIndex(directory.customers), directory };
			for (const lookup of lookups.values()) {
				if (needsService(lookup.result)) lookup.result = lookUp(lookup.clues);
			}
		},
		finish() {
			let suggestions = 0;
			const rowsWithCustomers = rows.map((row): Row => {
				const result = lookupOfRow.get(row)?.result;
				if (!result) return row;
				if ('missing' in result) {
					// Searching for similar names is slow, and nobody reads so many suggestions.
					const suggests = (suggestions += 1) <= maxSuggestions;
					const index = service?.index ?? userList;
					const text = customerNotFound(result.missing, index, service?.directory, suggests);
					return withProblem(row, `${text} ${result.advice}`);
				}
				if ('problem' in result) return withProblem(row, result.problem);
				const match = 'match' in result ? result.match : undefined;
				const id = 'id' in result ? result.id : match?.id;
				return { ...row, values: new Map([...row.values, ['customerId', id]]), match };
			});
			const { isPartial, invoices } = service?.directory ?? {};
			return { rows: rowsWithCustomers, cutAfter: isPartial ? invoices : undefined };
		},
	};
}

const needsService = (result: LookupResult): boolean =>
	'missing' in result || ('isUnchecked' in result && result.isUnchecked === true);

function withProblem(row: Row, problem: string): Row {
	const [{ header }] = row.customers;
	const text = `Customer: ${problem}`;
	return {
		...row,
		invalid: new Set([...row.invalid, 'customerId']),
		problems: [...row.problems, { row: row.number, header, text }],
	};
}

/** Whether a text is another program's customer ID, such as `C-1001`. This service does not know such IDs. */
const isForeignId = ({ text, header = '' }: CustomerCell) =>
	/^\p{L}{0,4}[-_. /]?\d[\d-]*$/u.test(text) ||
	(/\bid$|(?:no|nr|number|code)\.?$/i.test(header) && /\d/.test(text));

const isAddress = (text: string) => /^\d+\s|,.*\d|\d.*,/.test(text);
const payerHeaders = inAll(({ billTo }) => billTo.map(plainHeader));

function cluesOf(cells: readonly CustomerCell[]): Parsed<CustomerClues> {
	const ids = new Map<string, string>();
	const emails: string[] = [];
	const names: string[] = [];
	let firstCellEmails = 0;
	// The payer is the customer, even if the row names somebody else too. An address names nobody.
	const isPayer = ({ header, text }: CustomerCell) =>
		header !== undefined && payerHeaders.has(plainHeader(header)) && !isAddress(text);
	const payer = cells.length > 1 ? cells.find(isPayer)?.header : undefined;
	const payersFirst = [...cells.filter(isPayer), ...cells.filter((cell) => !isPayer(cell))];
	for (const cell of payersFirst) {
		const { text, isEmail } = cell;
		const id = toUuid(text);
		if ('value' in id) {
			ids.set(id.value.toLowerCase(), id.value);
			continue;
		}
		const parts = emailsIn(text);
		if (parts) {
			emails.push(...parts);
			firstCellEmails ||= parts.length;
		} else if (isEmail) return { problem: `${JSON.stringify(text)} is not an email address` };
		else if (!isForeignId(cell) || cells.length === 1) names.push(text);
	}
	if (ids.size + emails.length + names.length === 0) names.push(...cells.map(({ text }) => text));
	if (ids.size > 1) return { problem: `the row has several IDs: ${[...ids.values()].join(', ')}` };
	const [id] = ids.keys();
	return { value: { id, emails, firstCellEmails, names, payer } };
}

/** The emails of a cell, also in the form `Name <email>`. `undefined` if the cell contains anything else. */
function emailsIn(text: string): string[] | undefined {
	const parts = (text.match(/(?:"[^"]*"|[^;,"])+/g) ?? [])
		.map((part) => part.trim())
		.map(
			(part) => /^(?:"[^"]*"|[^<>@"])*<([^<>]+)>$/.exec(part)?.[1] ?? part.replace(/^mailto:/i, ''),
		)
		.filter(Boolean);
	const areAllEmails = parts.length > 0 && parts.every((part) => 'value' in toEmail(part));
	return areAllEmails ? parts : undefined;
}

const otherFixes =
	"Correct the cell, enter the customer's ID, or add the customer to 'Customer List'";
const byNameInstead =
	". To find customers by name instead, add the email column to 'Ignore Columns'";

function lookUpCustomer(
	{ id: given, emails, firstCellEmails, names, payer }: CustomerClues,
	{ matchCustomersBy = 'idEmailOrName' }: RowSettings,
	userList: CustomerIndex,
	service: Service | undefined,
): LookupResult {
	const lookUp = (by: 'email' | 'name', word: string): { word: string; customers: Customer[] } => {
		const hits = (index: CustomerIndex) =>
			by === 'email' ? index.withEmail(word) : index.withName(word);
		const listed = hits(userList);
		return { word, customers: listed.length || !service ? listed : hits(service.index) };
	};
	type Found = ReturnType<typeof lookUp>;
	const isOther = ({ customers }: Found, isSame: (id: string) => boolean) =>
		customers.length > 0 && !customers.some(({ id }) => isSame(id));
	const byEmail = () => emails.map((word) => lookUp('email', word));
	if (given !== undefined) {
		if (matchCustomersBy === 'id' || !emails.length) return { id: given };
		const isGiven = (id: string) => id.toLowerCase() === given.toLowerCase();
		const other = byEmail().find((one) => isOther(one, isGiven));
		if (!other) return { id: given, isUnchecked: !service };
		const problem = `the email ${JSON.stringify(other.word)} belongs to another customer (${other.customers[0].id}) than the ID (${given}). Correct one of them, or set 'Match Customers By' to 'ID'`;
		return { problem };
	}
	const [text = names[0]] = emails;
	if (matchCustomersBy === 'id') {
		const problem = `${JSON.stringify(text)} is not an ID in UUID format: set 'Match Customers By' to find customers by email or name`;
		return { problem };
	}
	if (emails.length === 0 && matchCustomersBy === 'idOrEmail') {
		const problem = `${JSON.stringify(text)} is a name. To find customers by name, set 'Match Customers By' to 'ID, Email or Name'`;
		return { problem };
	}
	const by = emails.length ? 'email' : 'name';
	const byName = () => names.map((word) => lookUp('name', word));
	const found = by === 'email' ? byEmail() : byName();
	// The first email decides, but all emails of the first cell must be known.
	const missing = found
		.slice(0, by === 'email' ? firstCellEmails : 1)
		.find(({ customers }) => !customers.length);
	if (missing) {
		const hint = by === 'email' && names.length ? byNameInstead : '';
		const isOfPayer = by === 'name' && payer !== undefined;
		const instead = isOfPayer ? `. Or add ${JSON.stringify(payer)} to 'Ignore Columns'` : '';
		return { missing: missing.word, advice: `${otherFixes}${hint}${instead}` };
	}
	const [{ word, customers }] = found;
	if (customers.length > 1) {
		return { problem: `${customerNotUnique(word, customers)}. Enter the customer's ID` };
	}
	const [{ id, names: knownNames, emails: knownEmails }] = customers;
	const all = by === 'email' ? [...found, ...byName()] : found;
	const other = all.find((one) => isOther(one, (otherId) => otherId === id));
	if (other) {
		const problem = `${JSON.stringify(word)} and ${JSON.stringify(other.word)} belong to different customers (${id} and ${other.customers.map((customer) => customer.id).join(', ')}). Correct one of them`;
		return { problem };
	}
	const [name] = knownNames;
	const email = by === 'email' ? word : knownEmails[0];
	return { match: { by, ...(name && { name }), ...(email && { email }), id } };
}
