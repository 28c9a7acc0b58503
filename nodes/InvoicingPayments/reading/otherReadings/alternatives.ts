import { groupingProposals, nameProposals, payerProposals, rowProposals } from './proposals';
import type { KnownCustomers } from '../columns';
import type { Draft } from '../invoices';
import { isReady } from '../invoices';
import { moneyProposals } from './moneyProposals';
import type { Proposal } from './proposals';
import type { SheetReading, SheetSettings } from '../readSheet';
import { readSheet } from '../readSheet';
import type { Statements } from '../statements';
import { namedHeaders } from '../statements';
import type { Steps } from '../../../shared/steps';
import { parseReading, printReading } from '../text';

/**
 * What a sheet can mean besides. A first preview is one guess, and a person knows the sum: so a preview offers other readings beside its
 * own, the likeliest first, each with what differs.
 *
 * An alternative is the reading with **one decision changed** (proposals.ts, moneyProposals.ts): what the amounts mean, what items are called,
 * which rows are one invoice, which rows are billed, who pays. It is read again by the same engine, so that it is a reading like any other:
 * printed, picked, confirmed and compared. One that makes the invoices of another above it is not offered. What the sums of a sheet prove has
 * no other sum, except net and gross.
 */
export interface OtherReading extends Pick<Proposal, 'decision' | 'what' | 'behind'> {
	reading: SheetReading;
}

/** At most this many are offered: more lines than a list shows without scrolling. */
const maxOffered = 5;
/** So many are read, to find those that differ: each takes as long as the preview's own reading. */
const [leastRead, maxRead] = [2, 10];
/** Cells that are read for that in all, which takes some tenths of a second. */
const maxCells = 30_000;

/** Other readings of a sheet that was read, the likeliest first. */
export function* otherReadings(
	reading: SheetReading,
	settings: SheetSettings,
	known: KnownCustomers & { notFound(text: string): string },
): Steps<OtherReading[]> {
	const { statements, drafts, table, profile } = reading;
	const proposals = [
		...(yield* moneyProposals(reading, settings)),
		...(yield* nameProposals(reading, settings, known)),
		...groupingProposals(reading),
		...rowProposals(reading),
		...(yield* payerProposals(reading, settings, known)),
	]
		.filter(({ change }) => !changesMapped(statements, change, settings.mapped))
		.sort((a, b) => a.behind - b.behind);
	const seen = new Set([contentOf(drafts)]);
	const offered: OtherReading[] = [];
	const cells = table.lines.length * profile.columns.length;
	const most = Math.max(leastRead, Math.min(maxRead, Math.floor(maxCells / cells)));
	const tried = new Set<string>();
	for (const { change, ...one } of proposals) {
		if (offered.length === maxOffered || tried.size === most) break;
		const said = changed(statements, change);
		const text = printReading(said);
		// What contradicts itself, such as a column with two meanings, cannot be picked.
		if (tried.has(text) || !parseReading(text).ok) continue;
		tried.add(text);
		const other = yield* readSheet(reading, { ...settings, said }, known);
		const content = contentOf(other.drafts);
		if (seen.has(content) || !isBillable(other, reading)) continue;
		seen.add(content);
		offered.push({ ...one, reading: other });
	}
	return offered;
}

/** Whether it changes what a person has mapped by hand, which a run would change back. */
const changesMapped = (
	{ fields }: Statements,
	change: Proposal['change'],
	mapped: SheetSettings['mapped'],
): boolean => {
	const headers = ({ fields: own }: Pick<Statements, 'fields'>, field: string) =>
		JSON.stringify(own.get(field)?.map(({ header }) => header));
	const { fields: changed } = change;
	return (
		changed !== undefined &&
		[...mapped.keys()].some(
			(field) => headers({ fields }, field) !== headers({ fields: changed }, field),
		)
	);
};

/** The statements with a change, and without what the sheet says of them: that is read again. */
function changed(statements: Statements, change: Proposal['change']): Statements {
	const { fields, values, grouping, rowsLeftOut, headerRow, unchecked } = statements;
	const { isFilledFromAbove, isSideBySide } = statements;
	const all: Statements = {
		fields,
		values,
		grouping,
		rowsLeftOut,
		headerRow,
		unchecked,
		isFilledFromAbove,
		isSideBySide,
		shapes: new Map(),
		...change,
	};
	const named = namedHeaders(all);
	return { ...all, notBilled: [...namedHeaders(statements)].filter((one) => !named.has(one)) };
}

/** What is billed. */
const contentOf = (drafts: readonly Draft[]): string =>
	JSON.stringify(
		drafts.map(({ body }) => {
			const { customer, currency, due_date: due, items, discount_percentage: discount } = body;
			return [customer, currency, due, items, discount];
		}),
	);

/** Whether at least as much of it can be billed as of the reading that is shown. */
function isBillable({ drafts }: SheetReading, shown: SheetReading): boolean {
	const share = (all: readonly Draft[]) =>
		all.length ? all.filter(isReady).length / all.length : 0;
	return drafts.length > 0 && share(drafts) >= share(shown.drafts);
}
