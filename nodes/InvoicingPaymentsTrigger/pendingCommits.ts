/** n8n gives the task of a poll to another one when this is over, in milliseconds, and no longer commits what the first one gave. */
const lease = 60_000;

/**
 * What polls have given to n8n and n8n may not have committed yet: it reads what a poll begins with before that poll, and commits
 * what comes of it after. A poll that begins with what was remembered before another one, whose charges are on their way, would
 * give the same charges again.
 */
export class PendingCommits {
	private readonly given = new Map<string, { saves: number; at: number }>();

	/** A poll ended. `saves`: what is remembered was saved so often. */
	expect(key: string, saves: number, now: number): void {
		if (saves >= (this.given.get(key)?.saves ?? 0)) this.given.set(key, { saves, at: now });
	}

	/** Whether what was saved `saves` times is older than what is on its way. What n8n dropped is not waited for longer than a lease. */
	isBehind(key: string, saves: number, now: number): boolean {
		const given = this.given.get(key);
		return given !== undefined && saves < given.saves && now - given.at < lease;
	}

	forget(key: string): void {
		this.given.delete(key);
	}
}
