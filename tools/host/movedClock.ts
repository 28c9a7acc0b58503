import { delay, fs, nodeProcess, path } from '../node';

/** Debian has one folder per architecture. */
function findLibrary(): string {
	const name = 'faketime/libfaketimeMT.so.1';
	const found = fs
		.readdirSync('/usr/lib')
		.map((folder) => path.join('/usr/lib', folder, name))
		.find((file) => fs.existsSync(file));
	if (found) return found;
	throw new Error('libfaketime is missing: apt-get install faketime (Debian, Ubuntu)');
}

/** Seconds between two looks of libfaketime at the file. */
const lookEvery = 1;

/**
 * A clock for n8n and the simulator that can jump. Replacing Date inside Node is not enough: n8n's scheduler compares its jobs
 * with SQLite's clock. Timers keep their pace, as after the machine slept. A faster clock would scale them: at 4 to 20 times, a
 * busy n8n loses its database connection for good.
 */
export class MovedClock {
	private readonly library = findLibrary();
	/** Milliseconds. */
	ahead = 0;

	constructor(private readonly file: string) {
		this.write();
	}

	get env(): Record<string, string> {
		return {
			LD_PRELOAD: this.library,
			FAKETIME_TIMESTAMP_FILE: this.file,
			FAKETIME_CACHE_DURATION: String(lookEvery),
			FAKETIME_DONT_FAKE_MONOTONIC: '1',
		};
	}

	/** Milliseconds since 1970. */
	readonly now = (): number => Date.now() + this.ahead;

	/** `pid`: n8n's, if it runs. It is paused until it is certain to see the new time. */
	async jump(ms: number, pid?: number): Promise<void> {
		if (pid !== undefined) nodeProcess.kill(pid, 'SIGSTOP');
		try {
			this.ahead += ms;
			this.write();
			if (pid !== undefined) await delay(lookEvery * 1000 + 100);
		} finally {
			if (pid !== undefined) nodeProcess.kill(pid, 'SIGCONT');
		}
	}

	private write(): void {
		// n8n must never read half of it.
		fs.writeFileSync(`${this.file}.new`, `+${(this.ahead / 1000).toFixed(3)}\n`);
		fs.renameSync(`${this.file}.new`, this.file);
	}
}
