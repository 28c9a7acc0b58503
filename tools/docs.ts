import { sheetFields } from '../nodes/InvoicingPayments/reading/columns/fields';
import { languages } from '../nodes/InvoicingPayments/reading/words';
import { fs, path, projectFolder } from './node';

const markdown = (folder: string) =>
	fs
		.readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => `${folder}/${file}`);

/** The pages of the documentation. */
export const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md', 'simulator/README.md'],
	...markdown('docs'),
];

export const picturesFolder = path.join(projectFolder, 'docs', 'images');

/** Files of `docs/images` that a page shows, e.g. `examples/live-sheet.png`. Only README shows dark ones (`NAME.dark.png`). */
export const shownPictures = (): string[] => {
	const text = pages.map((page) => fs.readFileSync(path.join(projectFolder, page), 'utf8')).join();
	return [...new Set([...text.matchAll(/\bimages\/([\w/.-]+\.png)/g)].map(([, file]) => file))];
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** docs/headers.md: the names of columns that are no guess, in English, and where those of other languages are. */
export function headersPage(): string {
	const [english, ...others] = languages;
	const rows = sheetFields.flatMap(({ name, displayName }) => {
		const headers = name === 'total' ? english.totals : (english.headers[name] ?? []);
		return headers.length ? [`| ${displayName} | ${headers.join(', ')} |`] : [];
	});
	const links = others.map(
		({ code }) =>
			`[${languageNames.of(code) ?? code}](../nodes/InvoicingPayments/reading/words/${code}.ts)`,
	);
	return [
		'# Names of columns',
		'A column with one of these names fills the field without being a guess, unless another column claims the field or the cells do not fit. Case, accents, spaces, punctuation and notes such as `(pcs)` do not matter; `#`, `No.` and `Nr` mean *number*. The fields’ own names (but not Start Date) and the API’s, such as `due_date`, count as well.',
		`Other names are no obstacle: the preview shows how such a column is read. Names in other languages: ${links.join(', ')}.`,
		['| Field | Names in English |', '|---|---|', ...rows].join('\n'),
		'A column called Amount or Item Amount is a unit price or a line total, whichever the sums show.',
		'`node --import tsx tools/commands/headersPage.ts` writes this page.',
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}
