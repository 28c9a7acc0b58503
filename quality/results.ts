import { fs, nodeProcess, os, path, projectFolder } from '../scripts/node';

/** What one long run showed; `docs/quality.md` is written from these. */
export interface Result {
	/** The command that shows it again. */
	command: string;
	/** Every figure with its unit in the name or in the text: `{ 'invoices created twice, all reported': 6 }`. */
	figures: Record<string, number | string>;
	/** Faults that were planted to see that the run catches them, and how it did. */
	planted: Array<{ fault: string; caught: string }>;
}

/** A result with what it was measured on. */
export interface StoredResult extends Result {
	/** The day of the run, as YYYY-MM-DD. */
	date: string;
	machine: { cores: number; node: string };
}

export type RunName = 'compat' | 'cost' | 'hostile' | 'scale' | 'secrets' | 'soak';

const fileOf = (name: string) => path.join(projectFolder, 'quality', 'results', `${name}.json`);

/** Keeps the result of a full run, in place of the one before. */
export function saveResult(name: RunName, result: Result): void {
	const date = new Date().toISOString().slice(0, 10);
	const machine = { cores: os.cpus().length, node: nodeProcess.version };
	const stored: StoredResult = { ...result, date, machine };
	const file = fileOf(name);
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, `${JSON.stringify(stored, null, '\t')}\n`);
}

/** The last full run of that name; `undefined`: there was none. */
export function readResult(name: RunName): StoredResult | undefined {
	const file = fileOf(name);
	if (!fs.existsSync(file)) return undefined;
	return JSON.parse(fs.readFileSync(file, 'utf8')) as StoredResult;
}
