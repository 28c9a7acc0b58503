/**
 * Mutation testing of the rooms whose rules are pure, on a fixed sample (sample.mjs):
 * `npm run nightly -- stryker`. Module-level constants are left out: each would take all tests.
 */
const rooms = [
	...['fields', 'pagination', 'transport'].map((room) => `nodes/shared/${room}`),
	...['reading', 'fromRows', 'invoices'].map((room) => `nodes/InvoicingPayments/${room}`),
	...['watch'].map((room) => `nodes/InvoicingPaymentsTrigger/${room}`),
];

Object.assign(process.env, { SEED: '2026', HISTORIES: '200', SHEETS: '200' });
delete process.env.NIGHTLY;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	jest: { configFile: 'test/stryker/jest.config.cjs', enableFindRelatedTests: false },
	plugins: ['@stryker-mutator/jest-runner', './test/stryker/sample.mjs'],
	checkers: ['sample'],
	mutate: rooms.map((room) => `${room}/**/*.ts`),
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	// Another word in an error: other tests compare the texts.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignorePatterns: ['/.cache', '/dist', '/docs/images', '/coverage', '/tools/host/pinned'],
	tempDirName: '.cache/stryker',
	disableTypeChecks: false,
	concurrency: 2,
	dryRunTimeoutMinutes: 15,
	timeoutMS: 10_000,
	reporters: ['json', 'clear-text', 'progress-append-only'],
	jsonReporter: { fileName: '.cache/stryker.json' },
	clearTextReporter: {
		allowColor: false,
		logTests: false,
		reportTests: false,
		reportScoreTable: true,
	},
	allowConsoleColors: false,
	warnings: { slow: false },
};
