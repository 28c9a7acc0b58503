import { stopChildren } from '../host/processes';
import { pinnedFolder, pinnedVersions, versionVariable } from '../host/version';
import { publishResult } from '../quality/publish';
import { keptFolder, log, nodeProcess, parseArgs, path } from '../node';
import type { JestReport } from './runJest';
import { runJest } from './runJest';

/** The core of the end-to-end tests, for each pinned version of n8n. */
const core = [
	...['n8n', 'errorOutput', 'editor'],
	...['trigger', 'triggerEvents', 'triggerRestarts'],
];

const planted = {
	fault:
		'Create From Rows gives failed invoices as it did: items that only n8n 2.35.2 and newer send to the error output',
	test: /^\[O5\] planted: /,
	/** Later versions are immune. */
	version: /^1\./,
	caught: 'a failed row in the success output',
};

/** `undefined`: jest wrote no report. */
async function runIn(version: string, more: string[]): Promise<JestReport | undefined> {
	const files = `/test/(e2e|nightly)/(${core.join('|')})\\.test\\.ts$`;
	const args = [
		'--selectProjects',
		'e2e',
		'nightly',
		'--maxWorkers=2',
		'--testPathPatterns',
		files,
	];
	const env = { NIGHTLY: '1', [versionVariable]: version };
	const reportFile = path.join(keptFolder, `compat-${version}.json`);
	return (await runJest([...args, ...more], reportFile, { env })).report;
}

function verdictOn(report: JestReport | undefined) {
	// Ignore tests that `-t` skipped.
	const cases = (report?.testResults ?? [])
		.flatMap(({ assertionResults }) => assertionResults)
		.filter(({ status }) => status === 'passed' || status === 'failed');
	const passed = cases.filter(({ status }) => status === 'passed');
	const areAll = cases.length > 0 && passed.length === cases.length;
	return {
		cases: cases.length,
		passed: passed.length,
		isGood: areAll && report?.numRuntimeErrorTestSuites === 0,
		isCaught: passed.some(({ title }) => planted.test.test(title)),
	};
}

/**
 * `npm run test:e2e -- --versions --n8n 1.123.81 -- -t locator` runs one version, with arguments for jest. `--publish` writes how many
 * cases passed into the documentation, if all did.
 */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { n8n: { type: 'string' }, publish: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	if (values.publish && (values.n8n !== undefined || positionals.length))
		throw new Error('--publish needs a full run: leave out --n8n and arguments for jest');
	const versions = values.n8n === undefined ? pinnedVersions() : [values.n8n];
	versions.forEach(pinnedFolder);
	const verdicts: Array<{ version: string } & ReturnType<typeof verdictOn>> = [];
	for (const version of versions) {
		log(`n8n ${version}`);
		verdicts.push({ version, ...verdictOn(await runIn(version, positionals)) });
	}
	for (const { version, cases, passed, isGood } of verdicts) {
		log(`n8n ${version}: ${passed} of ${cases} cases passed${isGood ? '' : ': FAILED'}`);
	}
	const isGood = verdicts.every((verdict) => verdict.isGood);
	if (!isGood) nodeProcess.exitCode = 1;
	if (!values.publish || !isGood) return;
	const caughtIn = verdicts.filter(
		({ version, isCaught }) => planted.version.test(version) && isCaught,
	);
	await publishResult('compat', {
		command: 'npm run test:e2e -- --versions',
		figures: Object.fromEntries(
			verdicts.map(({ version, passed }) => [`cases passed on n8n ${version}`, passed]),
		),
		planted: caughtIn.map(({ version }) => ({
			fault: planted.fault,
			caught: `n8n ${version}: "${planted.caught}"`,
		})),
	});
}

for (const signal of ['SIGTERM', 'SIGHUP']) nodeProcess.on(signal, stopChildren);
void main().catch((error: Error) => {
	log(error.message);
	nodeProcess.exitCode = 1;
});
