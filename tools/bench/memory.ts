import { fs } from '../node';

/** The most memory that a process has had, in MB; `undefined` where the system does not tell. */
export function peakMemory(pid: number): number | undefined {
	const file = `/proc/${pid}/status`;
	const match = fs.existsSync(file) && /VmHWM:\s*(\d+) kB/.exec(fs.readFileSync(file, 'utf8'));
	return match ? Math.round(Number(match[1]) / 1024) : undefined;
}
