import type { Customer } from '../../shared/customers/customer';
import type { Directory } from '../../shared/customers/directory';
import {
	CustomerIndex,
	customerNotFound,
	customerNotUnique,
} from '../../shared/customers/findCustomer';
import type { Parsed } from '../../shared/fields/text';
import { toEmail, toUuid } from '../../shared/fields/text';
import { plainHeader } from './headers';
import type { CustomerCell, CustomerMatch, Row } from './rows';
import type { RowSettings } from './rowSettings';
import { inAll } from './words';

/** What the cells of a row say of its customer. */
interface Said {
	id?: string;
	emails: string[];
	/** How many of them stand in the most telling cell. */
	told: number;
	names: string[];
}

/** Rows whose customers are told by something else than an ID, until all of them are found. */
export interface CustomerSearch {
	/** Whether there are any that the user's own list does not settle. */
	isNeeded: boolean;
	/** Looks for them among the customers of the service; `true` when all were found. */
	search(directory: Directory): boolean;
	/** The rows with who was found, and what is wrong with the others. */
	finish(): Row[];
	/** In how many invoices customers were looked for, where there are more. */
	cutAfter(): number | undefined;
}

type Found =
	| { match: CustomerMatch }
	| { id: string; isUnchecked?: boolean }
	| { problem: string }
	| { missing: string; advice: string };

/** A customer that rows name, and who that is as far as is known. */
interface Wanted {
	said: Parsed<Said>;
	found: Found;
}

/**
 * Finds the customers of rows: by ID without any request, unless an email stands beside it that may be another customer's; by email
 * or name in the user's list, then among those that the service's invoices name. One hit is taken; several, none, and cells that
 * lead to different customers are problems of the row.
 */
export function findCustomers(rows: Row[], settings: RowSettings): CustomerSearch {
	const own = new CustomerIndex(settings.customerList ?? []);
	/** By what rows say: many name the same customer. */
	const wanted = new Map<string, Wanted>();
	const found = new Map<Row, Wanted>();
	const isAnyOpen = () => [...wanted.values()].some((one) => isOpen(one.found));
	let last: { index: CustomerIndex; directory: Directory } | undefined;
	for (const row of rows) {
		if (row.customers.length === 0) continue;
		const said = saidOf(row.customers);
		const key = JSON.stringify(said);
		const one = wanted.get(key) ?? {
			said,
			found: 'problem' in said ? said : find(said.value, settings, own),
		};
		wanted.set(key, one);
		found.set(row, one);
	}
	return {
		isNeeded: isAnyOpen(),
		search(directory) {
			last = { index: new CustomerIndex(directory.customers), directory };
			for (const one of wanted.values()) {
				if (isOpen(one.found) && 'value' in one.said) {
					one.found = find(one.said.value, settings, own, last);
				}
			}
			return !isAnyOpen();
		},
		cutAfter: () => (last?.directory.isPartial ? last.directory.invoices : undefined),
		finish() {
			let suggestions = 0;
			return rows.map((row) => {
				const outcome = found.get(row)?.found;
				if (!outcome) return row;
				if ('missing' in outcome) {
					// To look for similar ones takes long, and nobody reads so many.
					const mayBe = (suggestions += 1) <= mostSuggestions;
					const words = customerNotFound(
						outcome.missing,
						last?.index ?? own,
						last?.directory,
						mayBe,
					);
					return refused(row, `${words} ${outcome.advice}`);
				}
				if ('problem' in outcome) return refused(row, outcome.problem);
				const id = 'id' in outcome ? outcome.id : outcome.match.id;
				const values = new Map([...row.values, ['customerId', id]]);
				return { ...row, values, ...('match' in outcome && { match: outcome.match }) };
			});
		},
	};
}

/** Whether the service's invoices may still tell more. */
const isOpen = (outcome: Found): boolean =>
	'missing' in outcome || ('isUnchecked' in outcome && outcome.isUnchecked === true);

function refused(row: Row, problem: string): Row {
	const [{ header }] = row.customers;
	const text = `Customer: ${problem}`;
	return {
		...row,
		invalid: new Set([...row.invalid, 'customerId']),
		problems: [...row.problems, { row: row.number, ...(header !== undefined && { header }), text }],
	};
}

/** Whether a text is a number that another program gives its customers, which says nothing to this service: `C-1001`. */
const isForeignId = ({ text, header = '' }: CustomerCell) =>
	/^\p{L}{0,4}[-_. /]?\d[\d-]*$/u.test(text) ||
	(/\bid$|(?:no|nr|number|code)\.?$/i.test(header) && /\d/.test(text));

const payers = inAll(({ billTo }) => billTo.map(plainHeader));

function saidOf(cells: readonly CustomerCell[]): Parsed<Said> {
	const ids = new Map<string, string>();
	const emails: string[] = [];
	const names: string[] = [];
	let told = 0;
	// Who pays is the customer, whoever else the row names.
	const isPayer = ({ header }: CustomerCell) =>
		header !== undefined && payers.has(plainHeader(header));
	const inOrder = [...cells.filter(isPayer), ...cells.filter((cell) => !isPayer(cell))];
	for (const cell of inOrder) {
		const { text, isEmail } = cell;
		const id = toUuid(text);
		if ('value' in id) {
			ids.set(id.value.toLowerCase(), id.value);
			continue;
		}
		const parts = emailsIn(text);
		if (parts) {
			emails.push(...parts);
			told ||= parts.length;
		} else if (isEmail) return { problem: `${JSON.stringify(text)} is not an email address` };
		else if (!isForeignId(cell) || cells.length === 1) names.push(text);
	}
	if (ids.size + emails.length + names.length === 0) names.push(...cells.map(({ text }) => text));
	if (ids.size > 1) return { problem: `the row has several IDs: ${[...ids.values()].join(', ')}` };
	const [id] = ids.keys();
	return { value: { ...(id && { id }), emails, told, names } };
}

/** The emails of a cell: one or several, as they are or as mail programs write them; `undefined` where there is something else. */
function emailsIn(text: string): string[] | undefined {
	const parts = (text.match(/(?:"[^"]*"|[^;,"])+/g) ?? [])
		.map(
			(part) =>
				/^(?:"[^"]*"|[^<>@"])*<([^<>]+)>$/.exec(part.trim())?.[1] ??
				part.trim().replace(/^mailto:/i, ''),
		)
		.filter(Boolean);
	const isAll = parts.length > 0 && parts.every((part) => 'value' in toEmail(part));
	return isAll ? parts : undefined;
}

const onlyIds = (text: string) =>
	`${JSON.stringify(text)} is not an ID in UUID format: set 'Match Customers By' to find customers by email or name`;
const noNames = (text: string) =>
	`${JSON.stringify(text)} is a name. To find customers by name, set 'Match Customers By' to 'ID, Email or Name'`;
const whatElse =
	"Correct the cell, enter the customer's ID, or add the customer to 'Customer List'";
const byNameInstead =
	". To find customers by name instead, add the email column to 'Ignore Columns'";

/** For how many rows those who are almost called the same are looked for. */
const mostSuggestions = 20;

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Looks for one customer, in the user's list and, where it was read, among those of the service. */
function find(
	{ id: given, emails, told, names }: Said,
	{ matchCustomersBy = 'idEmailOrName' }: RowSettings,
	own: CustomerIndex,
	service?: { index: CustomerIndex; directory: Directory },
): Found {
	const hits = (look: (index: CustomerIndex) => Customer[]): Customer[] => {
		const listed = look(own);
		return listed.length || !service ? listed : look(service.index);
	};
	if (given !== undefined && (matchCustomersBy === 'id' || !emails.length)) return { id: given };
	if (given !== undefined) {
		const other = emails
			.map((word) => ({ word, customers: hits((index) => index.withEmail(word)) }))
			.find(
				({ customers }) => customers.length > 0 && !customers.some(({ id }) => isSame(id, given)),
			);
		if (!other) return { id: given, isUnchecked: !service };
		return {
			problem: `the email ${JSON.stringify(other.word)} belongs to another customer (${other.customers[0].id}) than the ID (${given}). Correct one of them, or set 'Match Customers By' to 'ID'`,
		};
	}
	const [text = names[0]] = emails;
	if (matchCustomersBy === 'id') return { problem: onlyIds(text) };
	if (emails.length === 0 && matchCustomersBy === 'idOrEmail') return { problem: noNames(text) };
	const by = emails.length ? 'email' : 'name';
	const lookUp = (word: string) =>
		hits((index) => (by === 'email' ? index.withEmail(word) : index.withName(word)));
	const all = by === 'email' ? emails : names;
	const found = all.map((word) => ({ word, customers: lookUp(word) }));
	// The most telling one decides; of several emails in one cell each has to be known.
	const missing = found
		.slice(0, by === 'email' ? told : 1)
		.find(({ customers }) => !customers.length);
	const [first] = found;
	if (missing) {
		const hint = by === 'email' && names.length ? byNameInstead : '';
		return { missing: missing.word, advice: `${whatElse}${hint}` };
	}
	const { word, customers } = first;
	if (customers.length > 1) {
		return { problem: `${customerNotUnique(word, customers)}. Enter the customer's ID` };
	}
	const [{ id, names: knownNames, emails: knownEmails }] = customers;
	const other = [...found, ...(by === 'email' ? names : []).map(named)].find(
		(one) => one.customers.length > 0 && !one.customers.some((customer) => customer.id === id),
	);
	if (other) {
		return {
			problem: `${JSON.stringify(word)} and ${JSON.stringify(other.word)} belong to different customers (${id} and ${other.customers.map((customer) => customer.id).join(', ')}). Correct one of them`,
		};
	}
	const [name] = knownNames;
	const email = by === 'email' ? word : knownEmails[0];
	return { match: { by, ...(name && { name }), ...(email && { email }), id } };

	function named(name: string) {
		return { word: name, customers: hits((index) => index.withName(name)) };
	}
}
