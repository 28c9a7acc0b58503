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

/** Files of `docs/images` that a page shows, e.g. `examples/one-invoice.png`. Only README shows dark ones (`NAME.dark.png`). */
export const shownPictures = (): string[] => {
	const text = pages.map((page) => fs.readFileSync(path.join(projectFolder, page), 'utf8')).join();
	return [...new Set([...text.matchAll(/\bimages\/([\w/.-]+\.png)/g)].map(([, file]) => file))];
};
