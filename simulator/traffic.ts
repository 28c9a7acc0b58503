import type { ServerResponse, Socket } from '../tools/node';

/** One request to the API as the simulator saw it. Never holds the key. */
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

/** What a test in the same process does to one request: it answers itself, in bytes of its own. */
export interface Tampered {
	/** Whether the service does what was asked before. */
	isDone: boolean;
	/** `right`: the answer that would be sent, or an empty object where nothing was done. */
	send(raw: ServerResponse, right: { status: number; text: string }): Promise<void>;
}

const keep = 20_000;

/** Counts requests and connections, so that a test can tell what a client really did. */
export class Traffic {
	requests: SeenRequest[] = [];
	/** Called with each request; what it gives answers it. */
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

	/** Connections that are closed already are not counted: Node tells of their end after it told of new ones. */
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

	/** Forgets what was seen; what is open stays counted. */
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
