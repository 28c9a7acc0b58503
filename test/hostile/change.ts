import type { Dice } from '../helpers/anySheet/dice';
import type { Answer } from './answer';

/** What is kept from one request of a case to the next. */
export interface Memory {
	firstBody?: Buffer;
	made: number;
	/** The key of the case, for services that repeat it. */
	apiKey: string;
	/** A host that must not get any request. */
	foreignUrl: string;
}

/** One way in which an answer is not what it should be. */
export interface Change {
	name: string;
	/** How often it is drawn, compared with others. */
	weight: number;
	/** Whether the answer cannot be taken for a success, so that the service need not have done anything. */
	isFailure?: boolean;
	/** Nothing answers in time: it costs the time-out of the request. */
	isSlow?: boolean;
	apply(answer: Answer, dice: Dice, memory: Memory): void;
}

/** A change, how often it is drawn, and what it does. */
export const change = (
	name: string,
	weight: number,
	apply: Change['apply'],
	more: Partial<Change> = {},
): Change => ({ name, weight, apply, ...more });

export const failure = { isFailure: true };
