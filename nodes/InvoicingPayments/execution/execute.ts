import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { toHtml } from '../../shared/errors/html';
import { cancelledError } from '../../shared/errors/nodeErrors';
import { failed } from '../../shared/result';
import { withoutSecretKey } from '../../shared/secrets/apiKey';
import { credentialName } from '../../shared/transport/client';
import type { Batch, Notice, Operation, Unit } from './operation';
import { prepareItems } from './prepareItems';
import type { ItemOutcome, Outcomes } from './run';
import { runOf } from './run';
import type { InvalidUnit } from './runErrors';
import { invalidUnitsError, withSummary } from './runErrors';
import type { ReadyUnit } from './sendUnits';
import { sendUnits } from './sendUnits';
import { withFirst } from '../../shared/withFirst';

/**
 * Checks all items before sending any, and sends none after a failure. With Continue, every item gets its results or its error.
 * Throws a NodeApiError that lists what was already done. n8n's RoutingNode does none of this, and repeats creates that may have
 * been processed.
 */
export async function execute(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const withoutKey = await keyRemover(context);
	try {
		return await executeBatch(context, operation, withoutKey);
	} catch (thrown) {
		const error = thrown as Error & { description?: string | null };
		error.message = withoutKey(error.message);
		if (error.description) error.description = withoutKey(error.description);
		throw error;
	}
}

/** Takes the API key out of what the node says: somebody may have pasted it into a field, and errors quote fields. */
async function keyRemover(context: IExecuteFunctions): Promise<(text: string) => string> {
	const credential = await context.getCredentials(credentialName).catch(() => undefined);
	return (text) => withoutSecretKey(text, credential?.apiKey);
}

async function executeBatch(
	context: IExecuteFunctions,
	operation: Operation,
	withoutKey: (text: string) => string,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const run = runOf(context);
	const { creates } = run;
	const outcomes: Outcomes = new Map();
	// What earlier attempts have done counts as done, unless this attempt has an outcome of its own.
	const summarized = (error: Error, batch?: Batch, unit?: Unit) =>
		withSummary(node, error, unit, { batch, outcomes: new Map([...creates, ...outcomes]) });

	const prepare = operation.prepare ?? prepareItems;
	const batch = await prepare(context, operation, creates).catch((error: Error) => {
		// Report what earlier attempts created, even if this one cannot evaluate an expression.
		throw creates.size ? summarized(error) : error;
	});
	const invalid = batch.units.filter(isInvalid);
	if (invalid.length && !context.continueOnFail()) {
		throw summarized(invalidUnitsError(node, invalid, batch), batch, invalid[0]);
	}
	const units = batch.units.map((unit): ReadyUnit => {
		// `prepareItems` leaves out what was done earlier, but an operation's own `prepare` need not know of it.
		const earlier = creates.get(unit.items[0]);
		if (earlier) return { ...unit, work: { kind: 'none', outcome: earlier } };
		if (!isInvalid(unit)) return unit as ReadyUnit;
		const problems = unit.work.problems.map(withoutKey);
		const error = invalidUnitsError(node, [{ ...unit, work: { kind: 'refuse', problems } }]);
		return { ...unit, work: { kind: 'none', outcome: failed({ error, mayBeDone: false }) } };
	});
	const firstFailed = await sendUnits({ context, operation, run }, units, outcomes).catch(
		(error: Error) => {
			throw summarized(error, batch);
		},
	);
	if (context.getExecutionCancelSignal()?.aborted) {
		const error = summarized(cancelledError(node), batch);
		// n8n discards the output and the error of a cancelled node (N14).
		context.logger.warn(`${node.name}: ${[error.message, error.description].join('\n')}`);
		throw error;
	}
	if (firstFailed && !context.continueOnFail()) {
		throw summarized(firstFailed.error, batch, firstFailed.unit);
	}
	const hints = hintsOf(operation.notices?.(batch, outcomes) ?? [], batch.notices);
	context.addExecutionHints(
		...hints.map((hint) => ({ ...hint, message: withoutKey(hint.message) })),
	);
	const output =
		batch.output?.(outcomes) ??
		units.flatMap((unit) =>
			toItems(context, batch, unit, { outcome: outcomes.get(unit.items[0]) }),
		);
	if (batch.isGiven) for (const item of output) item.pairedItem = { item: 0 };
	return [output];
}

const isInvalid = (unit: Unit): unit is InvalidUnit => unit.work.kind === 'refuse';

/** Shows at most three boxes in the editor: warnings, the outcome, and what was said before it was sent. */
function hintsOf(ofOutcome: Notice[], before: Notice[]): NodeExecutionHint[] {
	const warnings = [...before, ...ofOutcome].filter(({ isWarning }) => isWarning);
	const infos = (notices: Notice[]) => notices.filter(({ isWarning }) => !isWarning);
	return [warnings, infos(ofOutcome), infos(before)].flatMap((notices): NodeExecutionHint[] => {
		if (notices.length === 0) return [];
		const message = toHtml(...notices.flatMap(({ lines }) => lines));
		return [{ message, type: notices === warnings ? 'warning' : 'info', location: 'outputPane' }];
	});
}

/**
 * The output of a unit: its results, or an item that says why it has failed.
 *
 *                    of one input item                 of the rows of an invoice
 *   regular output   the error, and the item's fields   the error and the unit's fields
 *   error output     the error (N2)                     the error, the unit's fields under `details`, the error on the item (N2)
 *
 * N2: n8n sends an item to the error output if it has no field but `error` and, since 2.35.2, `details`, and adds the input's fields itself.
 */
function toItems(
	context: IExecuteFunctions,
	{ input }: Batch,
	{ items, fields, added }: Unit,
	{ outcome }: { outcome: ItemOutcome | undefined },
): INodeExecutionData[] {
	if (!outcome) return [];
	const pairs = items.map((item) => ({ item }));
	const pairedItem = pairs.length === 1 ? pairs[0] : pairs;
	if (outcome.ok) {
		return outcome.value.map((result) => ({
			json: { ...withFields(fields, result), ...added },
			pairedItem,
		}));
	}
	const error = outcome.failure.error.message;
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	if (!fields) {
		const inputFields = isRouted ? {} : input[items[0]].json;
		return [{ json: withFirst('error', error, inputFields) as IDataObject, pairedItem }];
	}
	const details = { outcome: 'failed', ...fields, input: items.map((item) => input[item].json) };
	if (!isRouted) return [{ json: { error, ...details }, pairedItem }];
	return [asFailed({ json: { error, details }, pairedItem }, outcome.failure.error)];
}

/** n8n before 2.35.2 needs `error` on the item itself, not enumerable: otherwise n8n keeps only the message (N2). */
export function asFailed(item: INodeExecutionData, error: Error): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: error, writable: true });
}

/** A result, with these fields after its outcome. */
const withFields = (fields: IDataObject | undefined, result: Record<string, unknown>) =>
	(fields ? withFirst('outcome', result.outcome, { ...fields, ...result }) : result) as IDataObject;
