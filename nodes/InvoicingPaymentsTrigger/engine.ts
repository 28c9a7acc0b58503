import type { IPollFunctions } from 'n8n-workflow';

/** n8n gives less time than this to polls of its durable scheduler, and exactly this to all others. */
const unlimited = 300_000;
/** Activation takes at most 84 s, and the user waits for it. */
const forActivation = 30_000;
/** Charges are to come soon, so that a long list is better read in parts. */
const forOthers = 240_000;

const known = new WeakSet<object>();

/** What kind of poll this is. */
export interface Occasion {
	/** n8n polls once when a workflow is activated, and when it starts. */
	isActivation: boolean;
	/** Whether the user sees an error of it, rather than the log only. */
	isWatched: boolean;
	/** Whether n8n's durable scheduler runs it, which commits cursors and waits after errors. */
	isDurable: boolean;
	/** How long it may take, in milliseconds. */
	time: number;
}

/**
 * Tells polls apart, which n8n does not: without its durable scheduler one context serves the poll at activation and all that
 * follow; with it every scheduled poll has a context, and a budget, of its own.
 */
export function occasionOf(context: IPollFunctions): Occasion {
	// Not there before n8n 2.38.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? unlimited;
	const isDurable = budget < unlimited;
	const isActivation = !isDurable && !known.has(context);
	known.add(context);
	return {
		isActivation,
		isWatched: ['activate', 'update'].includes(context.getActivationMode()),
		isDurable,
		time: isActivation ? forActivation : Math.min(budget, forOthers),
	};
}
