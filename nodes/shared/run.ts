import type { IExecuteSingleFunctions, ITaskDataConnections } from 'n8n-workflow';
import type { Queue } from './queue';

/** What an item asks of the node itself rather than of the service. Named like the parameters of the API where there is one. */
export interface ItemSettings {
	/** What the answer is (spec 4): one object unless said otherwise. */
	answer?: 'object' | 'page' | 'array';
	return_all?: boolean;
	limit?: number;
	page?: number;
	page_size?: number;
	include_card_data?: boolean;
}

/** What the items of one run of a node know of each other. n8n prepares all items before the first request goes out. */
export class Run {
	/** Items that were prepared so far, and those whose fields have problems. */
	prepared = 0;
	private readonly problems = new Map<number, string[]>();
	private readonly settings = new Map<number, ItemSettings>();
	/** In which requests wait for their turn; known once the credential was read. */
	queue?: Queue;
	/** The first item that failed for good; nothing is sent after it. */
	failed = false;

	set(itemIndex: number, settings: ItemSettings): void {
		this.settings.set(itemIndex, { ...this.settingsOf(itemIndex), ...settings });
	}

	settingsOf(itemIndex: number): ItemSettings {
		return this.settings.get(itemIndex) ?? {};
	}

	addProblems(itemIndex: number, problems: string[]): void {
		this.problems.set(itemIndex, [...(this.problems.get(itemIndex) ?? []), ...problems]);
	}

	problemsOf(itemIndex: number): string[] {
		return this.problems.get(itemIndex) ?? [];
	}

	/** All problems in the order of the items, each with its item. */
	allProblems(): string[] {
		return [...this.problems.entries()]
			.sort(([a], [b]) => a - b)
			.flatMap(([item, problems]) => problems.map((problem) => `${problem} [item ${item}]`));
	}

	get hasProblems(): boolean {
		return this.problems.size > 0;
	}
}

const runs = new WeakMap<object, Run>();

/** n8n's contexts hold the input of their run; the public interface gives one item of it only. */
type WithInput = IExecuteSingleFunctions & { inputData?: ITaskDataConnections };

/**
 * What all items of a run share and no other run has: its input. The execute data will not do, because all tools of an AI
 * agent are called with that of the agent.
 */
const inputOf = (context: WithInput): ITaskDataConnections | undefined => context.inputData;
const keyOf = (context: IExecuteSingleFunctions): object =>
	inputOf(context) ?? context.getExecuteData();

/** The run that an item belongs to. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const key = keyOf(context);
	const run = runs.get(key) ?? new Run();
	runs.set(key, run);
	return run;
}

/** Notes that n8n prepared an item. Item 0 begins a new run: "Retry On Fail" runs all items again with the same input. */
export function notePrepared(context: IExecuteSingleFunctions): void {
	if (context.getItemIndex() === 0) runs.delete(keyOf(context));
	runOf(context).prepared += 1;
}

/**
 * How many items n8n has prepared when it sends item `itemIndex`: all of them, or with its batching switched on, all up to
 * the end of that item's batch. Fewer mean that n8n gave up on a later item (a broken expression, say) and ended the node.
 */
export function expectedPrepared(context: IExecuteSingleFunctions, itemIndex: number): number {
	const input = inputOf(context);
	// As RoutingNode reads them: the items of a tool come by another connection.
	const total = (input?.main ?? input?.ai_tool)?.[0]?.length ?? 0;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	if (batchInterval <= 0) return total;
	const size = batchSize > 0 ? batchSize : 1;
	return Math.min(total, (Math.floor(itemIndex / size) + 1) * size);
}
