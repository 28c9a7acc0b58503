import { fs, path, projectFolder } from '../../scripts/node';
import { qualityPage } from '../../quality/page';
import { promises } from '../../quality/promises';

const read = (file: string) => fs.readFileSync(path.join(projectFolder, file), 'utf8');

test.each(promises)('$in says "$says", and tests show it', ({ in: document, says, shownBy }) => {
	expect(read(document)).toContain(says);
	for (const { file, test: name } of shownBy) expect(read(file)).toContain(name);
});

test('everything that README says one can rely on is among the promises', () => {
	const [list] = read('README.md').split('What you can rely on:')[1].split('\n## ');
	const claims = [...list.matchAll(/^- \*\*([^]+?)\*\*/gm)].map(([, claim]) => claim);
	expect(claims.length).toBeGreaterThan(5);
	const told = promises.map(({ says }) => says);
	expect(claims.filter((claim) => !told.some((says) => claim.includes(says)))).toEqual([]);
});

test('so is every promise of the trigger guide', () => {
	const sections = read('docs/trigger.md').split('\n## ');
	const promised = sections.filter((section) => /what (it|they) promises?\n/.test(section));
	const claims = promised.flatMap((section) =>
		[...section.matchAll(/^- (\*\*[^]+?\*\*)/gm)].map(([, claim]) => claim),
	);
	expect(claims.length).toBeGreaterThan(12);
	const told = promises.map(({ says }) => says);
	const isTold = (claim: string) => told.some((says) => says.includes(claim));
	// Said once for both.
	const repeated = [
		'**No flood of errors when the service is down**',
		'**No assumption about the order of the list**',
	];
	expect(claims.filter((claim) => !isTold(claim) && !repeated.includes(claim))).toEqual([]);
});

test('the page is what the script writes', () => {
	expect(read('docs/quality.md')).toBe(qualityPage());
});
