import { documents, idsIn, promises } from './promises';
import type { RunName, StoredResult, TestedPromise } from './results';
import { readResult, readTests } from './results';

/** In the order of the page. */
export const runs: Record<RunName, string> = {
	scale:
		'Queue mode: PostgreSQL, Redis, a main process and two workers, killed and restarted under load',
	soak: 'Weeks of polls with faults, restarts and changed settings, with n8n’s defaults, and with its scheduler and durable cursors',
	hostileNode: 'The node against a service whose responses are changed at random',
	hostileTrigger: 'The trigger against such a service',
	secrets:
		'The search for the API key and card data after all end-to-end tests, which at night also run the trigger with the scheduler and durable cursors',
	compat: 'The oldest and the newest n8n that is tested, each with its defaults',
	bench: 'Time compared with n8n’s HTTP Request node; below 1 is faster',
	cost: 'Memory of n8n for large executions',
	mutants:
		'A random sample of mutants of the code where money is (Stryker), and the share that tests find',
};

/**
 * Markdown: the tests that show each promise of the documentation, and the figures of long runs. `old`: runs whose subject
 * changed since.
 */
export function qualityPage(old: RunName[]): string {
	const tests = readTests();
	return [
		'# Quality',
		'What the documentation promises, the tests that show it, and the figures of the long runs. `npm run nightly` and commands with `--publish` write this page. To find the tests of a promise, search its ID in the file, such as `[T4]`.',
		`## Promises\n\nTests of commit \`${tests.commit}\`, ${tests.date}.`,
		...Object.keys(documents).flatMap((document) => [
			`### [${document}](${linkTo(document)})`,
			[
				'| | Promise | Shown by |',
				'|---|---|---|',
				...promises()
					.filter((one) => one.in === document)
					.map(
						({ id, says }) => `| ${id} | ${shorten(plain(says))} | ${shownBy(id, tests.shown)} |`,
					),
			].join('\n'),
		]),
		'## Runs',
		'In n8n 2.41 with its defaults, unless a run says otherwise: the publication service is on, the scheduler and durable cursors are off.',
		...(Object.keys(runs) as RunName[]).flatMap((name) => runSection(name, old.includes(name))),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

const linkTo = (document: string) =>
	document.startsWith('docs/') ? document.slice('docs/'.length) : `../${document}`;

const shownBy = (id: string, tests: TestedPromise[]) =>
	tests
		.filter(({ title }) => idsIn(title).includes(id))
		.map(({ file }) => `[${file.replace(/^test\//, '').replace('.test.ts', '')}](../${file})`)
		.filter((link, at, all) => all.indexOf(link) === at)
		.join(', ');

/** The document has the rest. */
const shorten = (text: string) => (text.length > 70 ? `${text.slice(0, 70).trim()}…` : text);

/** On one line, without IDs and Markdown. */
const plain = (text: string) =>
	text
		.replace(/\[[A-Z]\d+(?:, [A-Z]\d+)*\] /g, '')
		.replace(/\s+/g, ' ')
		.replaceAll('|', '\\|');

/** For runs whose subject changed since. */
export const oldNote = 'Older than the last change of what it measures.';

function runSection(name: RunName, isOld: boolean): string[] {
	const result = readResult(name);
	const lines = result ? [...(isOld ? [oldNote] : []), ...figuresOf(result)] : ['Not run yet.'];
	return [`### ${name}`, `${runs[name]}.`, ...lines];
}

function figuresOf({ command, date, commit, machine, figures, planted }: StoredResult): string[] {
	const rows = Object.entries(figures).map(
		([figure, value]) => `| ${figure} | ${formatted(value)} |`,
	);
	const on = commit ? `commit \`${commit}\`, ` : '';
	return [
		`\`${command}\`, ${on}${date}, ${machine.cores} cores, Node ${machine.node}:`,
		['| | |', '|---|---|', ...rows].join('\n'),
		...(planted.length
			? [
					'Faults that were planted, to see that the run notices them:',
					planted.map(({ fault, caught }) => `- ${fault}: ${caught}`).join('\n'),
				]
			: []),
	];
}

const formatted = (value: number | string) =>
	typeof value === 'number' ? value.toLocaleString('en-US') : value;
