import type { IPollFunctions } from 'n8n-workflow';
import { isObserved } from '../../shared/n8nInternals';

/** n8n's scheduler gives polls less time than this (milliseconds), all others exactly this. */
const unlimited = 300_000;
/** Activation may take 84 s, but the user waits for it. */
const activationTime = 30_000;
/** A long list is read in parts, so that new results arrive soon. */
const maxPollTime = 240_000;
/** n8n gives up a scheduled poll after 1.25 times its budget, or later. Keep a reserve. */
const timeoutFactor = 1.2;

const seenContexts = new WeakSet<object>();

export interface PollContextInfo {
	/** n8n polls once when a workflow is activated, and when n8n starts. */
	isActivation: boolean;
	/** The user sees an error, not only the log. */
	isWatched: boolean;
	/** n8n's scheduler runs it, and starts each poll from saved state. */
	isScheduled: boolean;
	/** n8n commits the state after each poll, with its execution. Otherwise n8n saves it with items only. */
	isDurable: boolean;
	/** In milliseconds. */
	time: number;
	/** n8n drops the result after this time, in milliseconds. */
	limit: number;
}

/**
 * Tells what kind of poll this is, as n8n does not. Without its scheduler, one context serves all polls from the
 * activation on. With it, each poll has its own context and budget. Static data is observed by n8n, durable cursors
 * are not.
 */
export function pollContextInfo(context: IPollFunctions): PollContextInfo {
	// Missing before n8n 2.38.
	const budget = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? unlimited;
	const isScheduled = budget < unlimited;
	const isActivation = !isScheduled && !seenContexts.has(context);
	seenContexts.add(context);
	return {
		isActivation,
		isWatched: ['activate', 'update'].includes(context.getActivationMode()),
		isScheduled,
		isDurable: !isObserved(context.getWorkflowStaticData('node')),
		time: isActivation ? activationTime : Math.min(budget, maxPollTime),
		limit: isScheduled ? budget * timeoutFactor : Infinity,
	};
}
