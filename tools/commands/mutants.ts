import rooms from '../../test/stryker/rooms.json';
import { publishResult } from '../quality/publish';
import { oldRuns, readResult } from '../quality/results';
import { fs, nodeProcess, path, projectFolder } from '../node';
import { runNode } from './runJest';

const stryker = path.join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const settings = path.join('test', 'stryker', 'stryker.config.mjs');
const report = path.join(projectFolder, '.cache', 'stryker.json');

/** Runs Stryker on the sample of a room. Gives the states of its mutants. */
async function statesIn(room: string): Promise<string[]> {
	const code = await runNode([stryker, 'run', settings], { env: { STRYKER_ROOM: room } });
	if (code !== 0) throw new Error(`Stryker ended with ${String(code)} in ${room}`);
	const { files } = JSON.parse(fs.readFileSync(report, 'utf8')) as {
		files: Record<string, { mutants: Array<{ status: string }> }>;
	};
	return Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
}

/** Rooms that were run before stay on the page while nothing has changed. */
async function earlierFigures(): Promise<Record<string, number | string>> {
	const isOld = (await oldRuns()).includes('mutants');
	return isOld ? {} : (readResult('mutants')?.figures ?? {});
}

/** Publishes the score of all rooms in docs/quality.md, or with STRYKER_ROOM that of one beside the others. */
async function main(): Promise<void> {
	const { STRYKER_ROOM: only, STRYKER_GO_ON } = nodeProcess.env;
	const figures = await earlierFigures();
	for (const room of only ? [only] : Object.keys(rooms)) {
		const states = await statesIn(room);
		const count = (...wanted: string[]) => states.filter((one) => wanted.includes(one)).length;
		const found = count('Killed', 'Timeout');
		const tried = found + count('Survived', 'NoCoverage');
		figures[room] = `${found} of ${tried} found, ${count('Timeout')} by a time limit`;
	}
	const goOn = STRYKER_GO_ON ? 'STRYKER_GO_ON=1 ' : '';
	const command = `${goOn}npm run nightly -- stryker`;
	await publishResult('mutants', { command, figures, planted: [] });
}

void main();
