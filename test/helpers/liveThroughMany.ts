import { execFileAsync, nodeProcess, projectFolder } from '../../tools/node';

const { env, execPath } = nodeProcess;
/** How many histories, and which: the same ones each time; the nightly run draws others. */
export const count = env.HISTORIES ?? '500';
export const seed = env.SEED ?? '2026';

/** What `histories.ts` says of random histories in a process of its own. */
export async function liveThroughMany(of: 'charges' | 'entries', ...args: string[]) {
	const program = ['--import', 'tsx', 'test/helpers/histories.ts', '--of', of];
	const { stdout } = await execFileAsync(execPath, [...program, ...args], { cwd: projectFolder });
	return stdout;
}

/** Each planted bug has to be found in 500 histories: one process for all of them. */
export const findBugs = async (of: 'charges' | 'entries') =>
	await liveThroughMany(of, '--bugs', '--count', '500', '--seed', '2');
