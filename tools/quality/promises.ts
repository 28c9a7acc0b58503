import { fs, path, projectFolder } from '../node';

/** Something that the documentation promises: `Every charge once.<!-- T1 -->` in docs/trigger.md. */
interface Promised {
	id: string;
	/** The document that promises it. */
	in: string;
	/** The sentence before the mark. */
	says: string;
}

/** The documents that promise something, and the letter that their promises begin with. */
export const documents = {
	'README.md': 'R',
	'docs/operations.md': 'O',
	'docs/spreadsheets.md': 'S',
	'docs/trigger.md': 'T',
};

/** The promises of all documents, in their order. */
export const promises = (): Promised[] =>
	Object.keys(documents).flatMap((document) => {
		const text = fs.readFileSync(path.join(projectFolder, document), 'utf8');
		return [...text.matchAll(/<!-- ([A-Z]\d+) -->/g)].map(({ 1: id, index }) => ({
			id,
			in: document,
			says: wordsBefore(text.slice(0, index)),
		}));
	});

/** The last sentence of a text, on one line and without Markdown; with the one before, if it is very short. */
function wordsBefore(text: string): string {
	const [paragraph] = text.split(/\n\s*\n|\n(?=[-|])/).slice(-1);
	const plain = paragraph
		.replace(/<!--.*?-->/g, '')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^[-|]\s*|[*[]/g, '')
		.replace(/\s+/g, ' ');
	const sentences = plain.split(/(?<=[.!?|]) (?=[A-Z])/);
	const [last] = sentences.slice(-1);
	return (last.length < 30 ? sentences.slice(-2).join(' ') : last).replaceAll('|', '').trim();
}

/** The IDs of promises at the beginning of the title of a test: `[R6, T1] each charge once`. */
export const idsIn = (title: string): string[] =>
	[...title.matchAll(/\[([A-Z]\d+(?:, [A-Z]\d+)*)\]/g)].flatMap(([, ids]) => ids.split(', '));
