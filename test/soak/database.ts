import { parse } from 'flatted';
import { execFileAsync, path } from '../../tools/node';
import { startOf } from '../helpers/n8n/startOf';
import type { Start } from '../helpers/service/ledgers';
import { count } from '../helpers/service/ledgers';

/** Runs in n8n's own Node, because this one may lack SQLite. */
const script = `
const { DatabaseSync } = require('node:sqlite');
const [, file, sql, ...values] = process.argv;
const database = new DatabaseSync(file, { timeout: 10000 });
process.stdout.write(JSON.stringify(database.prepare(sql).all(...values)));
`;

interface Row {
	id: number;
	workflowId: string;
	status: string;
	createdAt: string;
	data: string;
}

export class Database {
	private readonly file: string;
	private last = 0;
	readonly starts: Start[] = [];
	/** Number of executions by final status. */
	readonly ends: Record<string, number> = {};

	/** `triggerOf`: name of a trigger in the ledger. */
	constructor(
		private readonly node: string,
		userFolder: string,
		private readonly triggerOf: (workflowId: string, node: string) => string | undefined,
	) {
		this.file = path.join(userFolder, '.n8n', 'database.sqlite');
	}

	/** Reads new executions, up to the first that has not ended. `isAll`: reads all. */
	async read(isAll = false): Promise<void> {
		const rows = await this.all<Row>(
			`SELECT e.id, e.workflowId, e.status, e.createdAt, d.data FROM execution_entity e
			 JOIN execution_data d ON d.executionId = e.id WHERE e.id > ${this.last} ORDER BY e.id`,
		);
		for (const { id, workflowId, status, createdAt, data } of rows) {
			if (!isAll && ['new', 'running'].includes(status)) return;
			this.last = id;
			count(this.ends, status);
			const started = startOf(parse(data) as object);
			const trigger = started && this.triggerOf(workflowId, started.trigger);
			if (!trigger) continue;
			const at = Date.parse(`${createdAt.replace(' ', 'T')}Z`);
			this.starts.push(...started.ids.map((one) => ({ trigger, id: one, at })));
		}
	}

	/** Bytes that n8n keeps between polls: static data and durable cursors. */
	async keptBytes(): Promise<number> {
		const [{ bytes }] = await this.all<{ bytes: number }>(
			`SELECT (SELECT coalesce(sum(length(staticData)), 0) FROM workflow_entity) +
			 (SELECT coalesce(sum(length(cursor)), 0) FROM poller_state) AS bytes`,
		);
		return bytes;
	}

	async all<T>(sql: string): Promise<T[]> {
		const args = ['--no-warnings', '-e', script, this.file, sql];
		const { stdout } = await execFileAsync(this.node, args, { maxBuffer: 1024 ** 3 });
		return JSON.parse(stdout) as T[];
	}
}
