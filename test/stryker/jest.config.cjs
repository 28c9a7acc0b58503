const { projects, testTimeout } = require('../../jest.config.js');

const [unit, engine] = projects;

/** What the engine tests show of the rooms that Stryker mutates. All others load n8n-core for nothing. */
const ofMoney = ['createFromRows', 'failures', 'getMany', 'invoiceNumbers', 'items', 'plan'];
/** Not about these rooms, or about time: Stryker's code takes longer. */
const useless = ['description', 'docs', 'host', 'linear', 'quality', 'rooms', 'simulator'];

/**
 * The unit and engine tests as one project, for Stryker, on the clock of the engine tests.
 * @type {import('jest').Config}
 */
module.exports = {
	...engine,
	displayName: undefined,
	rootDir: '../..',
	testMatch: [...unit.testMatch, ...ofMoney.map((name) => `<rootDir>/test/engine/${name}.test.ts`)],
	testPathIgnorePatterns: ['/node_modules/', `/test/unit/(${useless.join('|')})\\.test\\.ts$`],
	testTimeout,
};
