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
import { failed } from '../../shared/result';
import { defaultPolicy } from '../../shared/transport/client';
import type { Batch, Operation, OperationSettings, Unit, Work } from './operation';
import { policyOf } from './operation';
import type { Outcomes } from './run';

/** One request per item. Skips items that an earlier attempt has created, or may have created. */
export async function prepareItems(
	context: IExecuteFunctions,
	operation: Operation,
	earlierCreates: Outcomes,
): Promise<Batch> {
	const parameters = parametersOf(context.getNode(), operation.fields);
	const prepareItem = context.continueOnFail() ? prepareSafely : prepare;
	const input = context.getInputData();
	const readerOf = parameterReaders(context);
	const emails: Array<EmailPlace & { index: number }> = [];
	const units = await mapYielding(context, input.length, (index): Unit => {
		const earlier = earlierCreates.get(index);
		const work: Work = earlier
			? { kind: 'none', outcome: earlier }
			: prepareItem(context, operation, {
					parameters,
					read: readerOf(index),
					addEmails: (itemEmails) => {
						emails.push(...itemEmails.map((email) => ({ ...email, index })));
					},
				});
		return { items: [index], name: itemName(index, input.length), work };
	});
	if (emails.length) await replaceEmails(context, units, emails);
	const requests = units.flatMap(({ work }) => (work.kind === 'send' ? [work.request] : []));
	const problem = await operation.checkAll?.(context, requests);
	if (problem !== undefined) {
		for (const unit of units)
			if (unit.work.kind === 'send') unit.work = { kind: 'refuse', problems: [problem] };
	}
	return { input, units, noun: 'item', notices: [] };
}

/** Empty for the only item: its errors need no name. */
const itemName = (index: number, count: number) => (count === 1 ? '' : `item ${index + 1}`);

/** Replaces customers' emails with their IDs, in the requests of the units (spec 4.1, 4.2, 4.3). Settings are those of the first. */
async function replaceEmails(
	context: IExecuteFunctions,
	units: Unit[],
	emails: Array<EmailPlace & { index: number }>,
): Promise<void> {
	const { work: first } = units[emails[0].index];
	const policy = first.kind === 'send' ? first.request.policy : defaultPolicy;
	try {
		const client = await openDirectory(context, context.getExecutionCancelSignal());
		const outcome = client.ok ? await resolveEmails(client.value, policy, emails) : client;
		if (!outcome.ok) throw toNodeError(context.getNode(), outcome.failure);
		// `resolveEmails` has put the IDs into the requests. These emails it could not replace.
		for (const [position, problem] of outcome.value) {
			units[emails[position].index].work = { kind: 'refuse', problems: [problem] };
		}
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeApiError;
		for (const { index } of emails) {
			units[index].work = failedWork(error as Error);
		}
	}
}

/** Avoids n8n's slow evaluator (N10) if an expression only reads fields of the item. Not in tools: there, an expression reads another item than the input that the model has made. */
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
function prepareSafely(...args: Parameters<typeof prepare>): Work {
	try {
		return prepare(...args);
	} catch (error) {
		return failedWork(error as Error);
	}
}

/** Nothing is sent of an item that could not be read. */
const failedWork = (error: Error): Work => ({
	kind: 'none',
	outcome: failed({ error, mayBeDone: false }),
});

/** How an item is read. */
interface Reader {
	parameters: Parameter[];
	read: ReadParameter;
	addEmails(emails: EmailPlace[]): void;
}

function prepare(
	context: IExecuteFunctions,
	operation: Operation,
	{ parameters, read, addEmails }: Reader,
): Work {
	const zone = context.getTimezone();
	const values = readFields(parameters, read, zone);
	const problems = [...values.problems, ...(operation.check?.(values) ?? [])];
	if (problems.length) return { kind: 'refuse', problems };
	addEmails(values.emails);
	const { method, url } = operation.routing.request;
	const { body, query } = values;
	const settings: OperationSettings = values.settings;
	return {
		kind: 'send',
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
