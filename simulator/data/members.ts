import type { Member, MemberRequest } from '../../contract';
import { member } from '../../contract';
import { Draw } from '../draw';
import { firstNames, lastNames } from './people';
import { withReturned } from './returned';

/** The member that the service makes of a request (spec 4.5, 2.11). */
export function makeMember(draw: Draw, request: MemberRequest, status: Member['status']): Member {
	const shown = {
		id: draw.uuid(),
		user: { id: draw.uuid(), first_name: request.first_name, last_name: request.last_name },
		status,
		volume: '0.000',
		volume_currency: 'EUR',
	};
	return withReturned(shown, request, member);
}

export function seededMember(seed: number, index: number): Member {
	const draw = new Draw(seed, 'member', index);
	const request: MemberRequest = {
		first_name: draw.pick(firstNames),
		last_name: draw.pick(lastNames),
		email: `member${index + 1}@team.example`,
		job_title: draw.pick(['Accountant', 'Sales', 'Support', 'Shop manager']),
		role: draw.pick(['admin', 'manager', 'staff']),
	};
	return makeMember(draw, request, draw.pick(['invited', 'enabled', 'enabled', 'disabled']));
}
