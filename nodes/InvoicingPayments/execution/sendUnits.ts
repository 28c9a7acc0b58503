import type { IExecuteFunctions } from 'n8n-workflow';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { hexOf } from '../../shared/hash';
import { onAbort } from '../../shared/onAbort';
import { toOutput } from '../../shared/output/simplify';
import type { Results } from '../../shared/pagination/fetchResults';
import { fetchResults } from '../../shared/pagination/fetchResults';
import type { Parsed } from '../../shared/result';
import { failed, ok } from '../../shared/result';
import type { Client } from '../../shared/transport/client';
import { defaultPolicy, openClient } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Failure } from '../../shared/transport/failure';
import { mayBeSentAgain, mayHaveBeenDone } from '../../shared/transport/failure';
import type { CreatedResult, Operation, OperationRequest, Unit, Work } from './operation';
import type { ItemOutcome, Outcomes, Run } from './run';

export type ReadyUnit = Unit & { work: Exclude<Work, { kind: 'refuse' }> };

interface Sending {
	context: IExecuteFunctions;
	operation: Operation;
	run: Run;
}

/**
 * Sends the units of a batch, a few at a time. Returns the first error.
 *
 * Two things keep a request from being sent. `cancelSignal` is n8n's: the user has cancelled the execution, and requests in flight are
 * aborted too. `stop` follows it, and also the first failure (unless the node continues): requests that wait leave the queue, those in
 * flight end.
 */
export async function sendUnits(
	sending: Sending,
	units: ReadyUnit[],
	outcomes: Outcomes,
): Promise<{ error: Error; unit: Unit } | undefined> {
	const { context, operation } = sending;
	const cancelSignal = context.getExecutionCancelSignal();
	if (cancelSignal?.aborted) return undefined;
	const [first] = units.flatMap(
		({ work }): Array<OperationRequest | undefined> => (work.kind === 'send' ? [work.request] : []),
	);
	const { policy = defaultPolicy, settings = {} } = first ?? {};
	const stop = new AbortController();
	const release = cancelSignal && onAbort(cancelSignal, () => stop.abort());
	const client = first && (await openClient(context, stop.signal, cancelSignal));
	const ordered = inOrderOf(units, operation.looksUpFirst?.(settings) && context.getExecutionId());
	const created: CreatedResult[] = [];
	let firstFailed: { error: Error; unit: Unit } | undefined;
	await runConcurrently(ordered.length, policy.maxRequestsInFlight, async (position) => {
		if (stop.signal.aborted) return false;
		const unit = ordered[position];
		const { work } = unit;
		const outcome =
			work.kind === 'none'
				? work.outcome
				: client && (await send({ ...sending, client, unit, created }, work.request));
		if (!outcome) return false;
		outcomes.set(unit.items[0], outcome);
		if (!outcome.ok) {
			firstFailed ??= { error: outcome.failure.error, unit };
			if (!context.continueOnFail()) stop.abort();
		}
		return true;
	});
	release?.();
	if (client?.ok)
		await review(operation, client.value, created, { hasFailed: firstFailed !== undefined });
	return firstFailed;
}

/** With a `key`, in an order that is random for each key. */
const inOrderOf = (units: ReadyUnit[], key: string | false | undefined): ReadyUnit[] =>
	key ? seededShuffle(units.length, key).map((index) => units[index]) : units;

interface SendingUnit extends Sending {
	client: Parsed<Client>;
	unit: Unit;
	created: CreatedResult[];
}

/**
 * Returns `undefined` if the run was stopped first. Never throws, so that no create is forgotten: a retry of the run must not repeat
 * one that was done or may have been done. Adds results of a create to `created`.
 */
async function send(
	{ context, operation, run, client, unit, created }: SendingUnit,
	request: OperationRequest,
): Promise<ItemOutcome | undefined> {
	const { method, path } = request.request;
	const failedFor = (kind: Failure['kind'], reason: string) =>
		failed<Failure>({ kind, method, path, reason });
	const { perform = fetchResults, simpleFields, createdNoun } = operation;
	const { settings } = request;
	const asOutput = (performed: Results) =>
		performed.ok
			? ok(performed.value.map((one) => toOutput(one, simpleFields, settings)))
			: performed;
	const performed = client.ok
		? await perform(client.value, request, run)
				.then(asOutput)
				.catch((error: Error) => failedFor('unexpected', error.message))
		: failedFor('configuration', client.problem);
	if (performed.ok) {
		const { value: results } = performed;
		if (method !== 'GET') {
			run.creates.set(unit.items[0], ok(results));
			created.push(...results.map((result) => ({ request, result })));
		}
		return ok(results);
	}
	const { failure } = performed;
	if (failure.kind === 'stopped') return undefined;
	const error = toNodeError(context.getNode(), failure, unit, { creates: createdNoun });
	const outcome = failed({ error, mayBeDone: mayHaveBeenDone(failure) });
	const isOver = !mayBeSentAgain(failure) && !operation.looksUpFirst?.(request.settings);
	if (isOver || outcome.failure.mayBeDone) run.creates.set(unit.items[0], outcome);
	return outcome;
}

/** Also reviews created results if units failed, but then without retries. */
async function review(
	operation: Operation,
	client: Client,
	created: CreatedResult[],
	{ hasFailed }: { hasFailed: boolean },
): Promise<void> {
	if (client.cancelled.aborted || created.length === 0) return;
	const reviewClient = { ...client, signal: client.cancelled };
	const withoutRetries = ({ request, result }: CreatedResult): CreatedResult => ({
		result,
		request: { ...request, policy: { ...request.policy, maxWait: 0 } },
	});
	await operation.review?.(reviewClient, hasFailed ? created.map(withoutRetries) : created);
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
