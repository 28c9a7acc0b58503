import { refusalOf } from '../../../nodes/InvoicingPayments/fromRows/preview';
import type { Finding } from '../../../nodes/InvoicingPayments/reading/findings/findings';
import type { Draft } from '../../../nodes/InvoicingPayments/reading/invoices/invoices';
import { isReady } from '../../../nodes/InvoicingPayments/reading/invoices/invoices';
import type {
	SheetReading,
	SheetSettings,
} from '../../../nodes/InvoicingPayments/reading/readSheet';
import { openSheet } from '../../../nodes/InvoicingPayments/reading/columns';
import { readSheet } from '../../../nodes/InvoicingPayments/reading/readSheet';
import type { SheetRow } from '../../../nodes/InvoicingPayments/reading/table/table';
import { otherReadings } from '../../../nodes/InvoicingPayments/reading/otherReadings/alternatives';
import { parseReading, printReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { CustomerIndex } from '../../../nodes/shared/customers/customerIndex';
import { finish } from './finish';

export interface KnownCustomer {
	/** By its place in the list, if absent. */
	id?: string;
	name: string;
	email: string;
}

/** IDs of customers, in their order. */
export const customerId = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

export interface ReadRows {
	reading: SheetReading;
	/** What nobody has settled. */
	findings: readonly Finding[];
	/** As the preview shows it, to confirm. */
	text: string;
	/** What the preview offers besides, each with the text to pick. */
	others(): Array<{ what: string; decision: string; behind: number; text: string }>;
	/** Why a creating run would stop. `undefined`: it bills the sheet. */
	refusal?: string;
	invoices: Array<{
		customer?: string;
		currency?: string;
		total?: string;
		due?: string;
		problems: string[];
	}>;
}

/** All settings of a sheet, of which some differ from the node's. */
export const settingsOf = (change: Partial<SheetSettings> = {}): SheetSettings => ({
	...{ given: new Map(), mapped: new Map(), defaults: {}, matchCustomersBy: 'idEmailOrName' },
	...{ isFoundByNumber: true, without: [], zone: 'UTC' },
	...{ today: '2026-11-24', ...change },
});

/** Customers of the service, each with one invoice. */
export const listed = (customers: readonly KnownCustomer[]) =>
	customers.map(({ id = '', name, email }, at) => ({
		...{ id: id || customerId(at), names: [name], emails: [email] },
		...{ texts: [], invoices: 1, currencies: [] },
	}));

/** Reads a sheet as the node does, without n8n. `confirmed`: the text of a reading. */
export function readRows(
	rows: readonly SheetRow[],
	customers: readonly KnownCustomer[],
	settings: Partial<SheetSettings> & { confirmed?: string } = {},
): ReadRows {
	const { confirmed, ...more } = settings;
	const said = confirmed === undefined ? undefined : parseReading(confirmed);
	if (said && !said.ok) throw new Error(said.problem);
	const all = settingsOf({ ...more, said: said?.value });
	const people = listed(customers);
	const known = { own: new CustomerIndex([]), ofService: new CustomerIndex(people) };
	const notFound = (text: string) => `No customer ${JSON.stringify(text)}`;
	const reading = finish(readSheet(finish(openSheet(rows, all)), all, { ...known, notFound }));
	const { unsettled: findings, settledBy } = reading.verdict;
	const text = printReading(settledBy);
	const stop = reading.drafts.find((draft) => !isReady(draft));
	const refusal = refusalOf(reading)?.title;
	const emails = new Map(people.map(({ id, emails: [email] }) => [id, email]));
	const others = () =>
		finish(otherReadings(reading, all, { ...known, notFound })).map((one) => ({
			...{ what: one.what, decision: one.decision, behind: one.behind },
			text: printReading({ ...one.reading.statements, seen: undefined }),
		}));
	return {
		...{ reading, findings, text, others, refusal: refusal ?? (stop && problemsOf(stop)[0]) },
		invoices: reading.drafts.map((draft) => ({
			customer: emails.get(String(draft.body.customer)),
			currency: draft.body.currency as string | undefined,
			total: draft.sums && Number(draft.sums.total).toFixed(2),
			due: draft.body.due_date as string | undefined,
			problems: problemsOf(draft),
		})),
	};
}

const problemsOf = ({ problems, cellProblems }: Draft) => [
	...problems,
	...cellProblems.map(({ row, text }) => `Row ${row}: ${text}`),
];
