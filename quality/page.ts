import type { Promised } from './promises';
import { promises } from './promises';
import type { RunName, StoredResult } from './results';
import { readResult } from './results';

/** What each run is, in the order of the page. */
export const runs: Record<RunName, string> = {
	scale:
		'Queue mode: PostgreSQL, Redis, a main process and two workers, killed and restarted under load',
	soak: 'Weeks of polls with faults, restarts and changed settings, on both of n8n’s engines',
	hostile: 'A service whose responses are changed at random',
	secrets: 'The search for the API key and card data after all end-to-end tests',
	compat: 'The oldest and the newest n8n that is tested',
	cost: 'Memory of n8n for large executions',
};

/** The page that tells for every promise of the documentation what shows it, as Markdown. */
export function qualityPage(): string {
	return [
		'# Quality',
		'What the documentation promises, the tests that show it, and the figures of the last full runs. This page is written by `npm run quality`; a test compares it with the promises, the tests and the results.',
		'## Promises',
		...documents().flatMap(([document, those]) => [
			`### [${document}](${linkTo(document)})`,
			['| Promise | Shown by |', '|---|---|', ...those.map(rowOf)].join('\n'),
		]),
		'## Runs',
		...(Object.keys(runs) as RunName[]).flatMap(runSection),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

/** The promises by their documents. */
function documents(): Array<[string, Promised[]]> {
	const names = [...new Set(promises.map((one) => one.in))];
	return names.map((name) => [name, promises.filter((one) => one.in === name)]);
}

const linkTo = (document: string) =>
	document.startsWith('docs/') ? document.slice('docs/'.length) : `../${document}`;

function rowOf({ says, shownBy, runs: of = [] }: Promised): string {
	const tests = shownBy.map(
		({ file, test }) =>
			`[${file.replace(/^test\//, '').replace('.test.ts', '')}](../${file}): ${plain(test)}`,
	);
	const figures = of.map((name) => `[${name}](#${name})`);
	return `| ${plain(says)} | ${[...tests, ...figures].join('<br>')} |`;
}

/** On one line, without what Markdown would make of it. */
const plain = (text: string) =>
	text.replace(/\s+/g, ' ').replaceAll('**', '').replaceAll('|', '\\|');

function runSection(name: RunName): string[] {
	const result = readResult(name);
	return [`### ${name}`, `${runs[name]}.`, ...(result ? told(result) : ['Not run in full yet.'])];
}

function told({ command, date, machine, figures, planted }: StoredResult): string[] {
	const rows = Object.entries(figures).map(
		([figure, value]) => `| ${figure} | ${formatted(value)} |`,
	);
	return [
		`\`${command}\`, ${date}, ${machine.cores} cores, Node ${machine.node}:`,
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
