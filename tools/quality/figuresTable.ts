import { path, projectFolder } from '../node';
import type { RunName, StoredResult } from './results';

const marksOf = (name: RunName): [string, string] => [
	`<!-- figures of ${name}, written by its run -->\n`,
	'<!-- end of figures -->',
];

/** Markdown. `result`: missing if there was no run. */
export function tableOf(result: Pick<StoredResult, 'figures'> | undefined): string {
	if (!result) return '\nThere was no full run of this version yet.\n\n';
	const rows = Object.entries(result.figures).map(
		([name, figure]) => `| ${name} | ${figure.toLocaleString('en-US')} |`,
	);
	return ['', '| | |', '|---|---|', ...rows, '', ''].join('\n');
}

/** Throws an Error if the page has no place for the figures. */
function find(page: string, name: RunName): { from: number; to: number } {
	const [begin, end] = marksOf(name);
	const from = page.indexOf(begin) + begin.length;
	const to = page.indexOf(end, from);
	if (!page.includes(begin) || to < 0) throw new Error(`The page has no place for ${name}`);
	return { from, to };
}

export function figuresIn(page: string, name: RunName): string {
	const { from, to } = find(page, name);
	return page.slice(from, to);
}

export function withFigures(page: string, name: RunName, table: string): string {
	const { from, to } = find(page, name);
	return page.slice(0, from) + table + page.slice(to);
}

/** The page with figures for self-hosters. */
export const guide = path.join(projectFolder, 'docs', 'self-hosting.md');

/** Runs whose figures it has. */
export const runsInGuide: RunName[] = ['bench', 'cost', 'scale'];
