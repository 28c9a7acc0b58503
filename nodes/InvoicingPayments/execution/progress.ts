import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';

/** Milliseconds. */
const interval = 5000;

/** Reports progress in n8n's log and the browser's console: a running node can show nothing in the editor. */
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
