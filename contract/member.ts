import { z } from 'zod/v4';
import { idPath, memberVolumeDecimal, userSummary, uuid } from './primitives';

/** spec 3 */
export const memberStatus = z.enum(['invited', 'enabled', 'disabled']);

/** spec 2.11 */
export const member = z.object({
	id: uuid,
	role: z.string(),
	job_title: z.string(),
	user: userSummary,
	status: memberStatus,
	volume: memberVolumeDecimal.optional(),
	volume_currency: z.string().optional(),
});

/** The body of POST /v1/members (spec 4.5, 8). */
export const memberRequest = z.object({
	first_name: z.string().min(2).max(50),
	last_name: z.string().min(2).max(50),
	email: z.email(),
	job_title: z.string().max(50),
	role: z.enum(['admin', 'manager', 'staff']),
});

export const memberEndpoints = {
	/** spec 4.5 */
	createMember: {
		method: 'POST',
		path: '/v1/members',
		body: memberRequest,
		result: member,
		response: member,
	},
	/** spec 4.6 */
	getMember: {
		method: 'GET',
		path: '/v1/members/{id}',
		params: idPath,
		result: member,
		response: member,
	},
	/** spec 4.7 */
	listMembers: {
		method: 'GET',
		path: '/v1/members',
		result: member,
		response: z.array(member),
	},
} as const;
