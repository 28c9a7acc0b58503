import { CustomerIndex } from '../../../shared/customers/customerIndex';
import type { AssignSettings, Candidate, Column, KnownCustomers } from '../columns';
import { candidatesFor, columnsOf, doubtIn, saysUnpaid, saysYesOrNo, wordFields } from '../columns';
import { hasWord, isNamed } from '../table';
import type { SheetReading, SheetSettings } from '../readSheet';
import { isReference } from '../findings';
import type { Grouping, Source, Statements, ValueStatement } from '../statements';
import type { Steps } from '../../../shared/steps';

/** A change of one decision of a reading. */
export interface Proposal {
	decision: 'money' | 'names' | 'grouping' | 'rows' | 'payer';
	/** `Amount is the total of a row`, `one per Order` */
	what: string;
	change: Partial<Pick<Statements, 'fields' | 'values' | 'grouping'>>;
	/** Points behind the reading that is shown. */
	behind: number;
}

/**
 * Points. How far proposals that no evidence compares stand behind the reading that is shown. Of the labelled sheets, no reading that was right
 * stood farther behind than the last two lines say, so what does is not offered.
 */
export const behinds = {
	/** A tax beside net and gross: only a person knows whether the account adds it. */
	tax: 0,
	/** Rows with a word such as paid or frozen. */
	marked: 2,
	/** An order that several rows share. */
	order: 3,
	/** A discount of the row, and a second count: only a person knows whether they apply. */
	discount: 3,
	times: 3,
	/** Another amount of the row, which nothing bills. */
	besides: 4,
	/** All amounts, if no quantity tells that one of them is a price. */
	kindred: 0,
	/** One amount alone, whatever it is called. */
	alone: 4,
	/** The same of columns that no word or form tells to be amounts. */
	untold: 5,
	/** Each row for itself, and the rows without one kind of them. */
	row: 5,
	kind: 5,
	/** Another column of known customers. */
	payer: 6,
	/** A column with so few points calls items hardly better than the header of the price. */
	unnamed: 3,
	maxOfMoney: 5,
	maxOfNames: 7,
};

/** The fields without some, and with columns for others, which then fill nothing else. */
export function withColumns(
	fields: Statements['fields'],
	without: readonly string[],
	added: ReadonlyArray<[field: string, columns: readonly Column[]]>,
): Statements['fields'] {
	const taken = new Set(added.flatMap(([, columns]) => columns.map(({ header }) => header)));
	const kept = [...fields].filter(
		([field, sources]) =>
			!without.includes(field) && !sources.some(({ header }) => taken.has(header)),
	);
	const own = added
		.filter(([, columns]) => columns.length > 0)
		.map(([field, columns]): [string, Source[]] => [
			field,
			columns.map(({ header }) => ({ header })),
		]);
	return new Map([...kept, ...own]);
}

function assignSettings(
	{ given, defaults, today, zone }: SheetSettings,
	{ own, ofService }: KnownCustomers,
): AssignSettings {
	const all = [...own.customers, ...(ofService?.customers ?? [])];
	const customers = all.length ? new CustomerIndex(all) : undefined;
	return { given, defaults, today, zone, customers };
}

/** Each other column of texts, and the header of the price. What a person has called the items is not in question. */
export function* nameProposals(
	reading: SheetReading,
	settings: SheetSettings,
	known: KnownCustomers,
): Steps<Proposal[]> {
	const { profile, roles, statements } = reading;
	const [own] = columnsOf(roles, 'itemName') as Array<Column | undefined>;
	const isSaid = settings.given.has('itemName') || settings.defaults.itemName !== undefined;
	if (isSaid || (own && isNamed('itemName', own.header))) return [];
	const all = assignSettings(settings, known);
	const candidates = yield* candidatesFor('itemName', roles, profile, all);
	// The header of the price has no points.
	const top = candidates.find(({ column }) => column === own)?.points ?? 0;
	const propose = (points: number, columns: Column[]): Proposal => ({
		decision: 'names',
		behind: Math.abs(top - points),
		what: columns.length ? `items called by ${columns[0].header}` : 'items called otherwise',
		change: { fields: withColumns(statements.fields, ['itemName'], [['itemName', columns]]) },
	});
	const others = candidates
		.filter(({ column }) => column !== own)
		.map(({ column, points }) => propose(points, [column]));
	return [...others, ...(own && top <= behinds.unnamed ? [propose(0, [])] : [])].filter(
		({ behind }) => behind <= behinds.maxOfNames,
	);
}

/** Rows. Hardly anybody wants an invoice for each of more, and to read them takes as long as the preview. */
const maxSingle = 300;

/** Per order, per customer if it is by order, or per row. */
export function groupingProposals(reading: SheetReading): Proposal[] {
	const { statements, profile, rows, drafts, hasNumbers, roles } = reading;
	if (hasNumbers || rows.length < 2) return [];
	const used = new Set([...roles.fields.values()].flat());
	const titles = columnsOf(roles, 'title');
	const isOrder = (one: Column) =>
		(!used.has(one) || titles.includes(one)) &&
		one.is('text', 'number', 'id') &&
		one.filled.length >= rows.length &&
		one.counts.size > 1 &&
		one.counts.size < one.filled.length &&
		(hasWord(one.header, 'identifiers') || isReference(one.header));
	const propose = (grouping: Grouping, what: string): Proposal => ({
		decision: 'grouping',
		what,
		behind: behinds.order,
		change: { grouping },
	});
	const { grouping } = statements;
	const byColumn = grouping?.by === 'column' ? grouping.header : undefined;
	return [
		...profile.columns
			.filter((one) => isOrder(one) && one.header !== byColumn)
			.map(({ header }) => propose({ by: 'column', header }, `one per ${header}`)),
		...(byColumn === undefined ? [] : [propose({ by: 'customer' }, 'one per customer')]),
		...(grouping && grouping.by !== 'row' && drafts.length < rows.length && rows.length <= maxSingle
			? [{ ...propose({ by: 'row' }, 'one per row'), behind: behinds.row }]
			: []),
	];
}

/** Values of a column that say of what kind a row is: charge, payment. */
const maxKinds = 4;

/** With or without the rows of a value that says that they may not be billed, or are of one kind. */
export function rowProposals({ statements, unbilled, rows, roles }: SheetReading): Proposal[] {
	const { values, fields } = statements;
	const propose = (
		what: string,
		value: ValueStatement,
		more: Proposal['change'] = {},
	): Proposal => {
		const others = values.filter(({ header }) => header !== value.header);
		return {
			decision: 'rows',
			what,
			behind: behinds.marked,
			change: { values: [...others, value], ...more },
		};
	};
	const ofValues = values.flatMap((value): Proposal[] => {
		const { header, bill, leaveOut } = value;
		const all = { ...value, bill: [...bill, ...leaveOut], leaveOut: [] };
		const kinds = bill.length > 1 && bill.length <= maxKinds ? bill : [];
		const doubtful = bill.length > 1 ? bill.filter((text) => doubtIn(text) !== undefined) : [];
		const without = (text: string) =>
			propose(`without the rows that say ${header}: ${text || 'nothing'}`, {
				header,
				bill: bill.filter((one) => one !== text),
				leaveOut: [...leaveOut, text],
			});
		return [
			...(leaveOut.length
				? [propose(`with the rows that say ${header}: ${leaveOut.join(', ')}`, all)]
				: []),
			...doubtful.map(without),
			...kinds
				.filter((text) => !doubtful.includes(text))
				.map((text) => ({ ...without(text), behind: behinds.kind })),
		];
	});
	const stated = new Set(values.map(({ header }) => header));
	const ofOthers = [...unbilled, ...columnsOf(roles, 'note')].flatMap((column): Proposal[] => {
		const { header, looks } = column;
		const texts = [...new Set(rows.map(({ at }) => looks[at]?.text ?? ''))];
		const marked = texts.filter(
			(text) => text !== '' && !saysUnpaid(text) && doubtIn(text) !== undefined,
		);
		const isAnswer = (text: string) => text !== '' && saysYesOrNo(text);
		// `Pd?: Y | N` says it without a word that anybody knows.
		const isQuestion = texts.length === 2 && texts.some(isAnswer) && texts.every((text) => text === '' || isAnswer(text)); // prettier-ignore
		const isOther = ([, sources]: [string, Source[]]) =>
			!sources.some((one) => one.header === header);
		const without = (leaveOut: string[]) =>
			propose(
				`without the rows that say ${header}: ${leaveOut.map((text) => text || 'nothing').join(', ')}`,
				{ header, leaveOut, bill: texts.filter((text) => !leaveOut.includes(text)) },
				{ fields: new Map([...fields].filter(isOther)) },
			);
		if (stated.has(header)) return [];
		if (isQuestion) return texts.map((text) => without([text]));
		return marked.length && marked.length < texts.length ? [without(marked)] : [];
	});
	return [...ofValues, ...ofOthers];
}

/** The other columns of known customers, or the default. */
export function* payerProposals(
	reading: SheetReading,
	settings: SheetSettings,
	known: KnownCustomers,
): Steps<Proposal[]> {
	const { profile, roles, statements } = reading;
	const { given, defaults } = settings;
	const fields = ['customerId', 'customerEmail'];
	if (fields.some((field) => given.has(field))) return [];
	const own = columnsOf(roles, ...fields);
	const texts = ['itemName', ...wordFields, ...fields];
	const used = new Map([...roles.fields].filter(([field]) => !texts.includes(field)));
	const all = assignSettings(settings, known);
	const propose = (what: string, added: Array<[string, Column[]]>): Proposal => ({
		decision: 'payer',
		what,
		behind: behinds.payer,
		change: { fields: withColumns(statements.fields, fields, added) },
	});
	const found: Proposal[] = [];
	for (const field of fields) {
		const candidates: Candidate[] = yield* candidatesFor(
			field,
			{ ...roles, fields: used },
			profile,
			all,
		);
		for (const { column, points } of candidates)
			if (points > 0 && !own.includes(column))
				found.push(propose(`billed to ${column.header}`, [[field, [column]]]));
	}
	const toDefault = own.length > 0 && defaults.customerId !== undefined;
	return toDefault ? [...found, propose('billed to the default customer', [])] : found;
}
