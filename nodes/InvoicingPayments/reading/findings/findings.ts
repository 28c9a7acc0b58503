import type { CustomerIndex } from '../../../shared/customers/customerIndex';
import type { Steps } from '../../../shared/steps';
import type { Columns, OpenSheet } from '../columns';
import type { Invoices } from '../invoices';
import type { Row, Rows } from '../rows';
import type { Statements } from '../statements';

/** Kinds of findings that the reading can settle for good: `unchecked: dates`. */
export const settledWhole = ['amounts', 'dates', 'repeats', 'sums'] as const;

/**
 * Something that a person has to see before the sheet is billed. There is no other list: whatever the engine says of a sheet is a finding,
 * and a creating run stops at each that is not settled.
 */
export interface Finding {
	/**
	 * `unseen`: the reading was typed, and no preview of it was confirmed. `difference`: from the reading that was confirmed. `guess`: nobody
	 * has said it. The new reading settles these. `seen` settles the others, for exactly these invoices.
	 */
	kind: 'unseen' | 'difference' | 'guess' | 'words' | (typeof settledWhole)[number];
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

/** A sheet that was read, step by step. */
export interface Sheet extends OpenSheet, Columns, Rows, Invoices {
	/** The reading that was given, and the columns that are mapped by hand. */
	said?: Statements;
	/** A reading was given, which has to name all columns. A mapping does not. */
	mustNameAll: boolean;
	/** Customers that are known. `undefined`: none, or not looked up. */
	known?: CustomerIndex;
	/** Items have a name by default, or mapped by hand. */
	hasName: boolean;
	/** YYYY-MM-DD */
	today: string;
}

/** With what its new reading says. */
export interface StatedSheet extends Sheet {
	statements: Statements;
}

/** Takes a finding. `rows`: none if it is about the whole sheet. `about`: its column, and the word in it. */
export type Raise = (
	kind: Finding['kind'],
	rows: readonly Row[],
	text: string,
	about?: Pick<Finding, 'header' | 'word' | 'isStated'>,
) => void;

/** Looks for something in a sheet, and raises it. Long looks give other work a turn between their steps. */
export type Look = (sheet: StatedSheet, raise: Raise) => Steps<void> | void;

/** In this order people see them; those of one line the weightiest first. */
const order: ReadonlyArray<ReadonlyArray<Finding['kind']>> = [
	['difference'],
	['guess'],
	['words', ...settledWhole],
	['unseen'],
];
export const placeOf = (kind: Finding['kind']) => order.findIndex((kinds) => kinds.includes(kind));

/** Whether confirming the new reading settles it. */
export const isStated = ({ kind, isStated: own }: Finding) =>
	own === true || ['unseen', 'difference', 'guess'].includes(kind);
