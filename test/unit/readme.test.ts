import { fs, path, projectFolder } from '../../tools/node';
import { resources } from '../../nodes/InvoicingPayments/actions';
import { headersByField, totalHeaders } from '../../nodes/InvoicingPayments/rows/headers';
import { bareAmount, rowFields } from '../../nodes/InvoicingPayments/rows/rowFields';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { fieldsIn } from '../../nodes/shared/fields/field';
import { pinnedVersions, usualVersion } from '../../tools/host/version';
import packageJson from '../../package.json';

const read = (...file: string[]) => fs.readFileSync(path.join(projectFolder, ...file), 'utf8');
const docs = fs.readdirSync(path.join(projectFolder, 'docs'));
const pages = [
	'README.md',
	'CONTRIBUTING.md',
	...['examples', 'simulator'].map((folder) => path.join(folder, 'README.md')),
	...docs.filter((name) => name.endsWith('.md')).map((name) => path.join('docs', name)),
];

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
	const commands = [...read(page).matchAll(/(?:^|`)npm (?:run )?([a-z][a-z0-9:]*)/gm)].map(
		([, name]) => name,
	);
	const known = [...Object.keys(packageJson.scripts), 'install'];
	if (page.endsWith('README.md') && !page.startsWith('examples')) {
		expect(commands.length).toBeGreaterThan(0);
	}
	expect(commands.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(pages)('%s links to files that exist', (page) => {
	const links = [
		...read(page).matchAll(/\]\((?!#|http)([^)#]+)/g),
		...read(page).matchAll(/(?:src|srcset)="([^"]+)"/g),
	].map(([, link]) => link);
	const missing = links.filter(
		(link) => !fs.existsSync(path.join(projectFolder, path.dirname(page), link)),
	);
	expect(missing).toEqual([]);
});

/** What GitHub makes of a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replace(/ /g, '-');

const hasHeading = (file: string, anchor: string) =>
	[...read(file).matchAll(/^#+ (.+)$/gm)].some(([, text]) => anchorOf(text) === anchor);

test.each(pages)('%s links to headings that exist', (page) => {
	const links = [...read(page).matchAll(/\]\((?!http)([^)#]*)#([^)]+)\)/g)];
	const missing = links.filter(
		([, file, anchor]) => !hasHeading(file ? path.join(path.dirname(page), file) : page, anchor),
	);
	expect(missing.map(([link]) => link)).toEqual([]);
});

test("n8n's links to the documentation lead to pages and headings that exist", () => {
	const texts = ['InvoicingPayments', 'InvoicingPaymentsTrigger']
		.map((name) => read('nodes', name, `${name}.node.json`))
		.concat(read('credentials', 'InvoicingPaymentsApi.credentials.ts'));
	const links = texts.flatMap((text) => [...text.matchAll(/\/blob\/main\/([^"'#]+)#?([^"']*)/g)]);
	expect(links).toHaveLength(5);
	for (const [, file, anchor] of links) {
		expect([file, anchor === '' || hasHeading(file, anchor)]).toEqual([file, true]);
	}
});

test('every picture is used, and every example has one', () => {
	const all = pages.map((page) => read(page)).join('\n');
	const images = fs
		.readdirSync(path.join(projectFolder, 'docs', 'images'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.png'));
	expect(images.filter((file) => !all.includes(`images/${file}`))).toEqual([]);
});

test('README and the guide have every operation', () => {
	const [table] = read('README.md').split('## Operations')[1].split('\n## ');
	const rows = [...table.matchAll(/^\| ([\w ]+) \| ([\w ]+) \|/gm)].map(([, ...cells]) =>
		cells.join(': '),
	);
	const guide = read('docs', 'operations.md');
	for (const { value, name, operations: own } of resources) {
		for (const { name: operation } of own) {
			const title = `${name}: ${operation}`;
			expect([value, rows]).toEqual([value, expect.arrayContaining([title])]);
			expect([title, guide.includes(`\n## ${title}\n`)]).toEqual([title, true]);
		}
	}
});

test('the guide lists the fields that Simplify keeps', () => {
	const table = read('docs', 'operations.md').split('## Simplify')[1].split('\n## ')[0];
	const told = Object.fromEntries(
		[...table.matchAll(/^\| ([\w ]+) \| (`.+) \|$/gm)].map(([, name, fields]) => [
			name.toLowerCase(),
			fields.replace(/`/g, '').split(', '),
		]),
	);
	for (const { name, operations: own } of resources) {
		const [{ simpleFields } = {}] = own.filter(
			({ creates, simpleFields: some }) => some && !creates,
		);
		if (simpleFields) expect([name, told[name.toLowerCase()]]).toEqual([name, simpleFields]);
	}
});

test('README and the guide have every event of the trigger', () => {
	const guide = read('docs', 'trigger.md');
	for (const { name, value } of events) {
		expect(read('README.md')).toContain(`\n| Trigger | ${name} |`);
		expect(guide).toContain(`\n| ${name} |`);
		expect(guide).toContain(`images/trigger/${value}.png`);
	}
});

const sheetGuide = () => read('docs', 'spreadsheets.md');

test('the spreadsheet guide has exactly the headers that are recognized', () => {
	const [table] = sheetGuide().split('## Which header fills which field')[1].split('\n## ');
	const told = [...table.matchAll(/^\| ([A-Z][\w ]+?)(?: \(.+\))? \| (.+) \|$/gm)]
		.map(([, field, headers]) => [field, headers.split(', ')])
		.filter(([field]) => field !== 'Field');
	const known = Object.entries(headersByField).map(([name, headers]) => [
		[...rowFields, bareAmount].find((field) => field.name === name)?.displayName,
		headers,
	]);
	expect(told).toEqual([...known, ['Totals', Object.keys(totalHeaders)]]);
});

test('the spreadsheet guide says of every field what a cell can contain', () => {
	const [table] = sheetGuide().split('## What a cell can contain')[1].split('\n## ');
	const told = [...table.matchAll(/^\| ([A-Z].+?) \|/gm)]
		.flatMap(([, fields]) => fields.replace('A and B', 'A, Allow Installments B').split(', '))
		.filter((field) => field !== 'Field');
	const known = [...rowFields, bareAmount].filter(({ name }) => !name.startsWith('customer'));
	expect(told.sort()).toEqual(known.map(({ displayName }) => displayName).sort());
});

test('the spreadsheet guide names every option and default of Create From Rows', () => {
	const [{ fields }] = resources
		.flatMap(({ operations }) => operations)
		.filter(({ value }) => value === 'createFromRows');
	const labels = fields
		.filter(({ type }) => type === 'collection')
		.flatMap((field) => fieldsIn(field))
		.map(({ displayName }) => displayName)
		// Those that every operation has.
		.filter((label) => !label.startsWith('Max '));
	expect(labels.length).toBeGreaterThan(10);
	expect(labels.filter((label) => !sheetGuide().includes(label))).toEqual([]);
});

test('the troubleshooting quotes errors as the code writes them', () => {
	const [table] = read('README.md').split('## Troubleshooting')[1].split('## ');
	const quoted = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text]) => text);
	expect(quoted.length).toBeGreaterThan(10);
	expect(quoted.filter((text) => !shippedCode.includes(text))).toEqual([]);
});

test('the versions of n8n that are named are those that the tests run', () => {
	const [oldest, ...newer] = pinnedVersions();
	expect(newer.at(-1)).toBe(usualVersion);
	for (const page of ['README.md', path.join('docs', 'install.md')]) {
		expect(read(page)).toMatch(new RegExp(`ested with (?:n8n )?${usualVersion}`));
		expect(read(page)).toMatch(
			new RegExp(`oldest (?:tested version|version tested) is ${oldest}:`),
		);
	}
	expect(read('CHANGELOG.md')).toContain(`n8n ${oldest} and newer`);
	for (const version of pinnedVersions()) {
		const { dependencies } = JSON.parse(
			read('tools', 'host', 'pinned', version, 'package.json'),
		) as typeof import('../../tools/host/pinned/2.41.1/package.json');
		expect(dependencies.n8n).toBe(version);
	}
	expect(packageJson.devDependencies['n8n-core']).toBe(usualVersion);
});

test('the measurements are those of the last bench', () => {
	const { create, getMany, rows, rowsByEmail } = JSON.parse(
		read('bench', 'results.json'),
	) as Record<string, { ratio: number; measured: Record<string, { ratio: number }> }>;
	const [table] = read('docs', 'self-hosting.md').split('## How fast')[1].split('## ');
	const told = [...table.matchAll(/\| ([\d.]+) +\|$/gm)].map(([, ratio]) => Number(ratio));
	expect(told).toEqual([
		create.ratio,
		create.measured.oursWith10.ratio,
		rows.ratio,
		rows.measured.oursByExpression.ratio,
		rowsByEmail.ratio,
		rows.measured.oursWithoutLook.ratio,
		getMany.ratio,
	]);
});
