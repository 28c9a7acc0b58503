import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { openDirectory } from '../../shared/customers/directory';
import { resolveEmails } from '../../shared/customers/findCustomer';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { plainValue } from '../../shared/fields/plainValue';
import type { EmailPlace, Parameter, ReadParameter } from '../../shared/fields/readFields';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { defaultPolicy } from '../../shared/transport/client';
import type { Operation } from './operation';
import type { OperationSettings, Plan, Unit } from './plan';
import { policyOf } from './plan';
import type { ItemOutcome, Outcomes } from './retryMemory';

/** Plans one request per item. Skips items that an earlier try created, or may have. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	creates: Outcomes,
): Promise<Plan> {
	const parameters = parametersOf(context.getNode(), operation.fields);
	const prepareOne = context.continueOnFail() ? prepareSafely : prepare;
	const { length } = context.getInputData();
	const readerOf = parameterReaders(context);
	const places: Array<EmailPlace & { index: number }> = [];
	const units = await mapYielding(context, length, (index): Unit => {
		const ready =
			creates.get(index) ??
			prepareOne(context, operation, parameters, readerOf(index), (found) => {
				places.push(...found.map((place) => ({ ...place, index })));
			});
		return { items: [index], name: `item ${index + 1}`, ready };
	});
	if (places.length) await findCustomers(context, units, places);
	return { units, noun: 'item', hints: [] };
}

/** Replaces customers' emails with IDs (spec 4.1, 4.2, 4.3). */
async function findCustomers(
	context: IExecuteFunctions,
	units: Unit[],
	places: Array<EmailPlace & { index: number }>,
): Promise<void> {
	const { ready: first } = units[places[0].index];
	const policy = 'request' in first ? first.request.policy : defaultPolicy;
	try {
		const client = await openDirectory(context, context.getExecutionCancelSignal());
		const outcome = 'failure' in client ? client : await resolveEmails(client, policy, places);
		if ('failure' in outcome) throw toNodeError(context.getNode(), outcome.failure);
		for (const [at, problem] of outcome.problems) {
			units[places[at].index].ready = { problems: [problem] };
		}
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeApiError;
		for (const { index } of places) {
			units[index].ready = { error: error as Error, mayBeDone: false };
		}
	}
}

/** Bypasses n8n's slow evaluator if expressions only refer to the item's fields. A tool's `$json` is not its input. */
function parameterReaders(context: IExecuteFunctions): (itemIndex: number) => ReadParameter {
	const { type, parameters } = context.getNode();
	const items = type.endsWith('Tool') ? [] : context.getInputData();
	return (itemIndex) => (name, fallback) => {
		const given = parameters[name];
		const item = items[itemIndex] as INodeExecutionData | undefined;
		const plain = item && given !== undefined ? plainValue(given, item.json) : undefined;
		return plain ? plain.value : context.getNodeParameter(name, itemIndex, fallback);
	};
}

/** With Continue, an expression error belongs to its item. */
function prepareSafely(...args: Parameters<typeof prepare>): Unit['ready'] {
	try {
		return prepare(...args);
	} catch (error) {
		return { error: error as Error, mayBeDone: false };
	}
}

function prepare(
	context: IExecuteFunctions,
	operation: Operation,
	parameters: Parameter[],
	read: ReadParameter,
	noteEmails: (places: EmailPlace[]) => void,
): Exclude<Unit['ready'], ItemOutcome> {
	const zone = context.getTimezone();
	const values = readFields(parameters, read, zone);
	const problems = [...values.problems, ...(operation.check?.(values) ?? [])];
	if (problems.length) return { problems };
	noteEmails(values.emails);
	const { method, url } = operation.routing.request;
	const { body, query } = values;
	const settings: OperationSettings = values.settings;
	return {
		request: {
			request: {
				method,
				path: urlOf(url, values.settings),
				query,
				...(Object.keys(body).length > 0 && { body }),
			},
			response: operation.response,
			settings,
			policy: policyOf(settings),
			zone,
		},
	};
}

/** Yields every 50 ms, because the expressions of many items take seconds. Ends early if cancelled. */
export async function mapYielding<T>(
	context: IExecuteFunctions,
	count: number,
	work: (index: number) => T,
): Promise<T[]> {
	const results: T[] = [];
	let pausedAt = clock.now();
	for (let index = 0; index < count; index++) {
		results.push(work(index));
		if (clock.now() - pausedAt < 50) continue;
		await clock.sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) break;
		pausedAt = clock.now();
	}
	return results;
}

/** A parameter in a URL expression. */
const inUrl = /\{\{\s*encodeURIComponent\(\$parameter\["(\w+)"\]\)\s*\}\}/g;

/** Fills the parameters into the URL of an operation, as n8n's expression would. */
const urlOf = (url: string, parameters: IDataObject): string =>
	url
		.replace(/^=/, '')
		.replace(inUrl, (_match, name: string) => encodeURIComponent(String(parameters[name])));
