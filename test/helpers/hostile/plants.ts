import { setTimeout } from '../../../tools/node';
import { runNode } from '../engine';
import type { RunNode } from './nodeCase';
import type { Poll } from './triggerCase';
import { pollOf } from './triggerCase';

const isCreate = ({ operation }: Record<string, unknown>) => String(operation).startsWith('create');

/** Nodes with a fault, which the judges of the cases have to find. */
export const faultyNodes: Record<string, RunNode> = {
	'reports success for a create that failed': async (options) => {
		const result = await runNode(options);
		if (!isCreate(options.parameters)) return result;
		const json = result.json.map((one) =>
			one.error ? { outcome: 'created', id: 'dummy', title: options.items?.[0].title } : one,
		);
		return { ...result, json };
	},
	'sends a create again': async (options) => {
		if (isCreate(options.parameters)) await runNode(options);
		return await runNode(options);
	},
	'says nothing of what may have been done': async (options) => {
		const result = await runNode(options);
		const plain = (text: unknown) => String(text).split('may still have been')[0];
		const json = result.json.map((one) => (one.error ? { ...one, error: plain(one.error) } : one));
		return { ...result, json };
	},
	'makes a result up': async (options) => {
		const result = await runNode(options);
		const json = result.json.map((one) => ('error' in one ? one : { ...one, id: 'made up' }));
		return { ...result, json };
	},
	'gives a part of a list for the whole': async (options) => {
		const result = await runNode(options);
		return options.parameters.returnAll ? { ...result, json: result.json.slice(0, 3) } : result;
	},
	'gives a result twice': async (options) => {
		const result = await runNode(options);
		return options.parameters.returnAll
			? { ...result, json: [...result.json, ...result.json] }
			: result;
	},
	'changes what all objects share': async (options) => {
		const result = await runNode(options);
		if (result.error) Object.assign(Object.prototype, { polluted: 'yes' });
		return result;
	},
	'gives results a prototype': async (options) => {
		const result = await runNode(options);
		return {
			...result,
			json: result.json.map((one) =>
				Object.assign(Object.create({ status: 'paid' }) as object, one),
			),
		};
	},
	'tells the API key': async (options) => {
		const result = await runNode(options);
		return {
			...result,
			stored: result.error ? `${result.stored}${String(options.credential.apiKey)}` : result.stored,
		};
	},
	hangs: async (options) =>
		isCreate(options.parameters) ? await new Promise(() => undefined) : await runNode(options),
	'throws where nobody listens': async (options) => {
		const result = await runNode(options);
		if (result.error)
			setTimeout(() => {
				throw new Error('Nobody listens');
			}, 0);
		return result;
	},
	'leaves a rejection alone': async (options) => {
		const result = await runNode(options);
		if (result.error) void Promise.reject(new Error('Nobody listens'));
		return result;
	},
};

/** Triggers with a fault. */
export const faultyTriggers: Record<string, Poll> = {
	'loses an item': async (trigger, engine) => (await pollOf(trigger, engine))?.slice(1) ?? null,
	'delivers an item twice': async (trigger, engine) => {
		const items = await pollOf(trigger, engine);
		return items && [...items, ...items.slice(0, 1)];
	},
	'makes an item up': async (trigger, engine) => {
		const items = await pollOf(trigger, engine);
		return items && [...items, { id: 'made up', status: 'paid' }];
	},
};
