/**
 * The only code that writes figures into the documentation. Each function saves a result together with the page that shows it, so
 * that the tests, which compare them, stay green.
 */
import { fs, log, path, projectFolder } from '../node';
import { qualityPage } from './page';
import type { Result, RunName, TestedPromise } from './results';
import { machine, oldRuns, stamp, storeResult, storeTests } from './results';

const qualityFile = path.join(projectFolder, 'docs', 'quality.md');

/** Publishes a full run. */
export async function publishResult(name: RunName, result: Result): Promise<void> {
	const old = (await oldRuns()).filter((run) => run !== name);
	storeResult(name, { ...result, ...(await stamp()), machine: machine() });
	fs.writeFileSync(qualityFile, qualityPage(old));
	log(`The figures of ${name} are published. See git diff.`);
}

/** Publishes which tests show the promises. `shown` is empty if no tests ran: the previous ones stay. */
export async function publishTests(shown: TestedPromise[]): Promise<void> {
	const old = await oldRuns();
	const tests = { ...(await stamp()), shown };
	if (shown.length) storeTests(tests);
	fs.writeFileSync(qualityFile, qualityPage(old));
	log('docs/quality.md is written.');
}
