import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { hexOf } from '../../shared/hash';
import { onAbort } from '../../shared/onAbort';
import { toOutput } from '../../shared/output/simplify';
import { fetchResults } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { defaultPolicy, openClient } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Failure } from '../../shared/transport/failure';
import { mayHaveBeenDone } from '../../shared/transport/failure';
import type { CreatedResult, Operation, OperationRequest, Plan, Unit } from './operation';
import type { ItemOutcome, Outcomes, Run } from './run';

export type ReadyUnit = Unit & { prepared: { request: OperationRequest } | ItemOutcome };

interface Sending {
	context: IExecuteFunctions;
	operation: Operation;
	run: Run;
}

/** Stops at the first failure (unless the node continues) and if cancelled. Returns the first error. */
export async function sendUnits(
	sending: Sending,
	{ units, noun }: Pick<Plan, 'noun'> & { units: ReadyUnit[] },
	outcomes: Outcomes,
): Promise<{ error: Error; unit: Unit } | undefined> {
	const { context, operation, run } = sending;
	const cancelSignal = context.getExecutionCancelSignal();
	if (cancelSignal?.aborted) return undefined;
	const firstRequest = units
		.map(({ prepared }) => prepared)
		.find((prepared) => 'request' in prepared);
	const stop = new AbortController();
	const stopAll = () => stop.abort();
	const release = cancelSignal && onAbort(cancelSignal, stopAll);
	const client = firstRequest && (await openClient(context, stop.signal, cancelSignal));
	if (client && 'account' in client && !context.continueOnFail()) client.hold = { count: 0 };
	const { policy = defaultPolicy, settings = {} } = firstRequest?.request ?? {};
	const { size, interval } = settings.batching ?? { size: 1, interval: 0 };
	const progress = new Progress(context, units.length, noun);
	const executionId = operation.mayRace?.(settings) ? context.getExecutionId() : undefined;
	const order = executionId && seededShuffle(units.length, executionId);
	const created: CreatedResult[] = [];
	const startedAt = clock.now();
	let firstFailed: { error: Error; unit: Unit } | undefined;
	await runConcurrently(units.length, policy.maxRequestsInFlight, async (position) => {
		await clock.pause(
			startedAt + Math.floor(position / size) * interval - clock.now(),
			stop.signal,
		);
		if (stop.signal.aborted) return false;
		const index = order ? order[position] : position;
		const { prepared, ...unit } = units[index];
		const [firstItem] = unit.items;
		const isSent = client !== undefined && 'request' in prepared;
		const outcome = isSent
			? await send(sending, client, prepared.request, unit)
			: (prepared as ItemOutcome);
		if (!outcome) return false;
		outcomes.set(firstItem, outcome);
		progress.step();
		const isFailed = 'error' in outcome;
		// A retry of this run must not repeat a create.
		const isCreate = isSent && prepared.request.request.method !== 'GET';
		if (isCreate && (!isFailed || outcome.mayBeDone)) run.creates.set(firstItem, outcome);
		if (isCreate && 'results' in outcome) {
			const { request } = prepared;
			created.push(...outcome.results.map((result) => ({ request, result })));
		}
		if (isFailed) firstFailed ??= { error: outcome.error, unit: units[index] };
		if (isFailed && !context.continueOnFail()) stopAll();
		return true;
	});
	release?.();
	if (client && 'account' in client)
		await review(sending, client, created, firstFailed !== undefined);
	return firstFailed;
}

/** Also reviews created results if units failed, but then without retries. */
async function review(
	{ operation, run }: Sending,
	client: Client,
	created: CreatedResult[],
	hasFailed: boolean,
): Promise<void> {
	if (client.cancelled.aborted || created.length === 0) return;
	const reviewClient = { ...client, signal: client.cancelled, hold: undefined };
	const withoutRetries = ({ request, result }: CreatedResult): CreatedResult => ({
		result,
		request: { ...request, policy: { ...request.policy, maxWait: 0 } },
	});
	await operation.review?.(reviewClient, hasFailed ? created.map(withoutRetries) : created, run);
}

/** Returns `undefined` if the run was stopped first. Never throws, so that no create is forgotten. */
async function send(
	{ context, operation, run }: Sending,
	client: Client | { problem: string },
	request: OperationRequest,
	unit: Omit<Unit, 'prepared'>,
): Promise<ItemOutcome | undefined> {
	const { method, path } = request.request;
	const failed = (kind: Failure['kind'], reason: string) => ({
		failure: { kind, method, path, reason },
	});
	const { perform = fetchResults, simpleFields, createdNoun } = operation;
	const performed =
		'problem' in client
			? failed('configuration', client.problem)
			: await perform(client, request, run).catch((error: Error) =>
					failed('unexpected', error.message),
				);
	if ('results' in performed) {
		const { settings } = request;
		return { results: performed.results.map((one) => toOutput(one, simpleFields, settings)) };
	}
	const { failure } = performed;
	if (failure.kind === 'stopped') return undefined;
	const error = toNodeError(context.getNode(), failure, unit, createdNoun);
	return { error, mayBeDone: mayHaveBeenDone(failure) };
}

/** Shuffles 0 … `count` - 1. Processes that create the same items at the same time then rarely work on the same one. */
export function seededShuffle(count: number, key: string): number[] {
	const ranked = Array.from({ length: count }, (_, index) => ({
		index,
		rank: hexOf(`${key} ${index}`),
	}));
	ranked.sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank));
	return ranked.map(({ index }) => index);
}

const reportIntervalMs = 5000;

/** Reports progress in n8n's log and the browser's console, because the editor cannot show it. */
export class Progress {
	private done = 0;
	private reportedAt = clock.now();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly total: number,
		private readonly noun: string,
	) {}

	step(): void {
		this.done += 1;
		if (clock.now() - this.reportedAt < reportIntervalMs || this.done === this.total) return;
		this.reportedAt = clock.now();
		const message = `${this.context.getNode().name}: ${this.done} of ${this.total} ${this.noun}s are done`;
		this.context.logger.info(message);
		this.context.sendMessageToUI(message);
	}
}
