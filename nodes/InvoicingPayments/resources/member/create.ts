import type { INodeProperties } from 'n8n-workflow';
import { options } from '../../../shared/optionFields';
import { email, option, text } from '../../../shared/rules';
import { send } from '../../../shared/send';

const show = { resource: ['member'], operation: ['create'] };
const required = true;

/** spec 4.5 */
export const memberCreate: INodeProperties[] = [
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Katarzyna',
		description: 'First name of the person, 2 to 50 characters',
		displayOptions: { show },
		routing: send(
			'body',
			'first_name',
			text('First Name', { required, minLength: 2, maxLength: 50 }),
		),
	},
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Dąbrowska',
		description: 'Last name of the person, 2 to 50 characters',
		displayOptions: { show },
		routing: send(
			'body',
			'last_name',
			text('Last Name', { required, minLength: 2, maxLength: 50 }),
		),
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'name@email.com',
		required: true,
		default: '',
		description: 'Email address of the person',
		displayOptions: { show },
		routing: send('body', 'email', email('Email', { required })),
	},
	{
		displayName: 'Job Title',
		name: 'jobTitle',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Accountant',
		description: 'What the person does, up to 50 characters',
		displayOptions: { show },
		routing: send('body', 'job_title', text('Job Title', { required, maxLength: 50 })),
	},
	{
		displayName: 'Role',
		name: 'role',
		type: 'options',
		required: true,
		options: [
			{ name: 'Administrator', value: 'admin' },
			{ name: 'Manager', value: 'manager' },
			{ name: 'Staff', value: 'staff' },
		],
		default: 'staff',
		description: 'What the person may do in the account',
		displayOptions: { show },
		routing: send('body', 'role', option('Role', ['admin', 'manager', 'staff'], { required })),
	},
	options(show),
];
