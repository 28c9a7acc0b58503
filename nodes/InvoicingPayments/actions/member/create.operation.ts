import { email, option, text } from '../../../shared/fields/rules';
import { fetchCreated } from '../../../shared/pagination/fetchResults';
import type { Operation } from '../../execution/operation';
import { options } from '../common/fields';

/** spec 4.5 */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create team member',
	description: 'Add a new person to the team of the account',
	routing: { request: { method: 'POST', url: '/v1/members' } },
	fields: [
		{
			displayName: 'First Name',
			name: 'firstName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Katarzyna',
			description: 'First name of the person, 2 to 50 characters',
			routing: { send: { type: 'body', property: 'first_name' } },
			rule: text({ minLength: 2, maxLength: 50 }),
		},
		{
			displayName: 'Last Name',
			name: 'lastName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Dąbrowska',
			description: 'Last name of the person, 2 to 50 characters',
			routing: { send: { type: 'body', property: 'last_name' } },
			rule: text({ minLength: 2, maxLength: 50 }),
		},
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			placeholder: 'name@email.com',
			required: true,
			default: '',
			description: 'Email address of the person',
			routing: { send: { type: 'body', property: 'email' } },
			rule: email(),
		},
		{
			displayName: 'Job Title',
			name: 'jobTitle',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Accountant',
			description: 'Job title of the person, up to 50 characters',
			routing: { send: { type: 'body', property: 'job_title' } },
			rule: text({ maxLength: 50 }),
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
			description: 'Permissions of the person in the account',
			routing: { send: { type: 'body', property: 'role' } },
			rule: option(['admin', 'manager', 'staff']),
		},
		options(),
	],
	response: 'object',
	createdNoun: 'team member',
	perform: async (client, request) =>
		await fetchCreated(client, request, {
			noun: 'team member',
			fields: ['role', 'job_title', 'user', 'volume', 'volume_currency'],
		}),
};
