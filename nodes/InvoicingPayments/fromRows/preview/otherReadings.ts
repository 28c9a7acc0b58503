import { shorten } from '../../../shared/fields/text';
import type { OtherReading } from '../../reading/otherReadings';
import type { Draft } from '../../reading/invoices';
import { plural } from '../../reading/cells';
import type { SheetReading } from '../../reading/readSheet';
import { printReading } from '../../reading/text';
import { itemTexts, sumOf } from './draftTexts';

/** Another reading as a preview offers it: a line for people, and the text to pick. */
export interface Offer {
	/** `Or EUR 178.00 if Amount is the total of a row: 1 × Screws at 50.00` */
	label: string;
	text: string;
}

/** Characters of a line. */
const maxLabel = 160;

/** The other readings of a sheet, each with what differs. A run stops at what they leave to look at: nobody has seen their previews. */
export const offersOf = (others: readonly OtherReading[], shown: SheetReading): Offer[] =>
	others.map((one) => ({
		label: shorten(`Or ${whatOf(one, shown)}`, maxLabel),
		text: printReading({ ...one.reading.statements, seen: undefined }),
	}));

function whatOf(
	{ decision, what, reading: { drafts } }: OtherReading,
	shown: SheetReading,
): string {
	const sum = sumOf(drafts);
	const example = exampleOf(drafts, shown.drafts);
	const withExample = example === undefined ? '' : `: ${example}`;
	if (decision === 'grouping') return `${plural(drafts.length, 'invoice')}: ${what}`;
	if (decision === 'names' || decision === 'payer') return `${what}${withExample}`;
	const isSentence = / (?:is|are) /.test(what);
	const differs = `${isSentence ? 'if ' : ''}${what}${decision === 'money' ? withExample : ''}`;
	return sum === '' ? differs : `${sum} ${differs}`;
}

/** The first item that differs from what is shown, or that is the first one. */
function exampleOf(drafts: readonly Draft[], shown: readonly Draft[]): string | undefined {
	const known = new Set(shown.flatMap(itemTexts));
	const all = drafts.flatMap(itemTexts);
	return all.find((text) => !known.has(text)) ?? all[0];
}
