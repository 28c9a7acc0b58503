import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { turns } from '../../shared/clock';
import { openDirectory } from '../../shared/customers/directory';
import { resolveEmails } from '../../shared/customers/findCustomer';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { plainValue } from '../../shared/fields/plainValue';
import type { EmailPlace, Parameter, ReadParameter } from '../../shared/fields/readFields';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { defaultPolicy } from '../../shared/transport/client';
import type { Operation, OperationSettings, Plan, Unit } from './operation';
import { policyOf } from './operation';
import type { ItemOutcome, Outcomes } from './run';

/** Plans one request per item. Skips items that an earlier attempt has created, or may have created. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	earlierCreates: Outcomes,
): Promise<Plan> {
	const parameters = parametersOf(context.getNode(), operation.fields);
	const prepareItem = context.continueOnFail() ? prepareSafely : prepare;
	const input = context.getInputData();
	const readerOf = parameterReaders(context);
	const emails: Array<EmailPlace & { index: number }> = [];
	const units = await mapYielding(context, input.length, (index): Unit => {
		const prepared =
			earlierCreates.get(index) ??
			prepareItem(context, operation, parameters, readerOf(index), (itemEmails) => {
				emails.push(...itemEmails.map((email) => ({ ...email, index })));
			});
		return { items: [index], name: itemName(index, input.length), prepared };
	});
	if (emails.length) await replaceEmails(context, units, emails);
	const requests = units.flatMap(({ prepared }) =>
		'request' in prepared ? [prepared.request] : [],
	);
	const problem = await operation.checkAll?.(context, requests);
	if (problem !== undefined) {
		for (const unit of units)
			if ('request' in unit.prepared) unit.prepared = { problems: [problem] };
	}
	return { input, units, noun: 'item', notices: [] };
}

/** Empty for the only item: its errors need no name. */
const itemName = (index: number, count: number) => (count === 1 ? '' : `item ${index + 1}`);

/** Replaces customers' emails with their IDs (spec 4.1, 4.2, 4.3). */
async function replaceEmails(
	context: IExecuteFunctions,
	units: Unit[],
	emails: Array<EmailPlace & { index: number }>,
): Promise<void> {
	const { prepared: first } = units[emails[0].index];
	const policy = 'request' in first ? first.request.policy : defaultPolicy;
	try {
		const client = await openDirectory(context, context.getExecutionCancelSignal());
		const outcome = 'failure' in client ? client : await resolveEmails(client, policy, emails);
		if ('failure' in outcome) throw toNodeError(context.getNode(), outcome.failure);
		for (const [position, problem] of outcome.problems) {
			units[emails[position].index].prepared = { problems: [problem] };
		}
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeApiError;
		for (const { index } of emails) {
			units[index].prepared = { error: error as Error, mayBeDone: false };
		}
	}
}

/** Avoids n8n's slow evaluator (N10) if an expression only reads fields of the item. Not in tools: their `$json` is not their input. */
function parameterReaders(context: IExecuteFunctions): (itemIndex: number) => ReadParameter {
	const { type, parameters } = context.getNode();
	const items = type.endsWith('Tool') ? [] : context.getInputData();
	return (itemIndex) => (name, fallback) => {
		const parameter = parameters[name];
		const item = items[itemIndex] as INodeExecutionData | undefined;
		const plain = item && parameter !== undefined ? plainValue(parameter, item.json) : undefined;
		return plain ? plain.value : context.getNodeParameter(name, itemIndex, fallback);
	};
}

/** With "On Error: Continue", an expression error fails only its own item. */
function prepareSafely(...args: Parameters<typeof prepare>): Unit['prepared'] {
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
	addEmails: (emails: EmailPlace[]) => void,
): Exclude<Unit['prepared'], ItemOutcome> {
	const zone = context.getTimezone();
	const values = readFields(parameters, read, zone);
	const problems = [...values.problems, ...(operation.check?.(values) ?? [])];
	if (problems.length) return { problems };
	addEmails(values.emails);
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

/** Lets other work run every 50 ms, because the expressions of many items take seconds. Ends early if cancelled. */
export async function mapYielding<T>(
	context: IExecuteFunctions,
	count: number,
	work: (index: number) => T,
): Promise<T[]> {
	const results: T[] = [];
	const turn = turns();
	for (let index = 0; index < count; index++) {
		results.push(work(index));
		const turned = turn();
		if (!turned) continue;
		await turned;
		if (context.getExecutionCancelSignal()?.aborted) break;
	}
	return results;
}

/** A parameter in the URL of an operation. */
const urlParameter = /\{\{\s*encodeURIComponent\(\$parameter\["(\w+)"\]\)\s*\}\}/g;

/** Inserts the parameters into the operation's URL, as n8n's expression would. */
const urlOf = (url: string, parameters: IDataObject): string =>
	url
		.replace(/^=/, '')
		.replace(urlParameter, (_match, name: string) => encodeURIComponent(String(parameters[name])));
