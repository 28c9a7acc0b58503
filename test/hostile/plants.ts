import type { IDataObject } from 'n8n-workflow';
import type { RunOptions, RunResult } from '../helpers/n8n/engine';
import { runNode } from '../helpers/n8n/engine';
import type { RunNode } from './nodeCase';
import type { Poll } from './triggerCase';
import { pollOf } from './triggerCase';

const isCreate = ({ parameters }: RunOptions) => String(parameters.operation).startsWith('create');

/** The node, with changes to its results. */
const after =
	(change: (result: RunResult, options: RunOptions) => Partial<RunResult>): RunNode =>
	async (options) => {
		const result = await runNode(options);
		return { ...result, ...change(result, options) };
	};
const each = (change: (item: IDataObject, options: RunOptions) => IDataObject) =>
	after(({ json }, options) => ({ json: json.map((item) => change(item, options)) }));

/** Faulty nodes, the number of cases that must be enough to notice, and the problem that must be found. */
export const faultyNodes: Array<[string, RunNode, number, RegExp]> = [
	[
		'reports success for a create that failed',
		each((item, options) =>
			isCreate(options) && item.error ? { outcome: 'created', id: 'dummy' } : item,
		),
		40,
		/is said to be created/,
	],
	[
		'sends a create again',
		async (options) => {
			if (isCreate(options)) await runNode(options);
			return await runNode(options);
		},
		40,
		/was created 2 times/,
	],
	[
		'does not say what may have been created',
		each((item) =>
			item.error ? { ...item, error: String(item.error).split('may still have been')[0] } : item,
		),
		100,
		/its error does not say so/,
	],
	[
		'invents a result',
		each((item) => ('error' in item ? item : { ...item, id: 'made up' })),
		40,
		/not sent/,
	],
	[
		'gives only a part of a list',
		after(({ json }, { parameters }) => (parameters.returnAll ? { json: json.slice(0, 3) } : {})),
		40,
		/pass for all/,
	],
	[
		'gives a result twice',
		after(({ json }, { parameters }) => (parameters.returnAll ? { json: [...json, ...json] } : {})),
		40,
		/a result twice/,
	],
	[
		'changes a shared prototype',
		after(({ error }) => {
			if (error) Object.assign(Object.prototype, { polluted: 'yes' });
			return {};
		}),
		40,
		/Object.prototype.polluted was changed/,
	],
	[
		'gives results with a prototype',
		each((item) => Object.assign(Object.create({ status: 'paid' }) as object, item)),
		40,
		/a foreign prototype/,
	],
	[
		'reveals the API key',
		after(({ error, stored }, { credential }) =>
			error ? { stored: `${stored}${String(credential.apiKey)}` } : {},
		),
		40,
		/holds the API key/,
	],
	[
		'hangs',
		async (options) =>
			isCreate(options) ? await new Promise(() => undefined) : await runNode(options),
		20,
		/it hangs/,
	],
];

/** Faulty triggers, in the same way. */
export const faultyTriggers: Array<[string, Poll, number, RegExp]> = [
	[
		'loses an item',
		async (trigger, engine) => (await pollOf(trigger, engine))?.slice(1) ?? null,
		10,
		/lost: /,
	],
	[
		'delivers an item twice',
		async (trigger, engine) => {
			const items = await pollOf(trigger, engine);
			return items && [...items, ...items.slice(0, 1)];
		},
		10,
		/delivered twice/,
	],
	[
		'invents an item',
		async (trigger, engine) => {
			const items = await pollOf(trigger, engine);
			return items && [...items, { id: 'made up', status: 'paid' }];
		},
		10,
		/what was never sent/,
	],
];
