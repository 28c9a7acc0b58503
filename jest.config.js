const shared = {
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }] },
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
};

/** Tests in n8n-core's own classes, on a clock that jumps. */
const inProcess = {
	...shared,
	setupFiles: ['<rootDir>/test/setup/environment.ts'],
	setupFilesAfterEnv: ['<rootDir>/test/setup/fixedSeed.ts', '<rootDir>/test/setup/useClock.ts'],
};

/** Tests in a real n8n, which all of them share. */
const inN8n = {
	...shared,
	globalSetup: '<rootDir>/test/helpers/n8n/shareN8n.ts',
	globalTeardown: '<rootDir>/test/helpers/n8n/endSharedN8n.ts',
};

const testsIn = (folder) => ({
	displayName: folder,
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{ ...shared, ...testsIn('unit'), setupFilesAfterEnv: ['<rootDir>/test/setup/fixedSeed.ts'] },
		{ ...inProcess, ...testsIn('engine') },
		{ ...inProcess, ...testsIn('hostile') },
		{ ...inN8n, ...testsIn('e2e') },
		{ ...inN8n, ...testsIn('nightly') },
		{ ...shared, ...testsIn('scale') },
		{ ...shared, ...testsIn('soak') },
	],
	testTimeout: 120_000,
	coverageProvider: 'v8',
};
