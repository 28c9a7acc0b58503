import { includeCardData } from '../shared/descriptions/cardData';
import { chargeFilters } from '../shared/descriptions/chargeFilters';
import { simplifyField } from '../shared/descriptions/simplifyField';
import type { Field } from '../shared/fields/field';
import { integer, moment, option } from '../shared/fields/rules';

/** What the trigger can be set to. */
export const fields: Field[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'New Charge',
				value: 'newCharge',
				description: 'A new charge appears, including failed attempts',
			},
		],
		default: 'newCharge',
		description: 'The event that starts the workflow. Each charge starts it once.',
	},
	{
		displayName: 'Start With',
		name: 'startWith',
		type: 'options',
		noDataExpression: true,
		// By how much of the past they include.
		options: [
			{
				name: 'Only New Charges',
				value: 'newOnly',
				description: 'Charges made after the workflow is published',
			},
			{
				name: 'Charges Since',
				value: 'since',
				description: 'Charges created at or after a certain time',
			},
			{
				name: 'All Existing Charges',
				value: 'all',
				description: 'All charges, oldest first, then new ones',
			},
		],
		default: 'newOnly',
		description:
			'Where to start when the workflow is first published. After that it resumes where it left off, even after a pause. To start over, change this field.',
		rule: option(['newOnly', 'since', 'all']),
	},
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { startWith: ['since'] } },
		description:
			"Charges created at or after this time start the workflow. In the workflow's time zone unless the value has its own.",
		rule: moment(),
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description:
			'Only charges that match all filters start the workflow. After a change, the trigger continues with charges made since the last poll.',
		options: chargeFilters(),
	},
	simplifyField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			includeCardData,
			{
				displayName: 'Look Back (Minutes)',
				name: 'lookBackMinutes',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10_080 },
				default: 60,
				description: 'How late (in minutes) a charge may appear and still be picked up',
				rule: integer({ min: 1, max: 10_080 }),
			},
			{
				displayName: 'Max Charges per Run',
				name: 'maxChargesPerRun',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10_000 },
				default: 1000,
				description:
					'Max number of charges per execution. The rest start the next one, oldest first.',
				rule: integer({ min: 1, max: 10_000 }),
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'Charges requested per page. Does not affect how many start the workflow.',
				rule: integer({ min: 1 }),
			},
		],
	},
];
