import type { Customer } from '../../shared/customers/customer';
import type { Directory } from '../../shared/customers/directory';
import { CustomerIndex } from '../../shared/customers/findCustomer';
import { notFound, notUnique } from '../../shared/customers/messages';
import type { Parsed } from '../../shared/fields/text';
import { toEmail, toUuid } from '../../shared/fields/text';
import type { CustomerCell, CustomerMatch, Row } from './row';
import type { RowSettings } from './rowSettings';

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
	/** Notes in the rows who was found, and what is wrong with the others. */
	finish(): void;
}

type Found =
	| { match: CustomerMatch }
	| { id: string; isUnchecked?: boolean }
	| { problem: string }
	| { missing: string; advice: string };

/** A customer that rows name, and who that is as far as is known. */
interface Wanted {
	said: Said;
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
	const searched: Array<{ row: Row; one: Wanted }> = [];
	const isAnyOpen = () => [...wanted.values()].some(({ found }) => isOpen(found));
	const { matchCustomersBy } = settings;
	let last: { index: CustomerIndex; directory: Directory } | undefined;
	for (const row of rows) {
		if (row.customers.length === 0) continue;
		const said = saidOf(row.customers);
		if ('problem' in said) refuse(row, said.problem);
		else if (
			said.value.id !== undefined &&
			(matchCustomersBy === 'id' || !said.value.emails.length)
		) {
			row.values.set('customerId', said.value.id);
		} else {
			const key = JSON.stringify(said.value);
			const one = wanted.get(key) ?? { said: said.value, found: find(said.value, settings, own) };
			wanted.set(key, one);
			searched.push({ row, one });
		}
	}
	return {
		isNeeded: isAnyOpen(),
		search(directory) {
			last = { index: new CustomerIndex(directory.customers), directory };
			for (const one of wanted.values()) {
				if (isOpen(one.found)) one.found = find(one.said, settings, own, last);
			}
			return !isAnyOpen();
		},
		finish() {
			let suggestions = 0;
			for (const { row, one } of searched) {
				const { found: outcome } = one;
				if ('missing' in outcome) {
					// To look for similar ones takes long, and nobody reads so many.
					const mayBe = (suggestions += 1) <= mostSuggestions;
					const words = notFound(outcome.missing, last?.index ?? own, last?.directory, mayBe);
					refuse(row, `${words} ${outcome.advice}`);
				} else if ('problem' in outcome) refuse(row, outcome.problem);
				else if ('id' in outcome) row.values.set('customerId', outcome.id);
				else {
					row.values.set('customerId', outcome.match.id);
					row.match = outcome.match;
				}
			}
		},
	};
}

/** Whether the service's invoices may still tell more. */
const isOpen = (outcome: Found): boolean =>
	'missing' in outcome || ('isUnchecked' in outcome && outcome.isUnchecked === true);

function refuse(row: Row, problem: string): void {
	row.invalid.add('customerId');
	const [{ header }] = row.customers;
	row.problems.push({
		row: row.number,
		...(header !== undefined && { header }),
		text: `Customer: ${problem}`,
	});
}

function saidOf(cells: CustomerCell[]): Parsed<Said> {
	const ids = new Map<string, string>();
	const emails: string[] = [];
	const names: string[] = [];
	let told = 0;
	for (const { text, isEmail } of cells) {
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
		// Other programs have customer numbers of their own, which say nothing to this service.
		else if (!/^\d+$/.test(text) || cells.length === 1) names.push(text);
	}
	if (ids.size + emails.length + names.length === 0) names.push(...cells.map(({ text }) => text));
	if (ids.size > 1) return { problem: `the row has several IDs: ${[...ids.values()].join(', ')}` };
	const [id] = ids.keys();
	return { value: { ...(id && { id }), emails, told, names } };
}

/** The emails of a cell: one or several, as they are or as mail programs write them; `undefined` where there is something else. */
function emailsIn(text: string): string[] | undefined {
	const parts = text
		.split(/[;,]/)
		.map(
			(part) =>
				/^[^<>@]*<([^<>]+)>$/.exec(part.trim())?.[1] ?? part.trim().replace(/^mailto:/i, ''),
		)
		.filter(Boolean);
	const isAll = parts.length > 0 && parts.every((part) => 'value' in toEmail(part));
	return isAll ? parts : undefined;
}

const onlyIds = (text: string) =>
	`${JSON.stringify(text)} is not an ID in UUID format: set 'Match Customers By' to find customers by email or name`;
const noNames = (text: string) =>
	`${JSON.stringify(text)} is a name. To find customers by name, set 'Match Customers By' to 'ID, Email or Name'. Only customers with invoices are found; check the preview of 'Only Validate'`;
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
	{ matchCustomersBy = 'idOrEmail' }: RowSettings,
	own: CustomerIndex,
	service?: { index: CustomerIndex; directory: Directory },
): Found {
	const hits = (look: (index: CustomerIndex) => Customer[]): Customer[] => {
		const listed = look(own);
		return listed.length || !service ? listed : look(service.index);
	};
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
		return { problem: `${notUnique(word, customers)}. Enter the customer's ID` };
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
