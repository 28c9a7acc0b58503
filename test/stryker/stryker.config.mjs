/**
 * Mutation testing of the files where money is, on a fixed sample (sample.mjs): `npm run nightly -- stryker`. Module-level constants
 * are left out: each would take all tests. A mutant that never ends counts as found after ten seconds more than its tests take.
 */
const files = [
	'nodes/InvoicingPayments/invoices/*.ts',
	'nodes/InvoicingPayments/plan/*.ts',
	'nodes/InvoicingPayments/reading/{statements,differences}.ts',
	'nodes/InvoicingPayments/execution/*.ts',
	'nodes/InvoicingPaymentsTrigger/watch/*.ts',
	'nodes/shared/pagination/*.ts',
	'nodes/shared/transport/failure.ts',
];

Object.assign(process.env, { SEED: '2026', HISTORIES: '100', SHEETS: '100' });
delete process.env.NIGHTLY;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	jest: { configFile: 'test/stryker/jest.config.cjs', enableFindRelatedTests: false },
	plugins: ['@stryker-mutator/jest-runner', './test/stryker/sample.mjs'],
	checkers: ['sample'],
	mutate: files,
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
