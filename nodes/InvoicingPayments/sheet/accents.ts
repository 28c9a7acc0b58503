import { plainHeader } from './headers';
import { allHeaders } from './words';

const accentsIn = (header: string): string[] =>
	[...header.normalize('NFC').toLowerCase()].filter((letter) =>
		/\p{M}/u.test(letter.normalize('NFD').slice(1)),
	);

/** The accented letters of known headers, each after the header's plain form. */
const known = new Set(
	allHeaders.flatMap((header) =>
		accentsIn(header).map((letter) => `${plainHeader(header)} ${letter}`),
	),
);

/** Whether all accents of a header are known: `Öre` is not `Ore`. Missing accents are fine. */
export const isSpelledSo = (header: string): boolean => {
	const plain = plainHeader(header);
	return accentsIn(header).every((letter) => known.has(`${plain} ${letter}`));
};
