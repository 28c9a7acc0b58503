const hooks = require('node:async_hooks');
const vm = require('node:vm');
const { createRequire } = require('node:module');
const { ModuleMocker } = require('jest-mock');

/** Jest compiles test code for the context that the environment names. This one stands for none: for the context of Jest itself. */
const noContext = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(code, parameters, {
		...options,
		...(parsingContext !== noContext && { parsingContext }),
	});

/** What jest-circus keeps of the running test, of which there is one at a time. */
class RunningTest {
	run(store, work) {
		const before = this.store;
		this.store = store;
		return work().finally(() => (this.store = before));
	}

	getStore() {
		return this.store;
	}
}

/** Before Node 24, Node looks at every promise of all test files for each storage in use. */
const { AsyncLocalStorage } = hooks;
hooks.AsyncLocalStorage = class extends AsyncLocalStorage {
	constructor(...options) {
		super(...options);
		if (new Error().stack.includes('jest-circus')) return new RunningTest();
	}
};

/** Global objects that a test file or Jest may replace, for that file alone. */
const replaced = ['Date', 'setTimeout', 'console'];

/** Returns a function that makes all replaceable objects what they are now. */
function remember() {
	const env = { ...process.env };
	const { exit } = process;
	const globals = replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
	return () => {
		for (const [name, descriptor] of globals) Object.defineProperty(globalThis, name, descriptor);
		process.exit = exit;
		for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
		Object.assign(process.env, env);
	};
}

/**
 * Runs tests without a context of their own. So they share classes such as Error with the modules of node_modules, which Node loads once for
 * all test files (hostModules.cjs). n8n's modules take a second to load.
 */
module.exports = class OneContext {
	constructor() {
		this.restore = remember();
		this.global = globalThis;
		this.global.requireFromHost = createRequire(__filename);
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = null;
	}

	getVmContext() {
		return noContext;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	async setup() {}

	async teardown() {
		this.restore();
	}
};
