import { fs, path, projectFolder } from '../../tools/node';
import { oldNote, qualityPage, runs } from '../../tools/quality/page';
import { documents, idsIn, promises } from '../../tools/quality/promises';
import type { RunName } from '../../tools/quality/results';

const read = (file: string) => fs.readFileSync(path.join(projectFolder, file), 'utf8');
const code = fs
	.readdirSync(path.join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => read(path.join('test', file)))
	.join('\n');
const shown = new Set(idsIn(code));

test('every promise has a unique ID with the letter of its document', () => {
	const ids = promises().map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(30);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { id, in: document } of promises())
		expect(id[0]).toBe(documents[document as keyof typeof documents]);
});

test.each(promises())('a test shows $id, "$says"', ({ id }) => {
	expect([...shown]).toContain(id);
});

test('titles name only promises of a document', () => {
	const known = promises().map(({ id }) => id);
	expect([...shown].filter((id) => !known.includes(id))).toEqual([]);
});

test('every promise of README and the trigger guide has an ID', () => {
	const [list] = read('README.md').split('What you can rely on:')[1].split('\n## ');
	const sections = read('docs/trigger.md').split('\n## ');
	const promised = sections.filter((section) => section.startsWith('What it promises\n'));
	const claims = [list, ...promised].flatMap((text) => text.split(/\n(?=- \*\*)/).slice(1));
	expect(claims.length).toBeGreaterThan(14);
	const without = claims.filter((claim) => !claim.includes('<!-- '));
	expect(without).toEqual([]);
});

test('docs/quality.md is up to date', () => {
	const page = read('docs/quality.md');
	const isOld = (name: RunName) => new RegExp(`### ${name}\\n\\n.*\\n\\n${oldNote}`).test(page);
	expect(page).toBe(qualityPage((Object.keys(runs) as RunName[]).filter(isOld)));
});
