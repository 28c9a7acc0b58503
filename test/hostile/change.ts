import type { Dice } from '../helpers/dice';
import type { Answer } from './answer';

/** State between the requests of a case. */
export interface Memory {
	firstBody?: Buffer;
	made: number;
	/** For services that repeat the key. */
	apiKey: string;
	/** A host that must get no request. */
	foreignUrl: string;
}

/** A way to spoil a response. */
export interface Change {
	name: string;
	/** Relative probability. */
	weight: number;
	/** The response never looks like a success, so the service may not have done anything. */
	isFailure?: boolean;
	/** The request times out. */
	isSlow?: boolean;
	apply(answer: Answer, dice: Dice, memory: Memory): void;
}

export const change = (
	name: string,
	weight: number,
	apply: Change['apply'],
	more: Partial<Change> = {},
): Change => ({ name, weight, apply, ...more });

export const failure = { isFailure: true };
