import { firstLines, headline } from '../../../shared/errors/nodeErrors';
import type { Finding } from '../../reading/findings';
import { isStated } from '../../reading/findings';
import type { SheetReading } from '../../reading/readSheet';
import { printReading } from '../../reading/text';
import type { Verdict } from '../../reading/verdict';
import type { Refusal } from '../settings';
import { findingLines, leftOutLines } from './findingTexts';

/** What a creating run says of a sheet that its verdict holds, and how to settle that. */
export function refusalOf(
	reading: Pick<SheetReading, 'verdict' | 'leftOut' | 'table'>,
): Refusal | undefined {
	const { unsettled, settledBy, why } = reading.verdict;
	if (why === undefined) return undefined;
	const title = titleOf(reading.verdict);
	const isNew = (one: Finding) => !title.includes(one.text);
	return {
		title,
		lines: [
			...firstLines(
				[...findingLines(unsettled.filter(isNew)), ...leftOutLines(reading)],
				undefined,
				(count) => `and ${count} more: execute with 'Preview Only'`,
			),
			why === 'nothing to bill' ? noRows : confirmAdvice,
			printReading(settledBy),
			...(unsettled.some((one) => !isStated(one)) ? [seenAdvice] : []),
		],
	};
}

function titleOf({ unsettled, why }: Verdict): string {
	if (why === 'nothing to bill') return 'No row has anything to bill';
	if (why === 'not confirmed') return notConfirmed;
	const [first] = unsettled;
	const those = unsettled.filter(({ kind }) => beginningOf(kind) === beginningOf(first.kind));
	return `${beginningOf(first.kind)}: ${headline(those.map(({ text }) => text))}`;
}

const notConfirmed = 'Nobody has confirmed how this sheet is read';

const beginningOf = (kind: Finding['kind']) =>
	kind === 'difference'
		? 'The sheet differs from the reading'
		: kind === 'guess'
			? 'The reading contains a guess'
			: kind === 'unseen'
				? notConfirmed
				: 'Look at the sheet before it is billed';

const confirmAdvice =
	"This is how the sheet would be read. If it is right, choose it under 'Reading', or set 'Reading' to 'As Text' and paste the next line:";
const noRows =
	'Check that the node before this one reads the right sheet, and that the reading names the column of the amounts (Unit Price or Line Total):';

const seenAdvice =
	"'seen' in the reading accepts this for exactly these invoices. For later sheets as well, write 'unchecked', or '(says ...)' behind a column";
