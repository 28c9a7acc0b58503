import type { IPollFunctions } from 'n8n-workflow';
import { isObserved } from '../../shared/n8nInternals';

/** Budget of polls that n8n's scheduler does not run. The scheduler gives less (milliseconds). */
const unlimited = 300_000;
/** n8n would allow 84 s, but the user is waiting. */
const activationTime = 30_000;
/** Long lists take several polls, so that new results arrive soon. */
const maxPollTime = 240_000;
/** n8n drops a scheduled poll after 1.25 times its budget, so this must be lower. */
const timeoutFactor = 1.2;

/** Not part of the trigger, which is forgotten after a day: some workflows poll once a week. */
const seenContexts = new WeakSet<object>();

/** How n8n runs this poll. By default, n8n has neither its scheduler nor durable cursors. */
export interface PollContextInfo {
	/** n8n polls once when a workflow is activated, and when n8n starts. */
	isActivation: boolean;
	/** The user sees errors, which are otherwise only logged. */
	isWatched: boolean;
	/** n8n's scheduler runs the poll, and starts it from saved state. */
	isScheduled: boolean;
	/** n8n commits the state after each poll. Otherwise n8n only saves the state of polls with items. */
	isDurable: boolean;
	budgetMs: number;
	/** After this time n8n drops the result. */
	maxDurationMs: number;
}

/** Without n8n's scheduler, all polls since activation share one context. With it, each poll has its own (N5). */
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
		budgetMs: isActivation ? activationTime : Math.min(budget, maxPollTime),
		maxDurationMs: isScheduled ? budget * timeoutFactor : Infinity,
	};
}
