import type { INodePropertyOptions } from 'n8n-workflow';
import { includeCardData, simplifyField } from '../shared/descriptions/output';
import { chargeFilters, invoiceFilters } from '../shared/descriptions/filters';
import { chargeStatusField } from '../shared/descriptions/locators';
import type { Field } from '../shared/fields/field';
import { integer, moment, option } from '../shared/fields/rules';
import { events, eventsOf, lists } from './events';

const shownFor = (...values: string[]) => ({ displayOptions: { show: { event: values } } });

const ofCharges = eventsOf(lists.charges);
const ofInvoices = eventsOf(lists.invoices);
const ofMembers = eventsOf(lists.members);
const allButNewCharge = events.map(({ value }) => value).filter((value) => value !== 'newCharge');

const filtersField = (filters: Field[], description: string): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description,
	options: filters,
});

const maxPerRun: Field = {
	displayName: 'Max per Run',
	name: 'maxPerRun',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10_000, numberPrecision: 0 },
	default: 1000,
	description: 'Max number of items per execution. The rest start the next one.',
	rule: integer({ min: 1, max: 10_000 }),
};

const pageSize: Field = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'Results requested per page. Does not affect how many start the workflow.',
	rule: integer({ min: 1 }),
};

const lookBack: Field = {
	displayName: 'Look Back (Minutes)',
	name: 'lookBackMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10_080, numberPrecision: 0 },
	default: 60,
	description: 'How late (in minutes) a charge may appear and still be picked up',
	rule: integer({ min: 1, max: 10_080 }),
};

/** `options`: sorted by how much of the past they include. */
const startWithField = (
	options: Array<INodePropertyOptions & { value: string }>,
	forEvents: string[],
): Field => ({
	displayName: 'Start With',
	name: 'startWith',
	type: 'options',
	noDataExpression: true,
	default: 'newOnly',
	options,
	description:
		'Where to start when the workflow is first published. After that it resumes where it left off, even after a pause. To start over, change this field.',
	...shownFor(...forEvents),
	rule: option(options.map(({ value }) => value)),
});

const optionsField = (...own: Field[]): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: own,
});

export const triggerFields: Field[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(
			({ name, value, action, description }): INodePropertyOptions => ({
				name,
				value,
				action,
				description,
			}),
		),
		default: 'newCharge',
		description: 'The event that starts the workflow, once for each charge, invoice or team member',
		rule: option(events.map(({ value }) => value)),
	},
	{
		displayName:
			'A charge is not always a payment that went through: declined ones start the workflow as well. To leave them out, filter by <b>Status</b>. For a charge that changes later, e.g. a refund, choose <b>Charge Status Changed</b>.',
		name: 'declinedNotice',
		type: 'notice',
		default: '',
		...shownFor('newCharge'),
	},
	{
		displayName: 'Choose a status first. Until then, <b>Fetch Test Event</b> is grey.',
		name: 'statusNotice',
		type: 'notice',
		default: '',
		...shownFor('chargeStatus'),
	},
	{
		...chargeStatusField(
			'The status that starts the workflow. The list shows the statuses of the newest charges; others can be typed.',
			{ required: true },
		),
		...shownFor('chargeStatus'),
	},
	{
		displayName: 'Days Before Due',
		name: 'days',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 365, numberPrecision: 0 },
		default: 3,
		description:
			"How many days before its due date an invoice starts the workflow, in the workflow's time zone. 0 is the due date itself.",
		...shownFor('invoiceDueSoon'),
		rule: integer({ min: 0, max: 365 }),
	},
	{
		displayName: 'Days Overdue',
		name: 'days',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365, numberPrecision: 0 },
		default: 7,
		description:
			"How many days after its due date an invoice starts the workflow, in the workflow's time zone",
		...shownFor('invoiceOverdueByDays'),
		rule: integer({ min: 1, max: 365 }),
	},
	startWithField(
		[
			{
				name: 'Only New Charges',
				value: 'newOnly',
				description: 'Charges made after the workflow is published',
			},
			{
				name: 'Charges Since',
				value: 'since',
				description:
					'Charges created at or after a certain time, then new ones. Those that have started the workflow before start it again.',
			},
			{
				name: 'All Existing Charges',
				value: 'all',
				description: 'All charges, oldest first, then new ones',
			},
		],
		['newCharge'],
	),
	startWithField(
		[
			{
				name: 'Only New',
				value: 'newOnly',
				description: 'What happens after the workflow is published',
			},
			{
				name: 'All Existing',
				value: 'all',
				description: 'Also everything that is in this state already',
			},
		],
		allButNewCharge,
	),
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { event: ['newCharge'], startWith: ['since'] } },
		description:
			"Charges created at or after this time start the workflow, oldest first, then new ones. In the workflow's time zone unless the value has its own. A changed time starts over from there, so charges come again.",
		rule: moment(),
	},
	{
		...filtersField(
			chargeFilters(),
			'Only charges that match all filters start the workflow. After a change, the trigger continues with charges made since the last poll.',
		),
		...shownFor('newCharge'),
	},
	{
		...filtersField(
			chargeFilters().filter(({ name }) => name !== 'status'),
			'Only charges that match all filters start the workflow. After you change a filter, only later events start it.',
		),
		...shownFor('chargeStatus'),
	},
	{
		...filtersField(
			invoiceFilters(),
			'Only invoices that match all filters start the workflow. After you change a filter, only later events start it.',
		),
		...shownFor(...ofInvoices),
	},
	{ ...simplifyField, ...shownFor(...ofCharges, ...ofInvoices) },
	{
		...optionsField(includeCardData, lookBack, maxPerRun, pageSize),
		...shownFor('newCharge'),
	},
	{ ...optionsField(includeCardData, maxPerRun, pageSize), ...shownFor('chargeStatus') },
	{ ...optionsField(maxPerRun, pageSize), ...shownFor(...ofInvoices) },
	{ ...optionsField(maxPerRun), ...shownFor(...ofMembers) },
];
