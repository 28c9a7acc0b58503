const { default: Sequencer } = require('@jest/test-sequencer');

/** End-to-end tests that take minutes, the longest first. */
const slow = ['queueMode', 'editor', 'commands', 'triggerEvents', 'trigger', 'examples'];

const rank = ({ path }) => {
	const at = slow.findIndex((name) => path.endsWith(`/e2e/${name}.test.ts`));
	return at < 0 ? slow.length : at;
};

/** Jest begins with what took long the last time. A clean checkout has no last time, and would begin with the largest files. */
module.exports = class SlowFirst extends Sequencer {
	async sort(tests) {
		// With --watch, a process runs tests again, of other sources (keptModules.cjs).
		delete globalThis.keptModules;
		return (await super.sort(tests)).sort((one, other) => rank(one) - rank(other));
	}
};
