import { track } from '../host/processes';
import { fs, nodeProcess, path, projectFolder, spawn } from '../node';

export interface JestReport {
	numRuntimeErrorTestSuites: number;
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ title: string; fullName: string; status: string }>;
	}>;
}

interface RunOptions {
	cwd?: string;
	env?: Record<string, string | undefined>;
	stdio?: Array<'inherit' | 'ignore'>;
}

/** Returns the exit code. */
export async function runNode(args: string[], { env, ...options }: RunOptions = {}) {
	const settings = { cwd: projectFolder, stdio: 'inherit' as const, ...options };
	const all = { ...settings, env: { ...nodeProcess.env, ...env } };
	const child = track(spawn(nodeProcess.execPath, args, all));
	return await new Promise<number | null>((resolve) => child.once('exit', resolve));
}

/** The report is missing if jest ended early. */
export async function runJest(args: string[], reportFile: string, options?: RunOptions) {
	fs.rmSync(reportFile, { force: true });
	fs.mkdirSync(path.dirname(reportFile), { recursive: true });
	const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
	const output = ['--json', '--outputFile', reportFile];
	// With --json, jest prints the report, too.
	const stdio = ['inherit', 'ignore', 'inherit'] as RunOptions['stdio'];
	const code = await runNode([jest, ...args, ...output], { stdio, ...options });
	return { code, report: readReport(reportFile) };
}

function readReport(file: string): JestReport | undefined {
	if (!fs.existsSync(file)) return undefined;
	return JSON.parse(fs.readFileSync(file, 'utf8')) as JestReport;
}
