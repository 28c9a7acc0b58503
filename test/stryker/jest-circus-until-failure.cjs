const runFile = require('jest-circus/runner');

/** The titles of the tests by file, as the dry run saw them. */
const titles = new Map();
/** The runs of jest in which a test has failed: its mutant is killed. */
const failed = new WeakSet();

/**
 * Runs a test file as jest does. Stryker cannot make jest stop at the first failure, nor tell it which files hold the tests that
 * cover a mutant. Without both of that a mutant takes minutes.
 */
module.exports = async (globalConfig, config, environment, runtime, path, ...rest) => {
	const { testNamePattern } = globalConfig;
	const pattern = testNamePattern && new RegExp(testNamePattern, 'i');
	const known = titles.get(path);
	const isWanted = !pattern || !known || known.some((title) => pattern.test(title));
	if (!isWanted || failed.has(globalConfig)) return nothing(path);
	const inner = environment.handleTestEvent?.bind(environment);
	environment.handleTestEvent = async (event, state) => {
		// Jest looks at the mode after this event.
		if (event.name === 'test_start' && pattern && failed.has(globalConfig))
			event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) failed.add(globalConfig);
		await inner?.(event, state);
	};
	const result = await (runFile.default ?? runFile)(
		globalConfig,
		config,
		environment,
		runtime,
		path,
		...rest,
	);
	if (!pattern)
		titles.set(
			path,
			result.testResults.map(({ fullName }) => fullName),
		);
	return result;
};

/** The result of a file that was not run. A file without any test would be an error. */
function nothing(testFilePath) {
	const skipped = { ancestorTitles: [], duration: 0, failureDetails: [], failureMessages: [] };
	return {
		leaks: false,
		numFailingTests: 0,
		numPassingTests: 0,
		numPendingTests: 1,
		numTodoTests: 0,
		openHandles: [],
		perfStats: {
			start: 0,
			end: 0,
			runtime: 0,
			slow: false,
			loadTestEnvironmentStart: 0,
			loadTestEnvironmentEnd: 0,
			setupFilesStart: 0,
			setupFilesEnd: 0,
		},
		skipped: true,
		snapshot: {
			added: 0,
			fileDeleted: false,
			matched: 0,
			unchecked: 0,
			uncheckedKeys: [],
			unmatched: 0,
			updated: 0,
		},
		testFilePath,
		testResults: [
			{
				...skipped,
				fullName: 'skipped',
				title: 'skipped',
				status: 'pending',
				location: null,
				numPassingAsserts: 0,
			},
		],
	};
}
