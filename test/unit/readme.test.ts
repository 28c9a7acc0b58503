import { fs, path, projectFolder } from '../../scripts/node';
import packageJson from '../../package.json';

const read = (...file: string[]) => fs.readFileSync(path.join(projectFolder, ...file), 'utf8');
const pages = ['README.md', path.join('simulator', 'README.md')];

/** All code of the nodes and the credential, as one text. */
const shippedCode = ['nodes', 'credentials']
	.flatMap((folder) =>
		fs
			.readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => read(folder, file)),
	)
	.join('\n');

test.each(pages)('%s names only commands that exist', (page) => {
	const commands = [...read(page).matchAll(/npm (?:run )?([a-z][a-z0-9:]*)/g)].map(
		([, name]) => name,
	);
	const known = [...Object.keys(packageJson.scripts), 'install'];
	expect(commands.length).toBeGreaterThan(0);
	expect(commands.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(pages)('%s links to files that exist', (page) => {
	const links = [...read(page).matchAll(/\]\((?!#|http)([^)#]+)/g)].map(([, link]) => link);
	const missing = links.filter(
		(link) => !fs.existsSync(path.join(projectFolder, path.dirname(page), link)),
	);
	expect(missing).toEqual([]);
});

test('the troubleshooting quotes errors as the code writes them', () => {
	const [table] = read('README.md').split('## Troubleshooting')[1].split('## ');
	const quoted = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text]) => text);
	expect(quoted.length).toBeGreaterThan(10);
	expect(quoted.filter((text) => !shippedCode.includes(text))).toEqual([]);
});

test('the measurements are those of the last bench', () => {
	const { create, getMany, rows } = JSON.parse(read('bench', 'results.json')) as Record<
		string,
		{ ratio: number; measured: Record<string, { ratio: number }> }
	>;
	const [table] = read('README.md').split('### How fast')[1].split('## ');
	const told = [...table.matchAll(/\| ([\d.]+) +\|$/gm)].map(([, ratio]) => Number(ratio));
	expect(told).toEqual([
		create.ratio,
		create.measured.oursWith10.ratio,
		rows.ratio,
		rows.measured.oursByExpression.ratio,
		getMany.ratio,
	]);
});
