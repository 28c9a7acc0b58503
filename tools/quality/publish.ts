/**
 * The only code that writes figures into the documentation. Each function saves a result together with the page that shows it, so
 * that the tests, which compare them, stay green.
 */
import { fs, log, path, projectFolder } from '../node';
import { qualityPage } from './page';
import type { Result, RunName } from './results';
import { machine, oldRuns, stamp, storeResult } from './results';

const qualityFile = path.join(projectFolder, 'docs', 'quality.md');

/** Publishes a full run. */
export async function publishResult(name: RunName, result: Result): Promise<void> {
	const old = (await oldRuns()).filter((run) => run !== name);
	storeResult(name, { ...result, ...(await stamp(name)), machine: machine() });
	fs.writeFileSync(qualityFile, qualityPage(old));
	log(`The figures of ${name} are published. See git diff.`);
}

/** Writes the page alone, for example because a run has become old. */
export async function publishPage(): Promise<void> {
	fs.writeFileSync(qualityFile, qualityPage(await oldRuns()));
	log('docs/quality.md is written.');
}
