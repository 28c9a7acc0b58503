import type { Draw } from '../../simulator/draw';
import type { FaultInput } from '../../simulator/faults';
import type { Settings } from '../../simulator/settings';

/** Milliseconds until a slow service has created what it has not answered for. */
const late = 200;

/** What goes wrong with the next requests. `isPassing`: only what n8n may try again with success when a workflow is published. */
export function drawFault(draw: Draw, isPassing = false): FaultInput {
	const method = draw.pick([undefined, 'GET', 'POST'] as const);
	const path = draw.pick(['/v1', '/v1', '/v1/invoices', '/v1/charges']);
	const work = draw.pick(['none', 'done', { lateMs: late }] as const);
	const done = draw.pick(['none', 'done'] as const);
	const status = draw.pick([429, 429, 500, 502, 503, 504, 520]);
	const retryAfter = draw.chance(40)
		? { seconds: draw.int(1, 40), as: draw.pick(['seconds', 'date'] as const) }
		: undefined;
	const refusedWork = status === 429 ? 'none' : done;
	const passing: Array<FaultInput['action']> = [
		// Twice as often as the others.
		{ kind: 'status', status, work: refusedWork, retryAfter },
		{ kind: 'status', status, work: refusedWork, retryAfter },
		{ kind: 'timeout', work },
		{ kind: 'reset', work },
	];
	const strange: Array<FaultInput['action']> = [
		{ kind: 'cutJson' },
		{ kind: 'emptyBody' },
		{ kind: 'html' },
		{ kind: 'json', body: draw.pick([[], {}, null, { count: 0, results: null }]) },
		{ kind: 'drip', everyMs: 50, work: done },
		{ kind: 'raw', status: 200, body: '<?xml version="1.0"?>', contentType: 'application/xml' },
	];
	return {
		method,
		path,
		skip: draw.pick([0, 0, 1, 4]),
		times: draw.int(1, 4),
		action: draw.pick(isPassing ? passing : [...passing, ...strange]),
	};
}

/** Everything as it is at first. */
export const calm = {
	count: 'right',
	timestampTies: 'stable',
	listLagMs: 0,
	latency: 0,
	errorBody: 'detail',
	createdStatus: 201,
	pastTheEnd: 'empty',
} as const satisfies Partial<Settings>;

/** How the service behaves for a while. */
export function drawBehaviour(draw: Draw): Partial<Settings> {
	const counts = ['right', 'missing', 'pageLength', 'zero', 'cappedAt100', 'oneTooMany'] as const;
	return {
		...calm,
		count: draw.chance(50) ? 'right' : draw.pick(counts),
		timestampTies: draw.pick(['stable', 'perPage', 'perRequest']),
		listLagMs: draw.pick([0, 0, 2_000, 8_000]),
		latency: draw.pick([0, 0, 0, 10, 40]),
		errorBody: draw.pick(['detail', 'message', 'text', 'html', 'empty']),
		createdStatus: draw.pick([200, 201]),
		pastTheEnd: draw.pick(['empty', 'notFound']),
	};
}
