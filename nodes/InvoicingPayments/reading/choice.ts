import type { CustomerIndex } from '../../shared/customers/customerIndex';
import { meansWithoutCells } from './fields';
import { exactScore, fieldsNamed, isNamed, wordScore } from './names';
import type { Column, Profile } from './profile';
import type { Statements } from './statements';
import { namedHeaders } from './statements';

/** Values that the user has mapped or typed, for each input row. They win over columns. */
export type GivenValues = ReadonlyMap<string, (index: number) => unknown>;

export interface ChoiceSettings {
	said?: Statements;
	given: GivenValues;
	/** Customers that are known. `undefined`: not looked up yet. */
	customers?: CustomerIndex;
	/** What a person has set for cells that are empty. */
	defaults: { itemAmount?: string; itemName?: string; dueInDays?: number; customerId?: string };
	/** YYYY-MM-DD */
	today: string;
	zone: string;
}

/** What the column of a field must be like. */
interface Wish {
	fits?: (column: Column) => boolean;
	/** The lowest score. 8 takes only columns with a name of the field. */
	least?: number;
	bonus?: (column: Column) => number;
	/** Fields whose names count. */
	names?: string[];
}

const columnsPerStep = 50;

/** Which column fills which field, so far. A column fills one field. */
export class Choice {
	readonly fields = new Map<string, Column[]>();
	/** Fields whose column nobody has said, and no name or sum tells. */
	readonly guessed = new Set<string>();
	/** Columns that do not count, because their headers say that they are settled, or their discount is taken off already. */
	settled: readonly Column[] = [];
	/** The column with the rest of a customer's name. */
	restOfName?: Column;
	private readonly free: Set<Column>;

	/** Begins with what a person has said. */
	constructor(
		readonly profile: Profile,
		readonly settings: ChoiceSettings,
	) {
		const { said } = settings;
		const named = said ? namedHeaders(said) : new Set();
		this.free = new Set(
			profile.columns.filter(({ header, filled }) => filled.length > 0 && !named.has(header)),
		);
		for (const [field, sources] of said?.fields ?? []) {
			const columns = sources.flatMap(({ header }) => profile.byHeader.get(header) ?? []);
			// A quantity or discount without cells is reported as a difference. Another column may fill its field.
			const isIdle =
				meansWithoutCells.includes(field) && columns.every(({ filled }) => filled.length === 0);
			if (columns.length === 0 || isIdle) continue;
			this.fields.set(field, columns);
			const rest = sources[0]?.and;
			if (field === 'customerId' && rest !== undefined)
				this.restOfName = profile.byHeader.get(rest);
		}
	}

	columnsOf(field: string): Column[] {
		return this.fields.get(field) ?? [];
	}

	/** Columns that say who pays. */
	owners(): Column[] {
		return this.fields.get('customerEmail') ?? this.columnsOf('customerId');
	}

	/** For each line the invoice that it probably belongs to. */
	invoicesOfLines(): string[] {
		const owners = [...this.owners(), ...this.columnsOf('dueDate')];
		const columns = this.fields.get('invoiceNumber') ?? owners;
		const count = this.profile.columns[0]?.looks.length ?? 0;
		return Array.from({ length: count }, (_, at) =>
			columns.map(({ looks }) => looks[at]?.text ?? '').join('\n'),
		);
	}

	/** Whether a column or the user fills the field. */
	has(field: string): boolean {
		return this.fields.has(field) || this.settings.given.has(field);
	}

	freeColumns(fits: (column: Column) => boolean): Column[] {
		return [...this.free].filter(fits);
	}

	use(field: string, column: Column, { isGuess = false } = {}): void {
		this.fields.set(field, [...this.columnsOf(field), column]);
		this.free.delete(column);
		if (isGuess) this.guessed.add(field);
	}

	/** The second part of a customer's name. */
	useAsRest(column: Column): void {
		this.restOfName = column;
		this.free.delete(column);
	}

	/** Takes the best free column for a field: by the names of the field, else by the words in its header. */
	*pick(
		field: string,
		{ fits = () => true, least = 8, bonus = () => 0, names = [field] }: Wish = {},
	): Generator<void, Column | undefined> {
		if (this.has(field)) return undefined;
		let best: { column: Column; score: number; isGuess: boolean } | undefined;
		for (const [at, column] of [...this.free].entries()) {
			if (at % columnsPerStep === columnsPerStep - 1) yield;
			if (!fits(column)) continue;
			const { header } = column;
			const exact = names
				.map((name) => exactScore(name, header))
				.find((score) => score !== undefined);
			// `Date` is the name of another field.
			const byWords = isNamedOtherwise(field, header) ? 0 : wordScore(field, header);
			const score = (exact ?? byWords) + bonus(column);
			if (score >= (best ? best.score + 1e-9 : least))
				best = { column, score, isGuess: exact === undefined };
		}
		if (best) this.use(field, best.column, best);
		return best?.column;
	}

	/** The only column with a name of a field, although its cells are no values of it: they are mistakes, which the preview shows. */
	pickNamed(field: string): void {
		const named = this.freeColumns(({ header }) => isNamed(field, header));
		if (named.length === 1 && !this.has(field)) this.use(field, named[0]);
	}
}

export const isNamedOtherwise = (field: string, header: string) =>
	fieldsNamed(header).some(
		(one) => one !== field && !['amount', 'total', 'itemTotal'].includes(one),
	);
