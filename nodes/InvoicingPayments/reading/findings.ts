import type { Roles } from './columns';
import type { Draft } from './invoices';
import type { Column, Profile } from './profile';
import type { LeftOut, Row } from './rows';
import type { Statements } from './statements';
import { saying } from './statements';

/** Kinds of findings that the reading can settle for good: `unchecked: dates`. */
export const settledWhole = ['amounts', 'dates', 'repeats', 'sums'] as const;

/**
 * Something that a person has to see before the sheet is billed. There is no other list: whatever the engine says of a sheet is a finding,
 * and a creating run stops at each that is not settled.
 */
export interface Finding {
	/**
	 * `difference`: from the reading that was confirmed. `guess`: nobody has said it. The new reading settles both. `seen` settles the others,
	 * for exactly these invoices.
	 */
	kind: 'difference' | 'guess' | 'words' | (typeof settledWhole)[number];
	/** `row 4 says Paid: cash` */
	text: string;
	/** The rows whose invoices it holds. Empty: all invoices. */
	rows: readonly number[];
	/** The column, and the word in it. */
	header?: string;
	word?: string;
	/** Whether the new reading states it, so that confirming that settles it, as with differences and guesses. */
	isStated?: boolean;
	/** The amounts that it touches, to show the weightiest first. */
	money: number;
}

/** A sheet that was read. Lines that are left out are no rows. */
export interface Sheet {
	profile: Profile;
	roles: Roles;
	rows: readonly Row[];
	drafts: readonly Draft[];
	statements: Statements;
	/** What a person has said of it. */
	said?: Statements;
	/** Columns that fill no field. */
	unbilled: readonly Column[];
	leftOut: readonly LeftOut[];
	/** YYYY-MM-DD */
	today: string;
}

/** Takes a finding. `rows`: none if it is about the whole sheet. `about`: its column, and the word in it. */
export type Raise = (
	kind: Finding['kind'],
	rows: readonly Row[],
	text: string,
	about?: Pick<Finding, 'header' | 'word' | 'isStated'>,
) => void;

const rank = (kind: Finding['kind']) => ['difference', 'guess'].indexOf(kind) + 1 || 3;

/** Differences first, then guesses; the others by money. What the reading settles for good is left out. */
export function openFindings(
	all: readonly Finding[],
	{ unchecked, shapes }: Pick<Statements, 'unchecked' | 'shapes'>,
): Finding[] {
	const isSettled = ({ kind, header = '', word }: Finding) =>
		unchecked.includes(kind) ||
		(word !== undefined && shapes.get(header)?.kinds.includes(saying(word)));
	return all
		.filter((one) => !isSettled(one))
		.sort((a, b) => rank(a.kind) - rank(b.kind) || b.money - a.money);
}

/** Whether confirming the new reading settles it. */
export const isStated = ({ kind, isStated: own }: Finding) =>
	own === true || kind === 'difference' || kind === 'guess';
