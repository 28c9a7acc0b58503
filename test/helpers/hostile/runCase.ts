import { runNode } from '../engine';
import type { CaseResult, Lane } from './nodeCase';
import { runNodeCase } from './nodeCase';
import { faultyNodes, faultyTriggers } from './plants';
import { pollOf, runTriggerCase } from './triggerCase';

/** How cases of the node or of the trigger are run, with a fault that is planted or without. Throws an Error where there is no such fault. */
export function runCase(
	of: 'node' | 'trigger',
	plant?: string,
): (lane: Lane, seed: number) => Promise<CaseResult> {
	const known = <T>(own: T, faulty: Record<string, T>): T => {
		if (plant === undefined) return own;
		if (!(plant in faulty)) throw new Error(`There is no fault "${plant}"`);
		return faulty[plant];
	};
	if (of === 'trigger') {
		const poll = known(pollOf, faultyTriggers);
		return async (lane, seed) => await runTriggerCase(lane, seed, poll);
	}
	const run = known(runNode, faultyNodes);
	return async (lane, seed) => await runNodeCase(lane, seed, run);
}
