const shared = {
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }] },
	testEnvironment: 'node',
	testEnvironmentOptions: { globalsCleanup: 'off' },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
};

/** Libraries that take long to load. */
const large = ['n8n-core', 'n8n-workflow', 'fast-check', 'fastify', 'zod', 'luxon', 'axios'];

/** Folders whose modules are evaluated once for all test files. Files that register hooks of Jest are not in them. */
const kept = ['nodes', 'credentials', 'contract', 'simulator', 'test/fixtures', 'test/helpers'];
/** The project may itself be in a folder of such a name. */
const root = __dirname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** For tests that run the nodes in Jest's process. n8n's modules are loaded once for all test files. */
const withNodes = {
	...shared,
	testEnvironment: '<rootDir>/test/helpers/oneContext.cjs',
	testEnvironmentOptions: {},
	transform: {
		[`^${root}/(${kept.join('|')})/.+\\.ts$`]: '<rootDir>/test/helpers/keptModules.cjs',
		...shared.transform,
		[`/node_modules/(${large.join('|')})/.+\\.c?js$`]: '<rootDir>/test/helpers/hostModules.cjs',
	},
	transformIgnorePatterns: [`/node_modules/(?!(${large.join('|')})/)`],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{
			...withNodes,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/setup/fixedSeed.ts'],
		},
		{
			...withNodes,
			displayName: 'engine',
			testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
			setupFiles: ['<rootDir>/test/setup/environment.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/setup/fixedSeed.ts', '<rootDir>/test/setup/useClock.ts'],
		},
		{
			...shared,
			displayName: 'e2e',
			testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
			globalSetup: '<rootDir>/test/helpers/shareN8n.ts',
			globalTeardown: '<rootDir>/test/helpers/endSharedN8n.ts',
		},
		{
			...shared,
			displayName: 'nightly',
			testMatch: ['<rootDir>/test/nightly/**/*.test.ts'],
			globalSetup: '<rootDir>/test/helpers/shareN8n.ts',
			globalTeardown: '<rootDir>/test/helpers/endSharedN8n.ts',
		},
		{
			...withNodes,
			displayName: 'hostile',
			testMatch: ['<rootDir>/test/hostile/**/*.test.ts'],
			setupFiles: ['<rootDir>/test/setup/environment.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/setup/useClock.ts'],
		},
		{ ...shared, displayName: 'scale', testMatch: ['<rootDir>/test/scale/**/*.test.ts'] },
		{ ...shared, displayName: 'soak', testMatch: ['<rootDir>/test/soak/**/*.test.ts'] },
	],
	testSequencer: '<rootDir>/test/helpers/slowFirst.cjs',
	testTimeout: 120_000,
	coverageProvider: 'v8',
};
