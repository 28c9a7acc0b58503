import { createServer } from '../../tools/node';
import type { World } from '../../simulator/world';
import type { Simulator } from '../../simulator/server';
import type { SeenRequest, Tampered } from '../../simulator/traffic';
import type { Dice } from '../helpers/dice';
import type { Answer } from './answer';
import { answerOf, hasHeader, send, textOf } from './answer';
import type { Change, Memory } from './change';

/** What happens to the responses of a case. */
export interface Plan {
	changes: Change[];
	/** Whether the response to this request, counted from 1, is changed. */
	hits(request: { count: number; method: string }): boolean;
	/** Whether the service does the work although the response is a failure. */
	isDone: boolean;
	dice: Dice;
}

/** A request and its response. */
export interface Exchange {
	method: string;
	body: unknown;
	status: number;
	/** The body before compression and cuts. */
	text: string;
	/** Whether a whole HTTP response was sent. */
	isWhole: boolean;
}

/** After this many requests of a case, the service resets every connection. */
const maxRequests = 400;

/** The status says that nothing was done, as do redirects of the same request. */
export const isRefusal = (status: number) =>
	(status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;

/** A service that responds according to a plan, and a foreign host that must get no request. */
export class HostileService {
	/** Requests of this case. */
	exchanges: Exchange[] = [];
	/** Requests to the foreign host. */
	readonly foreign: string[] = [];
	private foreignUrl = '';
	private readonly foreignHost = createServer((request, response) => {
		this.foreign.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		response.end('{}');
	});

	constructor(private readonly simulator: Simulator) {}

	get world(): World {
		return this.simulator.world;
	}

	get credential() {
		return { apiKey: this.world.settings.apiKey, baseUrl: this.simulator.url };
	}

	async open(): Promise<void> {
		await new Promise<void>((resolve) => this.foreignHost.listen(0, '127.0.0.1', resolve));
		const { port } = this.foreignHost.address() as { port: number };
		this.foreignUrl = `http://127.0.0.1:${port}`;
	}

	async close(): Promise<void> {
		this.foreignHost.closeAllConnections();
		await new Promise((resolve) => this.foreignHost.close(resolve));
	}

	/** Starts a case. Without a plan, all responses are correct. */
	begin(plan?: Plan): void {
		const { apiKey } = this.world.settings;
		const memory: Memory = { made: 0, apiKey, foreignUrl: this.foreignUrl };
		const exchanges: Exchange[] = (this.exchanges = []);
		this.world.traffic.tamper = (request) => tampered(request, exchanges, memory, plan);
	}
}

/** Records the request and decides on the response. */
function tampered(
	{ method, body }: SeenRequest,
	exchanges: Exchange[],
	memory: Memory,
	plan?: Plan,
): Tampered {
	const exchange: Exchange = { method, body, status: 0, text: '', isWhole: true };
	exchanges.push(exchange);
	const count = exchanges.length;
	const changes = plan?.hits({ count, method }) ? plan.changes : [];
	const changed = (status: number, text: string): Answer => {
		const answer = answerOf(status, text);
		exchange.text = text;
		for (const { apply } of plan ? changes : []) {
			apply(answer, plan!.dice, memory);
			if (!hasHeader(answer, 'content-encoding')) exchange.text = textOf(answer);
		}
		const { cutAt, end, everyMs, head } = answer;
		exchange.status = answer.status;
		exchange.isWhole = cutAt === undefined && end === 'close' && everyMs === undefined && !head;
		return count > maxRequests ? { ...answer, cutAt: 0, end: 'reset' } : answer;
	};
	const isFailure = changes.some((one) => one.isFailure);
	const failed = isFailure ? changed(200, '{}') : undefined;
	return {
		isDone: !failed || (plan?.isDone === true && !isRefusal(failed.status)),
		send: async (raw, { status, text }) => await send(raw, failed ?? changed(status, text)),
	};
}
