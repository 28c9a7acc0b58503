import { delay, fs, nodeProcess, path } from '../node';

/** Debian keeps a library for each architecture in a folder of its own. */
function findLibrary(): string {
	const name = 'faketime/libfaketimeMT.so.1';
	const found = fs
		.readdirSync('/usr/lib')
		.map((folder) => path.join('/usr/lib', folder, name))
		.find((file) => fs.existsSync(file));
	if (found) return found;
	throw new Error('libfaketime is missing: apt-get install faketime (Debian, Ubuntu)');
}

/** libfaketime looks again after so many seconds what the time should be. */
const lookEvery = 1;

/**
 * A clock that can be put forward: for n8n, and with `now` for the simulator.
 *
 * It takes libfaketime because n8n's scheduler compares its jobs with the clock of SQLite, which replacing Date inside Node does
 * not reach. Only the time of day moves, as after the machine has slept; timers and time-outs take their time. A clock that
 * runs faster scales those too, and was tried: at 4 to 20 times, n8n on a busy machine gets its database too late, gives it up,
 * and does no work any more.
 */
export class MovedClock {
	private readonly library = findLibrary();
	/** Milliseconds ahead of the machine's clock. */
	ahead = 0;

	constructor(private readonly file: string) {
		this.write();
	}

	/** What n8n has to be started with. */
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

	/** Puts the clock forward by milliseconds. `pid`: of n8n, if it runs; it sleeps until it is certain to see the new time. */
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
