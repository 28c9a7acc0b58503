import { fs, path, projectFolder } from '../node';
import type { Result, RunName, StoredResult } from './results';
import { saveResult } from './results';

/** Where a page of the documentation has the figures of a run. */
const marksOf = (name: RunName): [string, string] => [
	`<!-- figures of ${name}, written by its run -->\n`,
	'<!-- end of figures -->',
];

/** The figures of a run as a table in Markdown, or that there was none. */
export function tableOf(result: Pick<StoredResult, 'figures'> | undefined): string {
	if (!result) return '\nThere was no full run of this version yet.\n\n';
	const rows = Object.entries(result.figures).map(
		([name, figure]) => `| ${name} | ${figure.toLocaleString('en-US')} |`,
	);
	return ['', '| | |', '|---|---|', ...rows, '', ''].join('\n');
}

/** The place of the figures in a page, and what is there. Throws an Error if the page has no such place. */
function find(page: string, name: RunName): { from: number; to: number } {
	const [begin, end] = marksOf(name);
	const from = page.indexOf(begin) + begin.length;
	const to = page.indexOf(end, from);
	if (!page.includes(begin) || to < 0) throw new Error(`The page has no place for ${name}`);
	return { from, to };
}

/** What a page has as the figures of a run. */
export function figuresIn(page: string, name: RunName): string {
	const { from, to } = find(page, name);
	return page.slice(from, to);
}

/** The page with the figures of a run in place of those before. */
export function withFigures(page: string, name: RunName, table: string): string {
	const { from, to } = find(page, name);
	return page.slice(0, from) + table + page.slice(to);
}

/** The page that has the figures of runs which people who host n8n want to know. */
export const guide = path.join(projectFolder, 'docs', 'self-hosting.md');

/** Keeps the result of a full run, and its figures in the guide as well. Throws an Error if the guide has no place for them. */
export async function publishResult(name: RunName, result: Result): Promise<void> {
	const page = fs.readFileSync(guide, 'utf8');
	const written = withFigures(page, name, tableOf(result));
	await saveResult(name, result);
	fs.writeFileSync(guide, written);
}
