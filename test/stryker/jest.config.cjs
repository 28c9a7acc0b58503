const { projects, testTimeout } = require('../../jest.config.js');
const rooms = require('./rooms.json');

const [, engine] = projects;

/**
 * The tests of a room as one project, for Stryker, on the clock of the engine tests.
 * @type {import('jest').Config}
 */
module.exports = {
	...engine,
	displayName: undefined,
	rootDir: '../..',
	testMatch: rooms[process.env.STRYKER_ROOM].tests.map((name) => `<rootDir>/test/${name}.test.ts`),
	testTimeout,
};
