import {
	sampleCharge,
	sampleInvoice,
	sampleMember,
	simpleCharge,
	simpleInvoice,
} from '../shared/output/fields';

interface WatchedList {
	path: string;
	noun: string;
	/** It has neither pages nor filters. */
	isPlain?: true;
	simpleFields?: readonly string[];
	/** Shown if nothing has happened yet. */
	sample: Record<string, unknown>;
}

/** Spec 4.3 */
const charges: WatchedList = {
	path: '/v1/charges',
	noun: 'charges',
	simpleFields: simpleCharge,
	sample: sampleCharge,
};
/** Spec 4.2 */
const invoices: WatchedList = {
	path: '/v1/invoices',
	noun: 'invoices',
	simpleFields: simpleInvoice,
	sample: sampleInvoice,
};
/** Spec 4.7 */
const members: WatchedList = {
	path: '/v1/members',
	noun: 'team members',
	isPlain: true,
	sample: sampleMember,
};

export interface TriggerEvent {
	name: string;
	/** Workflows contain it: never change it. */
	value: string;
	action: string;
	description: string;
	list: WatchedList;
	/** Also sent as a filter, if the list has one. */
	status?: string;
	days?: 'before' | 'after';
}

/** Sorted by name. */
export const events: TriggerEvent[] = [
	{
		name: 'Charge Status Changed',
		value: 'chargeStatus',
		action: 'On charge status changed',
		description: 'A charge gets a certain status, such as refunded or failed',
		list: charges,
	},
	{
		name: 'Invoice Cancelled',
		value: 'invoiceCancelled',
		action: 'On invoice cancelled',
		description: 'An invoice is cancelled',
		list: invoices,
		status: 'cancelled',
	},
	{
		name: 'Invoice Due Soon',
		value: 'invoiceDueSoon',
		action: 'On invoice due soon',
		description: 'An unpaid invoice is due within a number of days',
		list: invoices,
		status: 'unpaid',
		days: 'before',
	},
	{
		name: 'Invoice Overdue',
		value: 'invoiceOverdue',
		action: 'On invoice overdue',
		description: 'An invoice is not paid by its due date',
		list: invoices,
		status: 'overdue',
	},
	{
		name: 'Invoice Overdue by Days',
		value: 'invoiceOverdueByDays',
		action: 'On invoice overdue by days',
		description: 'An invoice is still not paid a number of days after its due date',
		list: invoices,
		status: 'overdue',
		days: 'after',
	},
	{
		name: 'Invoice Paid',
		value: 'invoicePaid',
		action: 'On invoice paid',
		description: 'A customer pays an invoice',
		list: invoices,
		status: 'paid',
	},
	{
		name: 'New Charge',
		value: 'newCharge',
		action: 'On new charge',
		description: 'A new charge appears, including declined ones',
		list: charges,
	},
	{
		name: 'New Invoice',
		value: 'newInvoice',
		action: 'On new invoice',
		description: 'An invoice is created, by this package or anywhere else',
		list: invoices,
	},
	{
		name: 'New Team Member',
		value: 'newMember',
		action: 'On new team member',
		description: 'A person is invited or added to the team of the account',
		list: members,
	},
	{
		name: 'Team Member Joined',
		value: 'memberJoined',
		action: 'On team member joined',
		description: 'An invited person becomes active: the status is enabled',
		list: members,
		status: 'enabled',
	},
];

export const eventsOf = ({ path }: WatchedList): string[] =>
	events.filter(({ list }) => list.path === path).map(({ value }) => value);

export const lists = { charges, invoices, members };
