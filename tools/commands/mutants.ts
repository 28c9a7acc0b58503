import rooms from '../../test/stryker/rooms.json';
import { publishResult } from '../quality/publish';
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

/** Publishes the score of all rooms in docs/quality.md. */
async function main(): Promise<void> {
	const figures: Record<string, string> = {};
	for (const room of Object.keys(rooms)) {
		const states = await statesIn(room);
		const count = (...wanted: string[]) => states.filter((one) => wanted.includes(one)).length;
		const found = count('Killed', 'Timeout');
		const tried = found + count('Survived', 'NoCoverage');
		figures[room] = `${found} of ${tried} found, ${count('Timeout')} by a time limit`;
	}
	const goOn = nodeProcess.env.STRYKER_GO_ON ? 'STRYKER_GO_ON=1 ' : '';
	const command = `${goOn}npm run nightly -- stryker`;
	await publishResult('mutants', { command, figures, planted: [] });
}

void main();
