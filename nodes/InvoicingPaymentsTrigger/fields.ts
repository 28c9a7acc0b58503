import type { INodeProperties } from 'n8n-workflow';
import { chargeFilters, includeCardData } from '../shared/chargeFields';
import { integer, moment, option } from '../shared/rules';
import { send } from '../shared/send';
import { simplifyField } from '../shared/simplify';

/** What the trigger can be set to, and which setting of {@link Wishes} each field becomes. */
export const fields: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'New Charge',
				value: 'newCharge',
				description: 'A customer has paid, or tried to: a charge is in the list of the service',
			},
		],
		default: 'newCharge',
		description: 'What starts the workflow. Each charge starts it once.',
	},
	{
		displayName: 'Start With',
		name: 'startWith',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Only New Charges',
				value: 'newOnly',
				description: 'Charges that come in after the workflow was published',
			},
			{
				name: 'Charges Since',
				value: 'since',
				description: 'Charges that were created at a certain time or later, and new ones',
			},
			{
				name: 'All Existing Charges',
				value: 'all',
				description: 'Every charge that the service lists, oldest first, and new ones',
			},
		],
		default: 'newOnly',
		description:
			'Which charges start the workflow when it is published (activated) for the first time. Later it goes on where it was, also after it was unpublished for a while. To begin anew, change this field.',
		routing: send(
			'setting',
			'start_with',
			option('Start With', ['newOnly', 'since', 'all'], { required: true }),
		),
	},
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { startWith: ['since'] } },
		description:
			'Charges created at this time or later start the workflow. In the time zone of the workflow unless it says another.',
		routing: send('setting', 'since', moment('Since', { required: true })),
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description:
			'Only charges that match all of these start the workflow. After a change it goes on with the charges that came in since it last looked.',
		options: chargeFilters,
	},
	simplifyField(),
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
				description:
					'How many minutes later than it was created a charge may show up in the list and still start the workflow. Late charges are looked for every quarter of this time.',
				routing: send(
					'setting',
					'look_back_minutes',
					integer('Look Back (Minutes)', { min: 1, max: 10_080 }),
				),
			},
			{
				displayName: 'Max Charges per Run',
				name: 'maxChargesPerRun',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10_000 },
				default: 1000,
				description:
					'How many charges one execution gets at most. What is left starts the next one, oldest first.',
				routing: send(
					'setting',
					'max_charges_per_run',
					integer('Max Charges per Run', { min: 1, max: 10_000 }),
				),
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description:
					'How many charges to ask for in one request. The service may give fewer; nothing gets lost.',
				routing: send('setting', 'page_size', integer('Page Size', { min: 1 })),
			},
		],
	},
];
