const shared = {
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }] },
	testEnvironment: 'node',
	testEnvironmentOptions: { globalsCleanup: 'off' },
	// Looking up a global in Jest's sandbox is slow. Hashing does it for each character.
	sandboxInjectedGlobals: ['Math', 'parseInt'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/helpers/fixedSeed.ts'],
		},
		{
			...shared,
			displayName: 'engine',
			testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
			setupFiles: ['<rootDir>/test/helpers/environment.ts'],
			setupFilesAfterEnv: [
				'<rootDir>/test/helpers/fixedSeed.ts',
				'<rootDir>/test/helpers/useClock.ts',
			],
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
			...shared,
			displayName: 'hostile',
			testMatch: ['<rootDir>/test/hostile/**/*.test.ts'],
			setupFiles: ['<rootDir>/test/helpers/environment.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/helpers/useClock.ts'],
		},
		{ ...shared, displayName: 'scale', testMatch: ['<rootDir>/test/scale/**/*.test.ts'] },
		{ ...shared, displayName: 'soak', testMatch: ['<rootDir>/test/soak/**/*.test.ts'] },
	],
	testSequencer: '<rootDir>/test/helpers/slowFirst.cjs',
	testTimeout: 120_000,
	coverageProvider: 'v8',
};
