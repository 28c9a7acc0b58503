import { readFileSync } from 'node:fs';

const rooms = JSON.parse(readFileSync(new URL('./rooms.json', import.meta.url), 'utf8'));

/**
 * Mutation testing of a room where money is (rooms.json, STRYKER_ROOM) on a fixed sample (sample.mjs), with the tests that show what it
 * does: with all tests, each mutant would take a minute. `npm run nightly -- stryker` runs all rooms, or the one of STRYKER_ROOM.
 * Module-level constants are left out: each would take all tests. A mutant that never ends counts as found after two minutes
 * more than its tests take: each run loads all of the room's test files, which takes a minute beside another one.
 *
 * STRYKER_GO_ON=1 goes on from the last run here: only mutants are tried whose code changed, whose finding test changed, or that survived
 * and have a new test. Nothing notices other changes, so it is for a run after tests were added, and for nothing else.
 */
delete process.env.NIGHTLY;
const { STRYKER_ROOM: room, STRYKER_GO_ON: goOn } = process.env;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	jest: { configFile: 'test/stryker/jest.config.cjs', enableFindRelatedTests: false },
	plugins: ['@stryker-mutator/jest-runner', './test/stryker/sample.mjs'],
	checkers: ['sample'],
	mutate: rooms[room].files,
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	// Another word in an error: other tests compare the texts.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignorePatterns: ['/.cache', '/dist', '/docs/images', '/coverage', '/tools/host/pinned'],
	tempDirName: '.cache/stryker',
	incremental: true,
	incrementalFile: `.cache/mutants-${room}.json`,
	force: !goOn,
	disableTypeChecks: false,
	concurrency: 2,
	dryRunTimeoutMinutes: 15,
	timeoutMS: 120_000,
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
