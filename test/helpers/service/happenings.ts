import type { Account } from '../../../simulator/account';
import type { Dice } from '../dice';

/** Makes an event happen. Returns the ID of what it happens to. */
type Happening = (account: Account, dice: Dice) => string;

let people = 0;
const invite = (account: Account) =>
	account.createMember({
		first_name: `Ada${(people += 1)}`,
		last_name: 'Berg',
		email: 'ada@team.example',
		job_title: 'Sales',
		role: 'staff',
	}).id;

const invoiceGets =
	(status: 'paid' | 'overdue' | 'cancelled'): Happening =>
	(account, dice) => {
		const open = account.invoices.find(({ full }) => ['unpaid', 'scheduled'].includes(full.status));
		if (!open || dice.chance(50)) return String(account.addInvoice({ status }, Date.now()).id);
		account.changeInvoice(open.full.id, status);
		return open.full.id;
	};

/** Adds an invoice that is due in this many days. */
const addedDue =
	(status: 'unpaid' | 'overdue', days: number): Happening =>
	(account) => {
		const due = new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
		return String(account.addInvoice({ status, due_date: due }, Date.now()).id);
	};

/** By event. */
export const happenings: Record<string, Happening> = {
	chargeStatus: (account) => String(account.addCharge({ status: 'Refunded' }, Date.now()).id),
	invoiceCancelled: invoiceGets('cancelled'),
	invoiceOverdue: invoiceGets('overdue'),
	invoiceDueSoon: addedDue('unpaid', 1),
	invoiceOverdueByDays: addedDue('overdue', -10),
	invoicePaid: invoiceGets('paid'),
	newCharge: (account) => String(account.addCharge({}, Date.now()).id),
	newInvoice: (account) => String(account.addInvoice({}, Date.now()).id),
	newMember: invite,
	memberJoined: (account) => {
		const id = invite(account);
		account.changeMember(id, 'enabled');
		return id;
	},
};
