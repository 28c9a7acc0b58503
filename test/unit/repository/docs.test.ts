import packageJson from '../../../package.json';
import { resources } from '../../../nodes/InvoicingPayments/actions';
import { sheetFields } from '../../../nodes/InvoicingPayments/reading/columns/fields';
import { parseReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { languages } from '../../../nodes/InvoicingPayments/reading/words';
import { events } from '../../../nodes/InvoicingPaymentsTrigger/events';
import { fieldsIn } from '../../../nodes/shared/fields/field';
import { headersPage, pages, shownPictures } from '../../../tools/docs';
import { defaultVersion, pinnedVersions } from '../../../tools/host/version';
import { fs, path, projectFolder } from '../../../tools/node';

const read = (...file: string[]) => fs.readFileSync(path.join(projectFolder, ...file), 'utf8');
const filesIn = (end: string, ...folder: string[]) =>
	fs
		.readdirSync(path.join(projectFolder, ...folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(end));
/** The text below a heading. */
const section = (heading: string, ...file: string[]) =>
	read(...file)
		.split(`## ${heading}`)[1]
		.split('\n## ')[0];
const matchesOf = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, ...groups]) => groups);

/** Web addresses of this repository's pages and raw pictures. */
const ourAddress =
	/https:\/\/(?:github\.com|raw\.githubusercontent\.com)\/n8n-nodes-invoicing-payments\/n8n-nodes-invoicing-payments\/(?:blob\/)?main\//g;

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
	heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-'); // prettier-ignore
const hasHeading = (file: string, anchor: string) =>
	matchesOf(read(file), /^#+ (.+)$/gm).some(([text]) => anchorOf(text) === anchor);

describe.each(pages)('%s', (page) => {
	test('names only commands that exist', () => {
		const commands = matchesOf(read(page), /(?:^|`)npm (?:run )?([a-z][a-z0-9:]*)/gm).flat();
		const known = [...Object.keys(packageJson.scripts), 'install'];
		if (page.endsWith('README.md') && !page.startsWith('examples'))
			expect(commands.length).toBeGreaterThan(0);
		expect(commands.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('links to files and headings that exist', () => {
		const text = read(page).replace(ourAddress, `${'../'.repeat(page.split('/').length - 1)}`);
		const links = matchesOf(text, /\]\((?!http)([^)#]*)(?:#([^)]+))?\)/g);
		const images = matchesOf(text, /(?:src|srcset)="([^"]+)"/g);
		const missing = [...links, ...images].filter(([link, anchor]) => {
			const file = link ? path.join(path.dirname(page), link) : page;
			if (!fs.existsSync(path.join(projectFolder, file))) return true;
			return anchor !== undefined && !hasHeading(file, anchor);
		});
		expect(missing).toEqual([]);
	});
});

test('README has no relative links, because npm shows it alone', () => {
	const targets = matchesOf(read('README.md'), /(?:\]\(|src(?:set)?=")([^)"]+)/g).flat();
	expect(targets.length).toBeGreaterThan(20);
	expect(targets.filter((target) => !/^(?:https:\/\/|#)/.test(target))).toEqual([]);
});

test("n8n's links to the documentation work", () => {
	const texts = ['InvoicingPayments', 'InvoicingPaymentsTrigger']
		.map((name) => read('nodes', name, `${name}.node.json`))
		.concat(read('credentials', 'InvoicingPaymentsApi.credentials.ts'));
	const links = matchesOf(texts.join('\n'), /\/blob\/main\/([^"'#]+)#?([^"']*)/g);
	expect(links).toHaveLength(5);
	for (const [file, anchor] of links)
		expect([file, anchor === '' || hasHeading(file, anchor)]).toEqual([file, true]);
});

test('the pages show all pictures of docs/images', () => {
	const images = filesIn('.png', 'docs', 'images');
	expect(images.sort()).toEqual(shownPictures().sort());
});

test('only README has dark pictures', () => {
	const dark = pages.filter((page) => read(page).includes('.dark.png'));
	expect(dark).toEqual(['README.md']);
});

describe('README and the guides', () => {
	const guide = read('docs', 'operations.md');

	test('have every operation', () => {
		const rows = matchesOf(
			section('Operations', 'README.md'),
			/^\| ([\w ]+) \| (.+?) \|/gm,
		).flatMap(([resource, names]) =>
			names.split(', ').map((name) => [resource, name.split(' (')[0]]),
		);
		const titles = resources.flatMap(({ name, operations }) =>
			operations.map((operation) => `${name}: ${operation.name}`),
		);
		const told = rows.map((cells) => cells.join(': '));
		expect(titles.filter((title) => !told.includes(title))).toEqual([]);
		expect(titles.filter((title) => !guide.includes(`\n## ${title}\n`))).toEqual([]);
		const [contents] = guide.split('\n## ');
		const listed = (title: string) => contents.includes(`(#${anchorOf(title)})`);
		expect(titles.filter((title) => !listed(title))).toEqual([]);
	});

	test('list the fields that Simplify keeps', () => {
		const table = section('Simplify', 'docs', 'operations.md');
		const told = new Map(
			matchesOf(table, /^\| ([\w ]+) \| (`.+) \|$/gm).map(([name, fields]) => [
				name.toLowerCase(),
				fields.replace(/`/g, '').split(', '),
			]),
		);
		for (const { name, operations } of resources) {
			const simple = operations.find(
				({ createdNoun, simpleFields }) => simpleFields && !createdNoun,
			);
			if (simple) expect([name, told.get(name.toLowerCase())]).toEqual([name, simple.simpleFields]);
		}
	});

	test('name the limits of every field that a create sends', () => {
		const creates = resources.flatMap(({ name, operations }) =>
			operations
				.filter(({ value }) => value === 'create')
				.map(({ fields }) => ({ title: `${name}: Create`, fields })),
		);
		const unnamed = creates.flatMap(({ title, fields }) => {
			const clauses = section(title, 'docs', 'operations.md')
				.toLowerCase()
				.split(/[.,;:\n]/);
			return fields
				.flatMap((field) => (field.type === 'collection' ? fieldsIn(field) : [field]))
				.filter(({ routing, rule }) => routing?.send && rule && rule.limits.kind !== 'currency')
				.filter(({ displayName, rule }) => {
					const { minLength, maxLength, min, max } = rule?.limits ?? {};
					const limits = [minLength, maxLength, min, max].filter((one) => one !== undefined);
					const [word] = displayName.toLowerCase().split(' ');
					const isNamed = (clause: string) =>
						clause.includes(word) && limits.every((one) => new RegExp(`\\b${one}\\b`).test(clause));
					return limits.length > 0 && !clauses.some(isNamed);
				})
				.map(({ displayName }) => `${title}: ${displayName}`);
		});
		expect(unnamed).toEqual([]);
	});

	test('say how many languages headers can have', () => {
		const counts = 'none one two three four five six seven eight nine ten eleven twelve'.split(' ');
		const texts = [
			...pages.map((page) => [page, read(page)]),
			['CHANGELOG.md', read('CHANGELOG.md')],
			...filesIn('.ts', 'nodes').map((file) => [file, read('nodes', file)]),
		];
		const told = texts.flatMap(([name, text]) =>
			matchesOf(text, /\b(?:in|of) (?:one of )?(\w+) languages\b/g).map(([count]) => [name, count]),
		);
		const wrong = told.filter(
			([, count]) => counts.includes(count) && count !== counts[languages.length],
		);
		expect(told.length).toBeGreaterThan(2);
		expect(wrong).toEqual([]);
	});

	test('have every event of the trigger', () => {
		for (const { name } of events) {
			expect(section('Operations', 'README.md')).toMatch(new RegExp(`[|,] ${name}(?:,| \\|)`));
			expect(read('docs', 'trigger.md')).toContain(`\n| ${name} |`);
		}
	});

	test('quote errors exactly', () => {
		const code = ['nodes', 'credentials']
			.flatMap((folder) => filesIn('.ts', folder).map((file) => read(folder, file)))
			.join('\n');
		const quoted = matchesOf(read('docs', 'troubleshooting.md'), /^\| `([^`]+)` \|/gm).flat();
		expect(quoted.length).toBeGreaterThan(30);
		expect(quoted.filter((text) => !code.includes(text))).toEqual([]);
	});

	test('name the versions of n8n that the tests run', () => {
		const [oldest, ...newer] = pinnedVersions();
		expect(newer.at(-1)).toBe(defaultVersion);
		for (const page of ['README.md', path.join('docs', 'install.md')]) {
			const text = read(page);
			expect(text).toMatch(new RegExp(`ested with (?:n8n )?${defaultVersion}`));
			expect(text).toMatch(new RegExp(`oldest (?:tested version|version tested) is ${oldest}:`));
		}
		expect(read('CHANGELOG.md')).toContain(`n8n ${oldest} and newer`);
		for (const version of pinnedVersions()) {
			const pinned = read('tools', 'host', 'pinned', version, 'package.json');
			expect(JSON.parse(pinned)).toMatchObject({ dependencies: { n8n: version } });
		}
		expect(packageJson.devDependencies['n8n-core']).toBe(defaultVersion);
	});
});

describe('the spreadsheet guide', () => {
	const guide = ['docs', 'spreadsheets.md'];

	test('is short', () => {
		const words = read(...guide).match(/\S*\p{L}\S*/gu) ?? [];
		expect(words.length).toBeLessThan(1500);
	});

	test('has an appendix with all headers that are known', () => {
		expect(read('docs', 'headers.md')).toBe(headersPage());
	});

	test('shows only statements that a reading can contain', () => {
		const cells = matchesOf(
			section('Statements', 'docs', 'readings.md'),
			/^\| (`.+?) \| /gm,
		).flat();
		const statements = cells.flatMap((cell) => matchesOf(cell, /`([^`]+)`/g).flat());
		expect(statements.length).toBeGreaterThan(12);
		const wrong = statements.filter((text) => !parseReading(text).ok);
		expect(wrong).toEqual([]);
	});

	test('says what cells may hold, for every field, with its limits', () => {
		const rows = matchesOf(
			section('What cells may hold', ...guide),
			/^\| ([A-Z].+?) \| (.+) \|$/gm,
		).filter(([names]) => names !== 'Field');
		const told = new Map(
			rows.flatMap(([names, cells]) =>
				names
					.replace('A and B', 'A, Allow Installments B')
					.split(', ')
					.map((name) => [name, cells] as const),
			),
		);
		const known = sheetFields.filter(({ name }) => !name.startsWith('customer'));
		expect([...told.keys()].sort()).toEqual(known.map(({ displayName }) => displayName).sort());
		const unnamed = known.filter(({ displayName, rule: { limits } }) => {
			const most = limits.kind === 'text' ? limits.maxLength : limits.kind === 'list' && limits.max;
			return most && !new RegExp(`\\b${most}\\b`).test(told.get(displayName) ?? '');
		});
		expect(unnamed.map(({ displayName }) => displayName)).toEqual([]);
	});

	test('names every option and default of Create From Rows', () => {
		const operations = resources.flatMap((resource) => resource.operations);
		const labels = operations
			.filter(({ value }) => value === 'createFromRows')
			.flatMap((operation) => operation.fields.filter(({ type }) => type === 'collection'))
			.flatMap((field) => fieldsIn(field).map(({ displayName }) => displayName))
			// Every operation has these.
			.filter((label) => !label.startsWith('Max '));
		expect(labels.length).toBeGreaterThan(10);
		expect(labels.filter((label) => !read(...guide).includes(label))).toEqual([]);
	});
});
