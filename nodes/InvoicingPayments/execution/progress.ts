import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';

/** Milliseconds between two messages. */
const interval = 5000;

/**
 * Tells how many of how many are done, every few seconds: in n8n's log, and in the console of the browser in which somebody runs
 * the workflow. A node can show nothing in the editor while it runs.
 */
export class Progress {
	private done = 0;
	private toldAt = clock.now();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly total: number,
		private readonly noun: string,
	) {}

	step(): void {
		this.done += 1;
		if (clock.now() - this.toldAt < interval || this.done === this.total) return;
		this.toldAt = clock.now();
		const message = `${this.context.getNode().name}: ${this.done} of ${this.total} ${this.noun}s are done`;
		this.context.logger.info(message);
		this.context.sendMessageToUI(message);
	}
}
