import { plainHeader } from './headers';
import { allHeaders } from './words';

const accentsIn = (header: string): string[] =>
	[...header.normalize('NFC').toLowerCase()].filter((letter) =>
		/\p{M}/u.test(letter.normalize('NFD').slice(1)),
	);

/** Which accented letters the headers that we know have, each behind the plain form of its header. */
const known = new Set(
	allHeaders.flatMap((header) =>
		accentsIn(header).map((letter) => `${plainHeader(header)} ${letter}`),
	),
);

/** Whether a header may be one that we know: an accent can be left out, but one more makes another word. `Öre` is no `Ore`. */
export const isSpelledSo = (header: string): boolean => {
	const plain = plainHeader(header);
	return accentsIn(header).every((letter) => known.has(`${plain} ${letter}`));
};
