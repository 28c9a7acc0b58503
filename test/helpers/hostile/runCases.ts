import { nodeProcess, projectFolder, spawn } from '../../../tools/node';

/** Cases to be run in a process of their own. `seed`: that of all of them. */
export interface Cases {
	of: 'node' | 'trigger';
	first: number;
	count: number;
	seed: string;
	/** A fault that is planted. */
	plant?: string;
}

export interface EndedCases {
	failed: Array<{ of: string; case: number; words: string; problems: string[] }>;
	/** How many ended how, and how many requests they sent. */
	figures: Record<string, number>;
}

interface Line {
	failed?: EndedCases['failed'][number];
	done?: { outcomes: Record<string, number>; requests: number };
}

/** Runs them. A process that ends before it has said how they ended is a failure as well: nothing may crash it. */
export async function casesOf({ of, first, count, seed, plant }: Cases): Promise<EndedCases> {
	const given = ['--of', of, '--first', String(first), '--count', String(count), '--seed', seed];
	const patience = plant === 'hangs' ? ['--patience', '20'] : [];
	const planted = plant === undefined ? [] : ['--plant', plant, ...patience];
	const child = spawn(
		nodeProcess.execPath,
		['--import', 'tsx', 'test/hostile/cases.ts', ...given, ...planted],
		{ cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'] },
	);
	let out = '';
	let err = '';
	child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => void (err = `${err}${chunk.toString()}`.slice(-5000)));
	const code = await new Promise((resolve) => child.once('close', resolve));
	const lines = out
		.split('\n')
		.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
	const failed = lines.flatMap((line) => line.failed ?? []);
	const done = lines.find((line) => line.done)?.done;
	if (!done)
		failed.push({
			of,
			case: first,
			words: 'the process',
			problems: [`it ended with ${String(code)}: ${err}`],
		});
	return { failed, figures: { ...done?.outcomes, requests: done?.requests ?? 0 } };
}
