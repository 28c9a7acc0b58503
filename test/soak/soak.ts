import type { WorkflowFile } from '../../tools/host/api';
import { peakMemory } from '../../tools/host/processes';
import { ensureHost } from '../../tools/host/install';
import { MovedClock } from '../../tools/host/movedClock';
import type { Stage } from '../../tools/host/stage';
import { openStage } from '../../tools/host/stage';
import { triggerWorkflow } from '../../tools/host/workflowOf';
import { delay, fs, os, path } from '../../tools/node';
import { until } from '../../tools/until';
import { Draw } from '../../simulator/draw';
import { eventsWorkflow, timelessEvents } from '../helpers/n8n/eventsWorkflow';
import { numbersOf, sheetWorkflow } from '../helpers/n8n/sheetWorkflow';
import { currencies, filtered, filteredPageSize, Happenings } from './happenings';
import type { Interruption } from '../helpers/service/ledgers';
import { count, keyOf } from '../helpers/service/ledgers';
import { Database } from './database';
import { calm, drawBehaviour, drawFault } from './troubles';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
/** Milliseconds that n8n may still work after it has responded. */
const tail = 1000;
/** Milliseconds that n8n recovers from a crash, once it responds. */
const recovery = 4 * seconds;
/** No other background work, and sessions that do not expire. */
const quietly = {
	EXECUTIONS_DATA_PRUNE: 'false',
	N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: '87600',
	N8N_USER_MANAGEMENT_JWT_REFRESH_TIMEOUT_HOURS: '-1',
};
const eventsId = 'soakEvents';
const filteredId = 'soakFiltered';
const sheetId = 'soakSheet';
/** Other events depend on the date, which the soak moves. */
const eventNames = timelessEvents;
const allTriggers = [...eventNames, filtered];

/** Name of a trigger in the ledger; `undefined` for other nodes. */
function triggerOf(workflowId: string, node: string): string | undefined {
	if (workflowId === filteredId) return node.startsWith('Got') ? undefined : filtered;
	return workflowId === eventsId && eventNames.some((name) => name === node) ? node : undefined;
}

export interface SoakOptions {
	seed: number;
	/** Settings of n8n. */
	env: Record<string, string>;
	log: (line: string) => void;
}

/** One n8n and the service, and all actions on them. */
export class Soak {
	private readonly userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-soak-'));
	readonly clock = new MovedClock(path.join(this.userFolder, 'clock'));
	readonly draw: Draw;
	readonly interruptions: Interruption[] = [];
	/** Number of actions by name. */
	readonly done: Record<string, number> = {};
	stage!: Stage;
	database!: Database;
	happenings!: Happenings;
	private currency: string | undefined = 'EUR';
	private nodeName = 'Charges';
	/** Invoices of the largest sheet so far. */
	rows = 0;
	private readonly sheetRuns = new Set<Promise<void>>();
	private isUp = true;

	constructor(private readonly options: SoakOptions) {
		this.draw = new Draw(options.seed, 'owner', 0);
	}

	get world() {
		return this.stage.simulator.world;
	}

	private get requests() {
		return this.world.traffic.requests;
	}

	say(what: string): void {
		const time = new Date(this.clock.now()).toISOString();
		this.options.log(`${new Date().toISOString()} (n8n: ${time}) ${what}`);
	}

	private count(what: string): void {
		count(this.done, what);
		this.say(what);
	}

	async open(): Promise<void> {
		const { env, log, seed } = this.options;
		const { node } = await ensureHost(log);
		const settings = { ...quietly, ...this.clock.env, ...env };
		this.stage = await openStage({ userFolder: this.userFolder, env: settings, log });
		this.database = new Database(node, this.userFolder, triggerOf);
		const order = this.draw.pick(['newestFirst', 'oldestFirst'] as const);
		this.say(`seed ${seed}, the service lists ${order}`);
		this.world.reset({ seed, order, charges: 1500, invoices: 260, members: 8 });
		this.happenings = new Happenings(this.world, this.clock.now, this.draw);
		this.world.now = () => this.clock.now() + this.happenings.skew;
		await this.publish();
		await this.stage.api.saveWorkflow({
			...eventsWorkflow(triggerWorkflow(this.stage, {}, { everySeconds: 6 }), eventNames),
			...{ id: eventsId, name: 'Soak: every event' },
		});
		await this.publishing(async () => await this.stage.api.activate(eventsId));
		// Existing items count as old after the first poll of each trigger. The first reading of a long list takes several requests.
		await this.afterPolls(6);
	}

	/** `isKept`: keeps n8n's log and database, because something went wrong. */
	async close(isKept: boolean): Promise<void> {
		await this.stage?.close();
		if (isKept) this.say(`n8n's folder is kept: ${this.userFolder}`);
		else fs.rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** Acts, possibly between n8n's two steps. */
	private async interrupt(
		kind: Interruption['kind'],
		triggers: string[],
		act: () => Promise<void>,
	): Promise<void> {
		const from = this.clock.now();
		await this.insist(act);
		this.interruptions.push({ kind, triggers, from, to: this.clock.now() + tail });
	}

	/** Repeats an action if n8n's database was too slow on a busy machine. */
	private async insist<T>(act: () => Promise<T>): Promise<T> {
		for (let again = 5; ; again--) {
			try {
				return await act();
			} catch (error) {
				const { message } = error as Error;
				if (!again || !/\(50\d\)/.test(message)) return await Promise.reject(error);
				this.say(`again: ${message}`);
				await delay(1000);
			}
		}
	}

	/** Waits until n8n has published everything. */
	private async publishing(act?: () => Promise<void>): Promise<void> {
		await act?.();
		const left = `SELECT * FROM workflow_publication_outbox WHERE status NOT IN ('completed', 'failed', 'partial_success')`;
		await until(
			async () => (await this.database.all(left)).length === 0,
			() => 'n8n does not publish the workflows',
		);
		const failed = await this.database.all(
			`SELECT * FROM workflow_publication_trigger_status WHERE status = 'failed'`,
		);
		if (failed.length) this.say(`n8n gave up triggers: ${JSON.stringify(failed)}`);
	}

	/** Requests of the trigger whose filters change, since a time on n8n's clock. */
	private filteredRequests(since: number) {
		return this.requests.filter(
			({ path: asked, query, at }) =>
				asked === '/v1/charges' &&
				Number(query.page_size) === filteredPageSize &&
				at - this.happenings.skew >= since,
		);
	}

	/** Waits for polls of both workflows. Moves the clock forward at times, because n8n waits long after failures. */
	async afterPolls(polls: number): Promise<void> {
		const { traffic } = this.world;
		const [since, before] = [this.clock.now(), traffic.requestCount];
		const areDone = () =>
			this.filteredRequests(since).length >= polls &&
			traffic.requestCount - before >= polls * allTriggers.length;
		// If a jump cost n8n the lease of a poll with items, the trigger waits three minutes for n8n to save it (state/trigger.ts).
		const deadline = Date.now() + 5 * minutes;
		for (let pause = 1; !areDone(); pause++) {
			if (Date.now() > deadline) throw new Error('n8n does not poll any more');
			if (pause % 80 === 0) await this.jump(0.6 * hours);
			await delay(250);
		}
	}

	private filteredWorkflow(): WorkflowFile {
		const { nodeName: name, currency } = this;
		const parameters = {
			filters: currency === undefined ? {} : { currency },
			options: { pageSize: filteredPageSize, maxPerRun: 100 },
		};
		const workflow = triggerWorkflow(this.stage, parameters, { name, everySeconds: 3 });
		return { ...workflow, id: filteredId, name: 'Soak: charges of a currency' };
	}

	/** Publishes the workflow whose filters change. */
	private async publish(): Promise<void> {
		const publishedAt = this.clock.now();
		await this.publishing(async () => {
			await this.interrupt('workflow published', [filtered], async () => {
				await this.stage.api.saveWorkflow(this.filteredWorkflow());
				await this.stage.api.activate(filteredId);
			});
		});
		const { currency } = this;
		if (!this.happenings.changeFilter(currency, publishedAt)) return;
		await until(
			() => this.filteredRequests(publishedAt).some(({ query }) => query.currency === currency),
			() => 'No poll with the new filter came',
		);
	}

	/** Waits until everything came, for one trigger or all. Returns what is missing after `limit` milliseconds. */
	async settled(limit: number, only?: string): Promise<string[]> {
		const end = Date.now() + limit;
		for (;;) {
			const duties = this.happenings.duties();
			await this.database.read();
			const came = new Set(this.database.starts.map(keyOf));
			const missing = duties
				.filter(({ must, trigger }) => must && (only ?? trigger) === trigger)
				.map(keyOf)
				.filter((key) => !came.has(key));
			if (!missing.length || Date.now() > end) return missing;
			await delay(500);
		}
	}

	drawAction(mayRestart: boolean): () => void | Promise<void> {
		const { happenings } = this;
		const weighted: Array<[weight: number, action: () => void | Promise<void>]> = [
			[30, this.pay],
			[3, this.burst],
			[5, this.late],
			[10, () => happenings.invoice()],
			[12, () => happenings.changeInvoice()],
			[8, () => happenings.refund()],
			[3, () => happenings.join()],
			[7, this.sheet],
			[10, this.fault],
			[3, () => this.world.faults.clear()],
			[2, this.outage],
			[6, this.behave],
			[3, this.changeFilter],
			[2, this.rename],
			[4, this.pause],
			[2, this.anyJump],
			[14, this.shortJump],
			[mayRestart ? 2 : 0, async () => await this.restart(false)],
			[mayRestart ? 3 : 0, async () => await this.restart(true)],
		];
		return this.draw.pick(
			weighted.flatMap(([weight, action]) => Array.from({ length: weight }, () => action)),
		);
	}

	private readonly pay = () => void this.happenings.pay(this.draw.int(1, 5));

	private readonly burst = () => void this.happenings.pay(this.draw.int(20, 300));

	/** Look Back is an hour. The trigger looks for late charges every 15 minutes. */
	private readonly late = () =>
		void this.happenings.pay(this.draw.int(1, 5), this.draw.int(1, 40) * minutes);

	private readonly fault = (): void => {
		const fault = drawFault(this.draw);
		this.world.faults.add(fault);
		this.say(`fault: ${JSON.stringify(fault)}`);
	};

	private readonly outage = async (): Promise<void> => {
		this.count('the service is down');
		const fault = { ...drawFault(this.draw, true), path: '/v1', skip: 0, times: null };
		this.world.faults.add({ ...fault, method: undefined });
		await delay(this.draw.int(3, 8) * seconds);
		this.world.faults.clear();
	};

	private readonly behave = (): void => {
		const behaviour = drawBehaviour(this.draw);
		this.world.set(behaviour);
		this.say(`behaviour: ${JSON.stringify(behaviour)}`);
	};

	/** Moves the clock forward after the sheets, whose requests would seem to take hours otherwise. */
	private async jump(ms: number): Promise<void> {
		await this.sheetsEnded();
		await delay(300);
		await this.clock.jump(ms, this.isUp ? this.stage.n8n.pid : undefined);
		this.count(`put the clock forward`);
	}

	private readonly anyJump = async (): Promise<void> => {
		if (!this.sheetRuns.size) await this.jump(this.draw.int(1, this.draw.pick([10, 120])) * hours);
	};

	/** About as long as the trigger waits before it looks for late charges and reads whole lists. */
	private readonly shortJump = async (): Promise<void> => {
		if (!this.sheetRuns.size) await this.jump(this.draw.int(4, 30) * minutes);
	};

	/** Adds charges and waits for the trigger to read them, so that n8n is about to save and start. */
	private async rightBehindAPoll(): Promise<void> {
		if (this.draw.chance(40)) return;
		const before = this.requests.length;
		this.happenings.pay(this.draw.int(1, 3));
		const isAsked = () =>
			this.requests.slice(before).some(({ path: asked }) => asked === '/v1/charges');
		for (let waited = 0; waited < 5000 && !isAsked(); waited += 2) await delay(2);
		await delay(this.draw.int(0, 80));
	}

	/** Keeps only faults that n8n survives when it publishes a workflow. */
	private clearFaults(): void {
		this.world.faults.clear();
		if (this.draw.chance(30)) this.world.faults.add(drawFault(this.draw, true));
	}

	private calm(): void {
		this.world.faults.clear();
		this.world.set(calm);
	}

	/** Changes the filter once everything came. */
	private readonly changeFilter = async (): Promise<void> => {
		this.calm();
		let missing: string[] = [];
		for (let round = 0; round < 3; round++) {
			// The trigger looks for late charges every 15 minutes, and waits up to half an hour after failures.
			await this.jump(0.6 * hours);
			await this.afterPolls(1);
			missing = await this.settled(8000, filtered);
			if (!missing.length) break;
		}
		// The ledger judges losses by interruptions, and the other trigger has no filter.
		if (missing.length) return this.say(`missing when all should have come: ${missing.join(', ')}`);
		const others = [undefined, ...currencies].filter((one) => one !== this.currency);
		this.currency = this.draw.pick(others);
		this.count('changed the filter');
		this.clearFaults();
		await this.publish();
		this.say(`filter: ${this.currency}`);
	};

	private readonly rename = async (): Promise<void> => {
		this.nodeName = `Charges ${this.draw.int(1, 1000)}`;
		this.count('renamed the trigger');
		await this.rightBehindAPoll();
		this.clearFaults();
		await this.publish();
	};

	private readonly pause = async (): Promise<void> => {
		const isEvents = this.draw.chance(60);
		const id = isEvents ? eventsId : filteredId;
		const triggers = isEvents ? eventNames : [filtered];
		const { api } = this.stage;
		await this.rightBehindAPoll();
		await this.interrupt('workflow deactivated', triggers, async () => await api.deactivate(id));
		this.count('deactivated');
		await this.anyPause();
		this.clearFaults();
		const activate = async () => await api.activate(id);
		await this.publishing(
			async () => await this.interrupt('workflow published', triggers, activate),
		);
		this.say(`activated ${id}`);
	};

	/** `whileDown`: runs while n8n is off. */
	readonly restart = async (isKill: boolean, whileDown?: () => Promise<void>): Promise<void> => {
		if (!whileDown) await this.rightBehindAPoll();
		this.count(isKill ? 'killed n8n' : 'stopped n8n');
		this.isUp = false;
		if (isKill)
			await this.interrupt('n8n killed', allTriggers, async () => await this.stage.n8n.kill());
		else await this.stop();
		await (whileDown ?? this.anyPause)();
		if (this.draw.chance(50)) this.happenings.skew = this.draw.int(-120, 120) * seconds;
		await this.start();
		this.isUp = true;
		await this.publishing();
		this.say(`n8n is back, the service's clock is ${this.happenings.skew} ms ahead`);
	};

	/**
	 * n8n 2.41 exits during its recovery from a crash if an execution was queued but had not started. Its supervisor restarts it.
	 */
	private async start(): Promise<void> {
		for (let left = 3; left > 0; left--) {
			await this.stage.restart();
			const { ended } = this.stage.n8n;
			const from = this.clock.now();
			const hasEnded = ended.then(() => true);
			if (!(await Promise.race([hasEnded, delay(recovery).then(() => false)]))) return;
			this.count('n8n ended while it started');
			const to = this.clock.now();
			this.interruptions.push({ kind: 'n8n killed', triggers: allTriggers, from, to });
		}
		throw new Error('n8n ends at every start');
	}

	private async stop(): Promise<void> {
		const [from, begin] = [this.clock.now(), Date.now()];
		await this.stage.n8n.stop();
		// n8n is killed after 20 seconds. Before, it may close its database between its two steps.
		const isKilled = Date.now() - begin >= 19 * seconds;
		if (isKilled) this.count('n8n did not stop and was killed');
		const kind = isKilled ? 'n8n killed' : 'n8n stopped';
		this.interruptions.push({ kind, triggers: allTriggers, from, to: this.clock.now() });
	}

	/** Some events, sometimes followed by hours or days. */
	private readonly anyPause = async (): Promise<void> => {
		const { happenings } = this;
		for (let left = this.draw.int(0, 6); left > 0; left--) {
			this.draw.pick([
				...[this.pay, this.pay, () => happenings.invoice(), () => happenings.changeInvoice()],
				...[() => happenings.refund(), () => happenings.join()],
			])();
			await delay(this.draw.int(20, 400));
		}
		if (this.draw.chance(30)) await this.anyJump();
	};

	/** Runs a sheet, sometimes twice in parallel. Most of its invoices exist from earlier runs. */
	readonly sheet = async (): Promise<void> => {
		if (this.sheetRuns.size) return;
		this.rows = Math.min(2000, this.rows + this.draw.int(1, 25));
		const size = this.draw.chance(70) ? this.rows : this.draw.int(1, this.rows);
		this.count('ran a sheet');
		await this.insist(async () => await this.saveSheet(size));
		for (let run = this.draw.chance(20) ? 2 : 1; run > 0; run--) {
			const ending = this.stage.api
				.run(sheetId, 'Start')
				.then(({ status, data }) => `${status} ${data.resultData.error?.message ?? ''}`)
				.catch(({ message }: Error) => message)
				.then((words) => this.say(`sheet of ${size}: ${words}`))
				.finally(() => this.sheetRuns.delete(ending));
			this.sheetRuns.add(ending);
		}
	};

	async sheetsEnded(): Promise<void> {
		await Promise.all(this.sheetRuns);
	}

	private async saveSheet(size: number): Promise<void> {
		const parameters = { requestOptions: { timeout: 5000 } };
		const numbers = numbersOf('S', size);
		await this.stage.api.saveWorkflow(sheetWorkflow(this.stage, sheetId, numbers, parameters));
	}

	/** Runs a last sheet with all invoices of all sheets, when everything works again. */
	async lastSheet(): Promise<string> {
		await this.saveSheet(this.rows);
		const { status, data } = await this.stage.api.run(sheetId, 'Start');
		return `${status} ${data.resultData.error?.message ?? ''}`.trim();
	}

	/** Removes all faults and lets n8n catch up. Returns what is missing. */
	async calmDown(): Promise<string[]> {
		this.calm();
		for (let round = 0; round < 3; round++) {
			await this.afterPolls(2);
			await this.jump(0.7 * hours);
		}
		await this.afterPolls(2);
		return await this.settled(4 * minutes);
	}

	/** Peak memory of n8n since its start, and bytes kept between polls. */
	async measure(): Promise<{ memory: string; bytes: number }> {
		const memory = `${peakMemory(this.stage.n8n.pid) ?? '?'} MB`;
		return { memory, bytes: await this.database.keptBytes() };
	}

	/** Days by which n8n's clock is ahead. */
	get days(): number {
		return this.clock.ahead / (24 * hours);
	}
}
