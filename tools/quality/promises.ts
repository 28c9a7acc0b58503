import { fs, path, projectFolder } from '../node';

/** A promise of the documentation, e.g. `The list may have any order<!-- T4 -->` in docs/trigger.md. */
interface Promised {
	id: string;
	in: string;
	/** The sentence before the mark. */
	says: string;
}

/** Documents with promises, and the first letter of their IDs. Other documents may repeat a promise with its ID. */
export const documents = {
	'README.md': 'R',
	'docs/operations.md': 'O',
	'docs/spreadsheets.md': 'S',
	'docs/trigger.md': 'T',
};

export const promises = (): Promised[] =>
	Object.entries(documents).flatMap(([document, letter]) => {
		const text = fs.readFileSync(path.join(projectFolder, document), 'utf8');
		return [...text.matchAll(/<!-- ([A-Z]\d+) -->/g)]
			.filter(([, id]) => id.startsWith(letter))
			.map(({ 1: id, index }) => ({
				id,
				in: document,
				says: wordsBefore(text.slice(0, index)),
			}));
	});

/** The last sentence, without Markdown. Very short sentences include the one before. */
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

/** `[R6, T4] each charge once` → `['R6', 'T4']` */
export const idsIn = (title: string): string[] =>
	[...title.matchAll(/\[([A-Z]\d+(?:, [A-Z]\d+)*)\]/g)].flatMap(([, ids]) => ids.split(', '));
