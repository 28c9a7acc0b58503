import Table from 'cli-table3';
import type { StoredExecution } from '../host/api';
import { owner } from '../host/api';
import { checkInvoices } from '../host/checkInvoices';
import type { Stage } from '../host/stage';
import { exampleNames, openStage, readExample, triggerOf } from '../host/stage';
import { fs, nodeProcess, os, parseArgs, path, projectFolder } from './node';

const shownExample = 'invoices-from-spreadsheet';
const log = (line: string) => nodeProcess.stdout.write(`${line}\n`);

/** Runs the spreadsheet example as a user would click it. */
async function runExample(stage: Stage): Promise<StoredExecution> {
	const workflow = readExample(shownExample, stage.credentialId);
	log(`Running the example "${workflow.name}" ...`);
	return await stage.api.run(workflow.id, triggerOf(workflow));
}

function printInvoices(stage: Stage): void {
	const { world } = stage.simulator;
	const table = new Table({
		head: ['Invoice number', 'Customer', 'Amount', 'URL'],
		style: { head: [], border: [], compact: true },
	});
	for (const { full } of world.account.invoices.slice(world.settings.invoices)) {
		const { invoice_number: number, customer, amount, currency, url } = full;
		table.push([
			number,
			String(customer.name),
			{ content: `${amount} ${currency}`, hAlign: 'right' },
			url,
		]);
	}
	log(table.toString());
	log(`${table.length} invoices were created.`);
}

function printWhereToClick({ n8n, simulator }: Stage): void {
	const workflow = readExample(shownExample, '');
	log(`
n8n          ${n8n.url}
  sign in    ${owner.email}  /  ${owner.password}
  example    ${n8n.url}/workflow/${workflow.id}  (then click "Execute workflow")
Simulator    ${simulator.url}  (key: ${simulator.world.settings.apiKey})
  inspect    ${simulator.url}/control/invoices
n8n's log    ${n8n.logFile}

Each start puts the example workflows back as they were; duplicate one to keep your changes.
Stop with Ctrl-C.`);
}

const isAlive = (pid: number): boolean => {
	try {
		return nodeProcess.kill(pid, 0);
	} catch {
		return false;
	}
};

/** A folder that is kept from start to start, and another one for each start that still runs: two n8n must not share one. */
function claimFolder(): { folder: string; release(): void } {
	for (let number = 1; ; number++) {
		const folder = path.join(projectFolder, '.cache', number === 1 ? 'start' : `start-${number}`);
		const mark = path.join(folder, 'pid');
		if (fs.existsSync(mark) && isAlive(Number(fs.readFileSync(mark, 'utf8')))) continue;
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(mark, String(nodeProcess.pid));
		return { folder, release: () => fs.rmSync(mark, { force: true }) };
	}
}

/** A folder that is gone afterwards. */
function temporaryFolder(): { folder: string; release(): void } {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-'));
	return { folder, release: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** Resolves when the user asks to stop. */
const stopAsked = async () =>
	await new Promise<void>((resolve) => {
		nodeProcess.once('SIGINT', () => resolve());
		nodeProcess.once('SIGTERM', () => resolve());
	});

async function main(): Promise<number> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	const asked = stopAsked();
	const { folder, release } = values.once ? temporaryFolder() : claimFolder();
	let stage: Stage | undefined;
	try {
		stage = await openStage({
			userFolder: folder,
			log,
			...(!values.once && { simulatorPort: 4010, n8nPort: 5678 }),
		});
		for (const name of exampleNames()) {
			await stage.api.saveWorkflow(readExample(name, stage.credentialId));
		}
		const execution = await runExample(stage);
		const problems = checkInvoices(execution, stage.simulator);
		printInvoices(stage);
		problems.forEach((problem) => log(`PROBLEM: ${problem}`));
		if (values.once) {
			log(problems.length ? 'The example did not do what it should.' : 'All as it should be.');
			return problems.length ? 1 : 0;
		}
		printWhereToClick(stage);
		await asked;
		log('\nStopping ...');
		return 0;
	} finally {
		await stage?.close();
		release();
	}
}

main().then(
	(code) => nodeProcess.exit(code),
	(error: unknown) => {
		nodeProcess.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		nodeProcess.exit(1);
	},
);
