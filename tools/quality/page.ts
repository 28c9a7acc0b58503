import { addTo } from '../../nodes/shared/addTo';
import type { RunName, StoredResult } from './results';
import { readResult } from './results';

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

/** Markdown: the figures of long runs. `old`: runs whose subject changed since. */
export function qualityPage(old: RunName[]): string {
	return [
		'# Quality',
		'The figures of the long runs. `npm run nightly` and commands with `--publish` write this page. Each promise of the documentation has an ID in a comment, such as `<!-- T4 -->`. The tests that show it have the ID in their titles: `grep -rn "\\[T4" test`. `npm test` fails if a promise has none.',
		'In n8n 2.41 with its defaults, unless a run says otherwise: the publication service is on, the scheduler and durable cursors are off.',
		...(Object.keys(runs) as RunName[]).flatMap((name) => runSection(name, old.includes(name))),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

/** For runs whose subject changed since. */
export const oldNote = 'Older than the last change of what it measures.';

function runSection(name: RunName, isOld: boolean): string[] {
	const result = readResult(name);
	const lines = result ? [...(isOld ? [oldNote] : []), ...figuresOf(result)] : ['Not run yet.'];
	return [`## ${name}`, `${runs[name]}.`, ...lines];
}

function figuresOf({ command, date, commit, machine, figures, planted }: StoredResult): string[] {
	const all = Object.entries(figures);
	const isOf = (part: string | undefined, at: number) =>
		part !== undefined && at in all && partsOf(all[at][0])[0] === part;
	const rows = all.flatMap(([figure, value], at) => {
		const [part, name] = partsOf(figure);
		const follows = isOf(part, at - 1);
		if (!follows && !isOf(part, at + 1)) return [`| ${figure} | ${formatted(value)} |`];
		return [...(follows ? [] : [`| ${part} | |`]), `| – ${name} | ${formatted(value)} |`];
	});
	const faults = new Map<string, string[]>();
	for (const { fault, caught } of planted) addTo(faults, fault, caught);
	const on = commit ? `commit \`${commit}\`, ` : '';
	return [
		`\`${command}\`, ${on}${date}, ${machine.cores} cores, Node ${machine.node}:`,
		['| | |', '|---|---|', ...rows].join('\n'),
		...(planted.length
			? [
					'Faults that were planted, to see that the run notices them:',
					[...faults].map(([fault, caught]) => `- ${fault}: ${caught.join('; ')}`).join('\n'),
				]
			: []),
	];
}

/** `soak: days` is of a part, whose figures stand together. */
const partsOf = (figure: string): [part: string | undefined, name: string] => {
	const at = figure.indexOf(': ');
	return at < 0 ? [undefined, figure] : [figure.slice(0, at), figure.slice(at + 2)];
};

const formatted = (value: number | string) =>
	typeof value === 'number' ? value.toLocaleString('en-US') : value;
