import { ensureHost } from '../../tools/host/install';
import { MovedClock } from '../../tools/host/movedClock';
import type { Stage } from '../../tools/host/stage';
import { openStage } from '../../tools/host/stage';
import { delay, fs, os, path } from '../../tools/node';
import { until } from '../../tools/until';
import { Draw } from '../../simulator/draw';
import { eventNames } from '../helpers/eventsWorkflow';
import { sheetsIn } from '../helpers/sheets';
import { Database } from './database';
import { currencies, Happenings } from './happenings';
import type { Interruption } from './ledger';
import type { Memory } from './memory';
import { memoryEnv, readMemory } from './memory';
import { calm, drawBehaviour, drawFault } from './troubles';
import {
	eventsId,
	filtered,
	filteredId,
	filteredPageSize,
	filteredWorkflow,
	soakEvents,
	triggerOf,
} from './workflows';

const seconds = 1000;
const hours = 3_600_000;
/** Milliseconds that n8n may still be busy with what it said that it had done. */
const tail = 1000;

export interface SoakOptions {
	seed: number;
	/** n8n's settings. */
	env: Record<string, string>;
	log: (line: string) => void;
}

/** One n8n, the service, and everything that is done to them. */
export class Soak {
	private readonly userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-soak-'));
	readonly clock = new MovedClock(path.join(this.userFolder, 'clock'));
	readonly draw: Draw;
	readonly interruptions: Interruption[] = [];
	/** How often each thing was done. */
	readonly done: Record<string, number> = {};
	stage!: Stage;
	database!: Database;
	happenings!: Happenings;
	private currency: string | undefined = 'EUR';
	private nodeName = 'Charges';
	/** How many invoices the largest sheet has that was run. */
	rows = 0;
	private readonly sheetRuns = new Set<Promise<void>>();
	private isUp = true;

	constructor(private readonly options: SoakOptions) {
		this.draw = new Draw(options.seed, 'owner', 0);
	}

	get world() {
		return this.stage.simulator.world;
	}

	say(what: string): void {
		const time = new Date(this.clock.now()).toISOString();
		this.options.log(`${new Date().toISOString()} (n8n: ${time}) ${what}`);
	}

	async open(): Promise<void> {
		const { env, log, seed } = this.options;
		const host = await ensureHost(log);
		this.stage = await openStage({
			userFolder: this.userFolder,
			env: { ...quietly, ...this.clock.env, ...memoryEnv(this.userFolder), ...env },
			log,
		});
		this.database = new Database(host.node, this.userFolder, triggerOf);
		const order = this.draw.pick(['newestFirst', 'oldestFirst'] as const);
		this.say(`seed ${seed}, the service lists ${order}`);
		this.world.reset({ seed, order, charges: 1500, invoices: 260, members: 8 });
		this.happenings = new Happenings(this.world, this.clock.now, this.draw);
		this.world.now = () => this.clock.now() + this.happenings.skew;
		await this.publish();
		await this.stage.api.saveWorkflow(soakEvents(this.stage));
		await this.publishing(async () => await this.stage.api.activate(eventsId));
		// What is there counts as old from the first poll of each trigger on; a first reading of a long list takes several requests.
		await this.afterPolls(6);
	}

	/** Ends everything. `isKept`: something went wrong, and n8n's log and database can tell what. */
	async close(isKept: boolean): Promise<void> {
		await this.stage?.close();
		if (isKept) this.say(`n8n's folder is kept: ${this.userFolder}`);
		else fs.rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** Does something that n8n may be in the middle of its two steps for. */
	private async interrupt<T>(
		kind: Interruption['kind'],
		triggers: string[],
		act: () => Promise<T>,
	): Promise<T> {
		const from = this.clock.now();
		const done = await this.insist(act);
		this.interruptions.push({ kind, triggers, from, to: this.clock.now() + tail });
		return done;
	}

	/** On a busy machine n8n does not get at its database in time at times, and says so: then again. */
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
		const left = `SELECT count(*) AS count FROM workflow_publication_outbox WHERE status NOT IN ('completed', 'failed', 'partial_success')`;
		await until(
			async () => (await this.database.all<{ count: number }>(left))[0].count === 0,
			() => 'n8n does not publish the workflows',
		);
		const failed = await this.database.all<object>(
			`SELECT * FROM workflow_publication_trigger_status WHERE status = 'failed'`,
		);
		if (failed.length) this.say(`n8n gave up triggers: ${JSON.stringify(failed)}`);
	}

	private count(what: string): void {
		this.done[what] = (this.done[what] ?? 0) + 1;
		this.say(what);
	}

	/** How often the trigger asked whose filters change. */
	private filteredPolls(): number {
		const { requests } = this.world.traffic;
		return requests.filter(
			({ path: asked, query }) =>
				asked === '/v1/charges' && Number(query.page_size) === filteredPageSize,
		).length;
	}

	/** Waits for polls of both workflows; where n8n waits long because the service failed, the clock is put forward. */
	async afterPolls(count: number): Promise<void> {
		const both = () => [this.filteredPolls(), this.world.traffic.requests.length];
		const [first, all] = both();
		const deadline = Date.now() + 120_000;
		for (let pause = 1; ; pause++) {
			const [now, total] = both();
			if (now - first >= count && total - all >= count * (1 + eventNames.length)) return;
			if (Date.now() > deadline) throw new Error('n8n does not poll any more');
			if (pause % 80 === 0) await this.jump(0.6 * hours);
			await delay(250);
		}
	}

	/** Publishes the workflow whose filters change, as it is to be now. */
	private async publish(): Promise<void> {
		const publishedAt = this.clock.now();
		const workflow = filteredWorkflow(this.stage, this.nodeName, this.currency);
		const before = this.world.traffic.requests.at(-1);
		await this.publishing(async () => {
			await this.interrupt('workflow published', [filtered], async () => {
				await this.stage.api.saveWorkflow(workflow);
				await this.stage.api.activate(filteredId);
			});
		});
		const { epochs } = this.happenings;
		if (epochs.length && epochs.at(-1)?.currency === this.currency) return;
		const asked = await until(
			() => {
				const { requests } = this.world.traffic;
				return requests
					.slice(before ? requests.lastIndexOf(before) + 1 : 0)
					.find(
						({ query }) =>
							Number(query.page_size) === filteredPageSize && query.currency === this.currency,
					);
			},
			() => 'No poll with the new filter came',
		);
		const effectiveAt = asked.at - this.happenings.skew;
		epochs.push({ currency: this.currency, publishedAt, effectiveAt, settledAt: publishedAt });
	}

	/** What has to have come by now and has not. Reads n8n's database. */
	async missing(only?: string): Promise<string[]> {
		const duties = this.happenings.duties();
		await this.database.read();
		const came = new Set(this.database.starts.map(({ trigger, id }) => `${trigger} ${id}`));
		return duties
			.filter(({ must, trigger }) => must && (only ?? trigger) === trigger)
			.map(({ trigger, id }) => `${trigger} ${id}`)
			.filter((key) => !came.has(key));
	}

	/** Waits until everything has come that has to, of one trigger or all. Gives what has not come in `limit` milliseconds. */
	async settled(limit: number, only?: string): Promise<string[]> {
		const end = Date.now() + limit;
		for (;;) {
			const missing = await this.missing(only);
			if (!missing.length || Date.now() > end) return missing;
			await delay(500);
		}
	}

	// From here on: what is done to n8n and the service.

	pay = (): void => void this.happenings.pay(this.draw.int(1, 5));

	burst = (): void => {
		const { length } = this.happenings.pay(this.draw.int(20, 300));
		this.say(`${length} charges at once`);
	};

	/** Look Back is an hour, and looked at every quarter of it. */
	late = (): void => {
		const ago = this.draw.int(1, 40) * 60 * seconds;
		this.happenings.pay(this.draw.int(1, 5), ago);
		this.say(`charges of ${ago / 60_000} minutes ago`);
	};

	fault = (): void => {
		const fault = drawFault(this.draw);
		this.world.faults.add(fault);
		this.say(`fault: ${JSON.stringify(fault)}`);
	};

	outage = async (): Promise<void> => {
		this.count('the service is down');
		const fault = { ...drawFault(this.draw, true), path: '/v1', skip: 0, times: null };
		this.world.faults.add({ ...fault, method: undefined });
		await delay(this.draw.int(3, 8) * seconds);
		this.world.faults.clear();
	};

	behave = (): void => {
		const behaviour = drawBehaviour(this.draw);
		this.world.set(behaviour);
		this.say(`behaviour: ${JSON.stringify(behaviour)}`);
	};

	/** What the service got and has not done yet is done before, or it would take hours. */
	jump = async (ms: number): Promise<void> => {
		await this.sheetsEnded();
		await delay(300);
		await this.clock.jump(ms, this.isUp ? this.stage.n8n.pid : undefined);
		this.count(`put the clock forward`);
	};

	anyJump = async (): Promise<void> => {
		if (this.sheetRuns.size) return;
		await this.jump(this.draw.int(1, this.draw.pick([10, 120])) * hours);
	};

	/** As long as the trigger waits between its looks at what is late, and at whole lists. */
	shortJump = async (): Promise<void> => {
		if (this.sheetRuns.size) return;
		await this.jump((this.draw.int(4, 30) / 60) * hours);
	};

	/** Makes charges and waits until the trigger has got them, so that n8n is just about to save and start. */
	private async rightBehindAPoll(): Promise<void> {
		if (this.draw.chance(40)) return;
		const before = this.world.traffic.requests.length;
		this.happenings.pay(this.draw.int(1, 3));
		for (let waited = 0; waited < 5000; waited += 2) {
			const { requests } = this.world.traffic;
			if (requests.slice(before).some(({ path: asked }) => asked === '/v1/charges')) break;
			await delay(2);
		}
		await delay(this.draw.int(0, 80));
	}

	private bePassing(): void {
		this.world.faults.clear();
		if (this.draw.chance(30)) this.world.faults.add(drawFault(this.draw, true));
	}

	changeFilter = async (): Promise<void> => {
		const { epochs } = this.happenings;
		const isSettled = this.draw.chance(60) || this.clock.now() - this.lastSettled() > 20 * hours;
		if (isSettled) {
			this.world.faults.clear();
			this.world.set(calm);
			await this.settle();
		}
		const others = [undefined, ...currencies].filter((one) => one !== this.currency);
		this.currency = this.draw.pick(others);
		this.count('changed the filter');
		this.say(`filter: ${this.currency}, ${isSettled ? 'when all had come' : 'at once'}`);
		this.bePassing();
		await this.publish();
		const last = epochs.at(-1);
		if (last) this.say(`published, in force after ${last.effectiveAt - last.publishedAt} ms`);
	};

	/** Waits until the trigger whose filters change has started everything that it has to. */
	private async settle(): Promise<void> {
		const now = this.clock.now();
		await this.afterPolls(1);
		let missing = await this.settled(8000, filtered);
		for (let round = 0; missing.length && round < 3; round++) {
			// What was late is looked for every quarter of an hour, and n8n waits half an hour at most after failures.
			await this.jump(0.6 * hours);
			await this.afterPolls(1);
			missing = await this.settled(8000, filtered);
		}
		const epoch = this.happenings.epochs.at(-1);
		if (epoch && !missing.length) epoch.settledAt = now;
		// What an interruption has cost is for the ledger to judge: the other trigger has no filter.
		if (missing.length) this.say(`missing when all should have come: ${missing.join(', ')}`);
	}

	private lastSettled = () => this.happenings.epochs.at(-1)?.settledAt ?? 0;

	rename = async (): Promise<void> => {
		this.nodeName = `Charges ${this.draw.int(1, 1000)}`;
		this.count('renamed the trigger');
		await this.rightBehindAPoll();
		this.bePassing();
		await this.publish();
	};

	pause = async (): Promise<void> => {
		const isEvents = this.draw.chance(60);
		const id = isEvents ? eventsId : filteredId;
		const triggers = isEvents ? eventNames : [filtered];
		this.count('deactivated');
		await this.rightBehindAPoll();
		const deactivate = async () => await this.stage.api.deactivate(id);
		await this.interrupt('workflow deactivated', triggers, deactivate);
		this.say(`deactivated ${id}`);
		await this.anyPause();
		this.bePassing();
		const activate = async () => await this.stage.api.activate(id);
		await this.publishing(
			async () => await this.interrupt('workflow published', triggers, activate),
		);
		this.say(`activated ${id}`);
	};

	private async stop(): Promise<void> {
		const from = this.clock.now();
		const begin = Date.now();
		await this.stage.n8n.stop();
		// It is killed after twenty seconds. Before, it may close its database between its two steps.
		const isKilled = Date.now() - begin >= 19 * seconds;
		if (isKilled) this.count('n8n did not stop and was killed');
		const kind = isKilled ? 'n8n killed' : 'n8n stopped';
		const triggers = [...eventNames, filtered];
		this.interruptions.push({ kind, triggers, from, to: this.clock.now() });
	}

	/** `whileDown`: what is done while n8n does not run. */
	restart = async (isKill: boolean, whileDown?: () => Promise<void>): Promise<void> => {
		if (!whileDown) await this.rightBehindAPoll();
		this.count(isKill ? 'killed n8n' : 'stopped n8n');
		const { n8n } = this.stage;
		this.isUp = false;
		const all = [...eventNames, filtered];
		if (isKill) await this.interrupt('n8n killed', all, async () => await n8n.kill());
		else await this.stop();
		await (whileDown ?? this.anyPause)();
		if (this.draw.chance(50)) this.happenings.skew = this.draw.int(-120, 120) * seconds;
		await this.stage.restart();
		this.isUp = true;
		await this.publishing();
		this.say(`n8n is back, the service's clock is ${this.happenings.skew} ms ahead`);
	};

	/** Life goes on, for hours or days at times. */
	private readonly anyPause = async (): Promise<void> => {
		await this.live(this.draw.int(0, 6));
		if (this.draw.chance(30)) await this.anyJump();
	};

	/** Life goes on for a few steps. */
	private async live(steps: number): Promise<void> {
		for (let step = 0; step < steps; step++) {
			this.draw.pick([
				this.pay,
				this.pay,
				() => this.happenings.invoice(),
				() => this.happenings.changeInvoice(),
				() => this.happenings.refund(),
				() => this.happenings.join(),
			])();
			await delay(this.draw.int(20, 400));
		}
	}

	/** Runs a sheet, sometimes twice at the same time; most of its invoices exist from the runs before. */
	sheet = async (): Promise<void> => {
		if (this.sheetRuns.size) return;
		this.rows = Math.min(2000, this.rows + this.draw.int(1, 25));
		const count = this.draw.chance(70) ? this.rows : this.draw.int(1, this.rows);
		this.count('ran a sheet');
		const { sheetOf, workflowFor } = sheetsIn(this);
		const sheet = sheetOf(count);
		const { id, trigger } = await this.insist(
			async () => await workflowFor('csv', sheet, { requestOptions: { timeout: 5000 } }),
		);
		const { api } = this.stage;
		for (let run = this.draw.chance(20) ? 2 : 1; run > 0; run--) {
			const ending = api
				.start(id, trigger)
				.then(async (execution) => await api.ended(execution))
				.then(({ status, data }) => {
					const { error } = data.resultData;
					this.say(`sheet of ${count}: ${status} ${error?.message ?? ''}`);
				})
				.catch((error: Error) => this.say(`sheet of ${count}: ${error.message}`))
				.finally(() => this.sheetRuns.delete(ending));
			this.sheetRuns.add(ending);
		}
	};

	async sheetsEnded(): Promise<void> {
		await Promise.all(this.sheetRuns);
	}

	/** The last sheet, when everything works again: all invoices of all sheets. */
	async lastSheet(): Promise<string> {
		const { sheetOf, run } = sheetsIn(this);
		const { status, data } = await run('csv', sheetOf(this.rows));
		return `${status} ${data.resultData.error?.message ?? ''}`.trim();
	}

	/** Everything works again, and n8n gets the time to catch up. Gives what does not come. */
	async calmDown(): Promise<string[]> {
		this.world.faults.clear();
		this.world.set(calm);
		for (let round = 0; round < 3; round++) {
			await this.afterPolls(2);
			await this.jump(0.7 * hours);
		}
		await this.afterPolls(2);
		return await this.settled(240_000);
	}

	/** How much n8n needs now. */
	async memory(): Promise<Memory> {
		return await readMemory(this.stage.n8n.pid, this.userFolder);
	}

	/** How many days n8n's clock was put forward. */
	get days(): number {
		return this.clock.ahead / (24 * hours);
	}
}

/** So that only what this is about is done in the background; a session lasts as long as the clock goes. */
const quietly = {
	EXECUTIONS_DATA_PRUNE: 'false',
	N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: '87600',
	N8N_USER_MANAGEMENT_JWT_REFRESH_TIMEOUT_HOURS: '-1',
};
