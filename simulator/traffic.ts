import type { ServerResponse, Socket } from '../tools/node';

/** Never holds the key. */
export interface SeenRequest {
	at: number;
	method: string;
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	authorised: boolean;
	status?: number;
	fault?: string;
}

/** A test in the same process answers this request. */
export interface Tampered {
	/** Whether the service processes the request first. */
	isDone: boolean;
	/** `right`: the response of the service, or an empty object. */
	send(raw: ServerResponse, right: { status: number; text: string }): Promise<void>;
}

const keep = 20_000;

export class Traffic {
	requests: SeenRequest[] = [];
	tamper?: (request: SeenRequest) => Tampered | undefined;
	requestCount = 0;
	connectionCount = 0;
	mostOpenConnections = 0;
	private readonly sockets = new Set<Socket>();
	private inFlight = 0;
	mostInFlight = 0;

	opened(socket: Socket): void {
		this.connectionCount += 1;
		this.sockets.add(socket);
		socket.once('close', () => this.sockets.delete(socket));
		this.mostOpenConnections = Math.max(this.mostOpenConnections, this.openConnections);
	}

	/** Node reports closed connections only after new ones, so they are not counted here. */
	get openConnections(): number {
		return [...this.sockets].filter(({ destroyed }) => !destroyed).length;
	}

	started(request: SeenRequest): void {
		this.requestCount += 1;
		this.inFlight += 1;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		this.requests.push(request);
		if (this.requests.length > keep) this.requests.shift();
	}

	ended(): void {
		this.inFlight -= 1;
	}

	/** Open connections and requests stay counted. */
	reset(): void {
		this.requests = [];
		this.tamper = undefined;
		this.requestCount = 0;
		this.connectionCount = 0;
		this.mostOpenConnections = this.openConnections;
		this.mostInFlight = this.inFlight;
	}

	summary() {
		const { requestCount, connectionCount, openConnections, mostOpenConnections, mostInFlight } =
			this;
		return { requestCount, connectionCount, openConnections, mostOpenConnections, mostInFlight };
	}
}
