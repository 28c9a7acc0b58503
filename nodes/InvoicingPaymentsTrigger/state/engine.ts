import type { IPollFunctions } from 'n8n-workflow';
import { isObserved } from '../../shared/n8nInternals';

/** n8n gives less time than this to polls of its scheduler, and exactly this to all others. */
const unlimited = 300_000;
/** Activation takes at most 84 s, and the user waits for it. */
const forActivation = 30_000;
/** What is new is to come soon, so that a long list is better read in parts. */
const forOthers = 240_000;
/** n8n gives up a scheduled poll after 1.25 times its budget, or later; a little is left for what comes between. */
const timeoutFactor = 1.2;

const known = new WeakSet<object>();

/** What kind of poll this is. */
export interface PollContextInfo {
	/** n8n polls once when a workflow is activated, and when it starts. */
	isActivation: boolean;
	/** Whether the user sees an error of it, rather than the log only. */
	isWatched: boolean;
	/** Whether n8n's scheduler runs it, which begins every poll with what is saved. */
	isScheduled: boolean;
	/**
	 * Whether n8n keeps what is remembered for the node apart: it commits it after every poll, together with the execution if
	 * there are items. Otherwise it is static data, saved when items come.
	 */
	isDurable: boolean;
	/** How long it may take, in milliseconds. */
	time: number;
	/** When n8n has given it up and drops what comes of it, in milliseconds from its beginning. */
	limit: number;
}

/**
 * Tells polls apart, which n8n does not: without its scheduler one context serves the poll at activation and all that follow;
 * with it every scheduled poll has a context, and a budget, of its own. Static data is observed, durable cursors are not.
 */
export function pollContextInfo(context: IPollFunctions): PollContextInfo {
	// Not there before n8n 2.38.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? unlimited;
	const isScheduled = budget < unlimited;
	const isActivation = !isScheduled && !known.has(context);
	known.add(context);
	return {
		isActivation,
		isWatched: ['activate', 'update'].includes(context.getActivationMode()),
		isScheduled,
		isDurable: !isObserved(context.getWorkflowStaticData('node')),
		time: isActivation ? forActivation : Math.min(budget, forOthers),
		limit: isScheduled ? budget * timeoutFactor : Infinity,
	};
}
