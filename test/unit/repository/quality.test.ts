import { publishedFigures } from '../../../tools/bench/published';
import * as node from '../../../tools/node';
import strykerRooms from '../../stryker/rooms.json';
import type { RunName } from '../../../tools/quality/results';
import { oldNote, qualityPage, runs } from '../../../tools/quality/page';
import { documents, idsIn, promises } from '../../../tools/quality/promises';

const { fs, os, path, projectFolder } = node;
const read = (file: string) => fs.readFileSync(path.join(projectFolder, file), 'utf8');
const code = fs
	.readdirSync(path.join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => read(path.join('test', file)))
	.join('\n');
const shown = new Set(idsIn(code));

test('every promise has a unique ID', () => {
	const ids = promises().map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(25);
	expect(new Set(ids).size).toBe(ids.length);
});

test('documents repeat only promises that another one makes', () => {
	const known = promises().map(({ id }) => id);
	const named = Object.keys(documents).flatMap((document) =>
		[...read(document).matchAll(/<!-- ([A-Z]\d+) -->/g)].map(([, id]) => id),
	);
	expect(named.filter((id) => !known.includes(id))).toEqual([]);
});

test.each(promises())('a test shows $id, "$says"', ({ id }) => {
	expect([...shown]).toContain(id);
});

test('titles name only promises of a document', () => {
	const known = promises().map(({ id }) => id);
	expect([...shown].filter((id) => !known.includes(id))).toEqual([]);
});

test('every promise of README and the trigger guide has an ID', () => {
	const [list] = read('README.md').split('## What you can rely on\n')[1].split('\n## ');
	const sections = read('docs/trigger.md').split('\n## ');
	const promised = sections.filter((section) => section.startsWith('What it promises\n'));
	const claims = [list, ...promised].flatMap((text) => text.split(/\n(?=- \*\*)/).slice(1));
	expect(claims.length).toBeGreaterThan(14);
	const without = claims.filter((claim) => !claim.includes('<!-- '));
	expect(without).toEqual([]);
});

const isOld = (page: string) => (name: RunName) =>
	new RegExp(`## ${name}\\n\\n.*\\n\\n${oldNote}`).test(page);

test('docs/quality.md is up to date', () => {
	const page = read('docs/quality.md');
	expect(page).toBe(qualityPage((Object.keys(runs) as RunName[]).filter(isOld(page))));
});

describe('in a copy of the documentation', () => {
	const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'published-'));
	afterAll(() => fs.rmSync(copy, { recursive: true }));

	const way = { ratio: 0.123, perRequest: 0.123, ms: 100, sockets: 5, requests: 1000 };
	const ways = ['ours', 'http', 'oursWith10', 'oursByExpression', 'oursWithoutLook'];
	const task = { ...way, measured: Object.fromEntries(ways.map((name) => [name, way])) };

	test('a published result is on the page', async () => {
		const tasks = { create: task, getMany: task, rows: task, rowsByEmail: task };
		const figures = { ...publishedFigures(tasks), 'made-up memory (MB)': 1234 };
		const files = ['docs/quality.md', 'tools/quality/results'];
		for (const file of [...Object.keys(documents), ...files])
			fs.cpSync(path.join(projectFolder, file), path.join(copy, file), { recursive: true });

		await jest.isolateModulesAsync(async () => {
			jest.doMock('../../../tools/node', () => ({ ...node, projectFolder: copy, log: () => true }));
			const { publishResult } = await import('../../../tools/quality/publish');
			const ofCopy = await import('../../../tools/quality/page');
			await publishResult('bench', { command: 'npm test', figures, planted: [] });

			const page = fs.readFileSync(path.join(copy, 'docs', 'quality.md'), 'utf8');
			expect(page).toBe(ofCopy.qualityPage((Object.keys(runs) as RunName[]).filter(isOld(page))));
			for (const [figure, value] of Object.entries(figures))
				expect(page).toContain(`${figure.split(': ').pop()} | ${value.toLocaleString('en-US')} |`);
			expect(isOld(page)('bench')).toBe(false);
		});
	});
});

test('odd code and the facts about n8n that it answers to name each other', () => {
	const facts = [...read('nodes/shared/n8n.md').matchAll(/^\| (N\d+) \|/gm)].map(([, id]) => id);
	const cited = fs
		.readdirSync(path.join(projectFolder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => [...read(path.join('nodes', file)).matchAll(/\((N\d+)\)/g)])
		.map(([, id]) => id);
	expect([...new Set(cited)].sort()).toEqual([...facts].sort());
});

/** `*` in the name of a file stands for anything. */
const hasFile = (pattern: string) => {
	const [start, end] = path.basename(pattern).split('*');
	const folder = path.join(projectFolder, path.dirname(pattern));
	return (
		fs.existsSync(folder) &&
		fs
			.readdirSync(folder)
			.some((file) =>
				end === undefined ? file === start : file.startsWith(start) && file.endsWith(end),
			)
	);
};

test('mutants are made in files that exist, and tried with tests that exist', () => {
	const patterns = Object.values(strykerRooms).flatMap(({ files, tests }) => [
		...files.map((file) => file.replace(/^!/, '')),
		...tests.map((name) => `test/${name}.test.ts`),
	]);
	expect(patterns.filter((one) => !hasFile(one))).toEqual([]);
});
