const { default: Sequencer } = require('@jest/test-sequencer');
const { statSync } = require('node:fs');

/** These wait for seconds. */
const slow = ['network', 'twoProcesses', 'triggerEvents', 'triggerPolls'];
const isSlow = ({ path }) => slow.some((name) => path.endsWith(`/${name}.test.ts`));

/** Unit tests before engine tests, small files before large ones: most mutants are killed in the first seconds. */
module.exports = class QuickFirst extends Sequencer {
	sort(tests) {
		const group = (test) => Number(test.path.includes('/engine/')) + Number(isSlow(test));
		const sizes = new Map(tests.map((test) => [test, statSync(test.path).size]));
		return [...tests].sort((a, b) => group(a) - group(b) || sizes.get(a) - sizes.get(b));
	}
};
