const { projects, testTimeout } = require('../../jest.config.js');

const [unit, engine, e2e] = projects;
const wantsAll = process.env.STRYKER_TESTS === 'all';

/** What says nothing of the rooms that are mutated, or runs in other processes: histories.test.ts does the same in this one. */
const useless = [
	...['description', 'dockerCompose', 'docs', 'host', 'ledgers'],
	...['quality', 'simulator'],
	...['listEntries', 'newCharges'],
	// It measures time, and Stryker's code takes longer.
	'linear',
];
/** What takes long for the little that it adds. `STRYKER_TESTS=all` runs all but `laggingLists`, which waits for minutes. */
const slow = [
	...['credential', 'customers', 'declarative', 'endlessAnswers', 'exampleSheets', 'faultMatrix'],
	...['handOver', 'lists', 'network', 'output'],
	...['storedNumbers', 'strangeAnswers', 'trigger', 'triggerEvents', 'triggerPolls'],
	'twoProcesses',
];
const slowUnit = ['pollCosts', 'readingContract', 'sheetTable'];

const leftOut = {
	unit: [...useless, ...(wantsAll ? [] : slowUnit)],
	// The package is not built in the sandbox.
	engine: ['package', 'laggingLists', ...(wantsAll ? [] : slow)],
};

/**
 * The unit and engine tests as one project, for Stryker.
 * @type {import('jest').Config}
 */
module.exports = {
	// Stryker needs an environment that it can extend.
	...e2e,
	setupFiles: engine.setupFiles,
	setupFilesAfterEnv: engine.setupFilesAfterEnv,
	globalSetup: undefined,
	globalTeardown: undefined,
	displayName: undefined,
	rootDir: '../..',
	testMatch: [...unit.testMatch, ...engine.testMatch, '<rootDir>/test/stryker/**/*.test.ts'],
	testPathIgnorePatterns: [
		'/node_modules/',
		`/test/unit/(${leftOut.unit.join('|')})\\.test\\.ts$`,
		`/test/engine/(${leftOut.engine.join('|')})\\.test\\.ts$`,
	],
	// Stryker wants a name with jest-circus in it.
	testRunner: '<rootDir>/test/stryker/jest-circus-until-failure.cjs',
	testSequencer: '<rootDir>/test/stryker/quickFirst.cjs',
	testTimeout,
};
