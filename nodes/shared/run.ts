import type {
	IDataObject,
	IExecuteSingleFunctions,
	ITaskDataConnections,
	NodeApiError,
} from 'n8n-workflow';
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

/** How an item ended: what came back, or why nothing did. */
export type ItemOutcome = { results: IDataObject[] } | { error: NodeApiError };

/** How n8n will prepare the items of a run. */
interface Plan {
	/** How many items the run has. */
	total: number;
	/** How many of them n8n has prepared when it sends item `itemIndex`. */
	expected: (itemIndex: number) => number;
	/** Which run of the node within the execution this is; the tries of one run share it. */
	runIndex?: number;
}

/** What the items of one run of a node know of each other. */
export class Run {
	/** How many items n8n has prepared so far: all of them before the first is sent, or those of a batch. */
	prepared = 0;
	lastPrepared = -1;
	/** In which requests wait for their turn. */
	queue?: Promise<Queue>;
	/** How the items that were sent ended. */
	readonly outcomes = new Map<number, ItemOutcome>();
	/** The items that failed, in the order in which they did. */
	readonly failedItems: number[] = [];
	/** The first item that has problems: it tells those of all. */
	firstWithProblems = Infinity;
	private underWay = 0;
	private readonly problems = new Map<number, string[]>();
	private readonly settings = new Map<number, ItemSettings>();
	private readonly whenIdle: Array<() => void> = [];
	private readonly whenPrepared: Array<() => void> = [];

	constructor(
		readonly plan: Plan,
		/** Creates that were, are or may have been done, in this try or in one before it: not to be sent again. */
		readonly creates: Map<number, Promise<ItemOutcome>> = new Map(),
	) {}

	set(itemIndex: number, settings: ItemSettings): void {
		this.settings.set(itemIndex, { ...this.settingsOf(itemIndex), ...settings });
	}

	settingsOf(itemIndex: number): ItemSettings {
		return this.settings.get(itemIndex) ?? {};
	}

	/** A create that a try before this one sent is not sent again, so its fields do not matter any more. */
	addProblems(itemIndex: number, problems: string[]): void {
		if (this.creates.has(itemIndex)) return;
		this.firstWithProblems = Math.min(this.firstWithProblems, itemIndex);
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

	/** Sends an item, and notes how it ended. */
	async track(itemIndex: number, send: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
		this.underWay += 1;
		try {
			const outcome = await send();
			this.outcomes.set(itemIndex, outcome);
			if ('error' in outcome) this.failedItems.push(itemIndex);
			return outcome;
		} finally {
			this.underWay -= 1;
			if (this.underWay === 0) this.whenIdle.splice(0).forEach((resolve) => resolve());
		}
	}

	/** Resolves when no item is under way any more. */
	async idle(): Promise<void> {
		if (this.underWay > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
	}

	notePrepared(itemIndex: number): void {
		this.lastPrepared = itemIndex;
		this.prepared += 1;
		if (this.prepared >= this.plan.total)
			this.whenPrepared.splice(0).forEach((resolve) => resolve());
	}

	/**
	 * Resolves when n8n has prepared all items. With batching it looks at no item's error before, and Node would report an error
	 * that nobody looks at.
	 */
	async allPrepared(): Promise<void> {
		if (this.prepared >= this.plan.total) return;
		await new Promise<void>((resolve) => this.whenPrepared.push(resolve));
	}
}

const runs = new WeakMap<object, Run>();

/** n8n's contexts hold the input and the number of their run; the public interface gives one item of it only. */
type WithInput = IExecuteSingleFunctions & {
	inputData?: ITaskDataConnections;
	runIndex?: number;
};

/**
 * What all items of a run share and no other run has: its input. The execute data will not do, because all tools of an AI
 * agent are called with that of the agent. With "Execute Once" n8n cuts the input anew for every try, but not its source.
 */
function keyOf(context: WithInput): object {
	const executeData = context.getExecuteData();
	const isOwn = executeData.node.name === context.getNode().name;
	if (isOwn && executeData.node.executeOnce) return executeData.data;
	return context.inputData ?? executeData;
}

/** The run that an item belongs to; it begins with {@link notePrepared}. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const run = runs.get(keyOf(context)) ?? new Run({ total: 0, expected: () => 0 });
	runs.set(keyOf(context), run);
	return run;
}

/**
 * Notes that n8n prepared an item. They come in order, so one that is not later than the last begins a new run: "Retry On Fail"
 * runs all items again with the same input. What a create of the try before did, or may have done, is kept, so that it is not
 * sent twice.
 */
export function notePrepared(context: WithInput): void {
	const itemIndex = context.getItemIndex();
	const before = runs.get(keyOf(context));
	if (before === undefined || itemIndex <= before.lastPrepared) {
		const plan = planOf(context);
		const isRetry = before !== undefined && before.plan.runIndex === plan.runIndex;
		runs.set(keyOf(context), new Run(plan, isRetry ? before.creates : undefined));
	}
	runOf(context).notePrepared(itemIndex);
}

/**
 * How many items n8n has prepared when it sends an item: all of them, or with its batching switched on, all up to the end of
 * that item's batch. Fewer mean that n8n gave up on a later item (a broken expression, say) and ended the node.
 */
function planOf(context: WithInput): Plan {
	// As RoutingNode reads them: the items of a tool come by another connection, and batching is that of item 0.
	const input = context.inputData;
	const total = (input?.main ?? input?.ai_tool)?.[0]?.length ?? 0;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	const { runIndex } = context;
	if (batchInterval <= 0) return { total, runIndex, expected: () => total };
	const size = batchSize > 0 ? batchSize : 1;
	const expected = (itemIndex: number) =>
		Math.min(total, (Math.floor(itemIndex / size) + 1) * size);
	return { total, runIndex, expected };
}
