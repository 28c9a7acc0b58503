import { parse } from 'flatted';
import type { ITaskData } from 'n8n-workflow';
import { execFileAsync, path } from '../../tools/node';
import type { Start } from './ledger';

/** n8n's database, read beside it by the Node that runs n8n: this one may have no SQLite. */
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

/** What n8n keeps of an execution, as far as it tells what started it. */
interface StoredRun {
	resultData?: { runData?: Record<string, ITaskData[]> };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: ITaskData['data'] }>;
	};
}

export class Database {
	private readonly file: string;
	private last = 0;
	readonly starts: Start[] = [];
	/** How many executions ended how. */
	readonly ends: Record<string, number> = {};

	/** `triggersOf`: the names under which the ledger has the triggers of a workflow, by the names of their nodes. */
	constructor(
		private readonly node: string,
		userFolder: string,
		private readonly triggerOf: (workflowId: string, node: string) => string | undefined,
	) {
		this.file = path.join(userFolder, '.n8n', 'database.sqlite');
	}

	/** Reads what started executions since the last time. Those that have not ended, and all after them, are left for the next time. */
	async read(isAll = false): Promise<void> {
		const rows = await this.all<Row>(
			`SELECT e.id, e.workflowId, e.status, e.createdAt, d.data FROM execution_entity e
			 JOIN execution_data d ON d.executionId = e.id WHERE e.id > ${this.last} ORDER BY e.id`,
		);
		for (const row of rows) {
			if (!isAll && ['new', 'running'].includes(row.status)) return;
			this.last = row.id;
			this.ends[row.status] = (this.ends[row.status] ?? 0) + 1;
			this.starts.push(...this.startsOf(row));
		}
	}

	/** Bytes of what n8n keeps between polls: static data of workflows, and durable cursors. */
	async sizes(): Promise<{ staticData: number; pollerState: number }> {
		const [sizes] = await this.all<{ staticData: number; pollerState: number }>(
			`SELECT (SELECT coalesce(sum(length(staticData)), 0) FROM workflow_entity) AS staticData,
			 (SELECT coalesce(sum(length(cursor)), 0) FROM poller_state) AS pollerState`,
		);
		return sizes;
	}

	/** What a statement gives. */
	async all<T>(sql: string): Promise<T[]> {
		const args = ['--no-warnings', '-e', script, this.file, sql];
		const { stdout } = await execFileAsync(this.node, args, { maxBuffer: 1024 ** 3 });
		return JSON.parse(stdout) as T[];
	}

	private startsOf({ workflowId, createdAt, data }: Row): Start[] {
		const { resultData, executionData } = parse(data) as StoredRun;
		const at = Date.parse(`${createdAt.replace(' ', 'T')}Z`);
		// An execution that n8n's end interrupted before its first node was noted has it on its stack.
		const ran = Object.entries(resultData?.runData ?? {}).map(
			([node, [run]]) => [node, run?.data] as const,
		);
		const waiting = (executionData?.nodeExecutionStack ?? []).map(
			({ node, data: given }) => [node.name, given] as const,
		);
		const seen = new Set<string>();
		return [...ran, ...waiting].flatMap(([node, given]) => {
			const trigger = this.triggerOf(workflowId, node);
			if (trigger === undefined || seen.has(node) || !given?.main) return [];
			seen.add(node);
			// A poll that failed gave an item without an ID.
			const items = (given.main[0] ?? []).filter(({ json }) => json.id !== undefined);
			return items.map(({ json }) => ({ trigger, id: String(json.id), at }));
		});
	}
}
