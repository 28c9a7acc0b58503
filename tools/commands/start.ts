import Table from 'cli-table3';
import type { StoredExecution } from '../host/api';
import { owner } from '../host/api';
import { checkInvoices } from '../host/checkInvoices';
import { stopChildren } from '../host/processes';
import { logTail } from '../host/n8n';
import type { Stage } from '../host/stage';
import { chosenVersion, defaultVersion } from '../host/version';
import { exampleNames, openStage, readExample, triggerOf } from '../host/stage';
import { fs, keptFolder, log, nodeProcess, os, parseArgs, path } from '../node';

const shownExample = 'invoices-from-spreadsheet';

async function runExample(stage: Stage): Promise<StoredExecution> {
	const workflow = readExample(shownExample, stage);
	log(`Running the example "${workflow.name}" ...`);
	return await stage.api.run(workflow.id, triggerOf(workflow));
}

function printInvoices(stage: Stage): void {
	const table = new Table({
		head: ['Invoice number', 'Customer', 'Amount', 'URL'],
		style: { head: [], border: [], compact: true },
	});
	for (const { full } of stage.simulator.world.account.created) {
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

function printWhereToClick(stage: Stage): void {
	const { n8n, simulator } = stage;
	const workflow = readExample(shownExample, stage);
	log(`
n8n          ${n8n.url}
  sign in    ${owner.email}  /  ${owner.password}
  example    ${n8n.url}/workflow/${stage.api.idOf(workflow.id)}  (then click "Execute workflow")
Simulator    ${simulator.url}  (key: ${simulator.world.settings.apiKey})
  inspect    ${simulator.url}/control/invoices
Sheets       ${stage.filesFolder}
n8n's log    ${n8n.logFile}  (process ${n8n.pid})

Each start puts the example workflows back as they were; duplicate one to keep your changes.
Stop with Ctrl-C.`);
}

/** Kept between starts, one folder per version of n8n. */
const ownFolder = path.join(
	keptFolder,
	chosenVersion() === defaultVersion ? 'start' : `start-${chosenVersion()}`,
);

let isStopping = false;

/** Resolves when the user stops the command. Ends child processes if the stage is not open yet. */
const stopAsked = async (isOpen: () => boolean) =>
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			nodeProcess.on(signal, () => {
				if (!isStopping && !isOpen()) stopChildren();
				isStopping = true;
				resolve();
			});
		}
	});

/** Runs and checks the example. With `once`, returns then, else when it is stopped. Returns the exit code. */
async function show(stage: Stage, once: boolean, asked: Promise<void>): Promise<number> {
	for (const name of exampleNames()) {
		await stage.api.saveWorkflow(readExample(name, stage));
	}
	const execution = await runExample(stage);
	const problems = checkInvoices(execution, stage);
	printInvoices(stage);
	problems.forEach((problem) => log(`PROBLEM: ${problem}`));
	if (once) {
		log(problems.length ? 'The example did not do what it should.' : 'All as it should be.');
		return problems.length ? 1 : 0;
	}
	printWhereToClick(stage);
	await Promise.race([asked, stage.n8n.ended]);
	if (isStopping) return 0;
	log(`\nn8n has ended by itself. The end of its log:\n${logTail(stage.n8n.logFile)}`);
	return 1;
}

async function main(): Promise<number> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	let stage: Stage | undefined;
	let hasFailed = false;
	const asked = stopAsked(() => stage !== undefined);
	const userFolder = values.once
		? fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-'))
		: ownFolder;
	try {
		stage = await openStage({
			userFolder,
			log,
			...(!values.once && { simulatorPort: 4010, n8nPort: 5678 }),
		});
		return await show(stage, values.once, asked);
	} catch (error) {
		hasFailed = !isStopping;
		if (hasFailed) log(`\n${error instanceof Error ? error.message : String(error)}`);
		return 1;
	} finally {
		if (isStopping) log('\nStopping ...');
		await stage?.close();
		// After a failure, keep the log that the error names.
		if (values.once && !hasFailed) fs.rmSync(userFolder, { recursive: true, force: true });
	}
}

main().then(
	(code) => nodeProcess.exit(isStopping && code ? 130 : code),
	(error: unknown) => {
		nodeProcess.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		nodeProcess.exit(1);
	},
);
