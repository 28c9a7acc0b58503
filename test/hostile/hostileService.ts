import { createServer } from '../../tools/node';
import type { World } from '../../simulator/world';
import type { Simulator } from '../../simulator/server';
import type { SeenRequest, Tampered } from '../../simulator/traffic';
import type { Dice } from '../helpers/anySheet/dice';
import type { Answer } from './answer';
import { answerOf, hasHeader, send, textOf } from './answer';
import type { Change, Memory } from './change';

/** What a case does to the answers that it gets. */
export interface Plan {
	changes: Change[];
	/** Whether the answer to this request, counted from 1, is changed. */
	hits(request: { count: number; method: string }): boolean;
	/** Whether the service does the work of a request although its answer is a failure. */
	isDone: boolean;
	dice: Dice;
}

/** A request, and what was answered. */
export interface Exchange {
	method: string;
	body: unknown;
	status: number;
	/** The body as it was before it was packed or cut. */
	text: string;
	/** Whether the whole answer was sent, as an answer of HTTP. */
	isWhole: boolean;
}

/** So many requests a case may send; then every connection is reset. */
const most = 400;

/** An answer that says that nothing was done; so do redirects that ask for the same request elsewhere. */
export const isRefusal = (status: number) =>
	(status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;

/** A service that answers as a plan wants it, and a foreign host that nobody is to call. */
export class HostileService {
	/** What came since the case began. */
	exchanges: Exchange[] = [];
	/** Requests that came to the foreign host. */
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

	/** Begins a case; without a plan all answers are right. */
	begin(plan?: Plan): void {
		const { apiKey } = this.world.settings;
		const memory: Memory = { made: 0, apiKey, foreignUrl: this.foreignUrl };
		const exchanges: Exchange[] = (this.exchanges = []);
		this.world.traffic.tamper = (request) => tampered(request, exchanges, memory, plan);
	}
}

/** Notes the request, and decides what is answered. */
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
		return count > most ? { ...answer, cutAt: 0, end: 'reset' } : answer;
	};
	const isFailure = changes.some((one) => one.isFailure);
	const failed = isFailure ? changed(200, '{}') : undefined;
	return {
		isDone: !failed || (plan?.isDone === true && !isRefusal(failed.status)),
		send: async (raw, { status, text }) => await send(raw, failed ?? changed(status, text)),
	};
}
