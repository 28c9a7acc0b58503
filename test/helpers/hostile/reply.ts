import type { Dice } from '../anySheet/dice';

/** An HTTP answer as it goes over the wire, which need not be one. */
export interface Reply {
	status: number;
	reason: string;
	headers: Array<[string, string]>;
	body: Buffer;
	/** How the length of the body is told: rightly, as chunks, not at all, or as this header says. */
	length: 'right' | 'chunked' | 'none' | number;
	/** What comes before the status line. */
	interim: string;
	/** Instead of the status line and the headers. */
	head?: string;
	/** Of the head and the body, so many bytes are sent. */
	cutAt?: number;
	/** What happens then. */
	end: 'close' | 'reset' | 'never';
	/** Instead of all at once, one byte of the body every so many milliseconds. */
	everyMs?: number;
}

/** What the proxy keeps from one request of a case to the next. */
export interface CaseMemory {
	firstBody?: Buffer;
	made: number;
	/** The key of the case, for services that repeat it. */
	apiKey: string;
	/** A host that must not get any request. */
	foreignUrl: string;
	/** The number of the page that was asked for. */
	page: number;
}

/** One way in which an answer is not what it should be. */
export interface Mutation {
	name: string;
	/** How often it is drawn, compared with others; 1 unless given. */
	weight?: number;
	/** Whether the answer cannot be taken for a success, so that the service need not have done anything. */
	isFailure?: boolean;
	/** Nothing answers in time: it costs the time-out of the request. */
	isSlow?: boolean;
	apply(reply: Reply, dice: Dice, memory: CaseMemory): void;
}

/** The value of a header, in lower case. */
export const headerOf = (reply: Reply, name: string) =>
	reply.headers.find(([own]) => own.toLowerCase() === name)?.[1];

export function setHeader(reply: Reply, name: string, value: string): void {
	reply.headers = reply.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase());
	reply.headers.push([name, value]);
}

/** The body as any client would read it. */
export const textOf = ({ body }: Pick<Reply, 'body'>) => new TextDecoder().decode(body);
