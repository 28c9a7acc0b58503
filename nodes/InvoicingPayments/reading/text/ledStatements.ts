import { toCurrency } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import { settledWhole } from '../findings';
import type { Relation, Statements } from '../statements';
import { amountsIn, inAllRows, relationText, taxedAt } from '../statements';
import { columnsIn, columnText } from './columns';
import type { Token } from './tokens';
import { isSign, namesIn, plainWords, written } from './tokens';

/** A statement that begins with words and a colon. */
interface LedStatement {
	/** In lower case. */
	lead: string;
	/** What stands behind the colon. `undefined`: the reading does not say it. */
	print(reading: Statements): string | undefined;
	/** What it says. */
	read(tokens: Token[], reading: Statements): Parsed<Partial<Statements>>;
}

const listOf = (names: readonly string[] | undefined, print: (name: string) => string) =>
	names?.length ? names.map(print).join(', ') : undefined;

/** `amounts in: EUR` */
const currencies: LedStatement = {
	lead: amountsIn,
	print: (reading) => listOf(reading.currencies, (name) => written(name)),
	read: (tokens) => {
		const codes = namesIn(tokens)?.map(toCurrency) ?? [];
		const known = codes.flatMap((one) => (one.ok ? [one.value] : []));
		return known.length && known.length === codes.length
			? ok({ currencies: known })
			: notRead('must list codes of three letters such as EUR, between commas');
	},
};

/** `in all rows: "Net" = "Gross" - "Tax"` */
const relation: LedStatement = {
	lead: inAllRows,
	print: (reading) => reading.relation && relationText(reading.relation),
	read: (tokens) => {
		const read = relationIn(tokens);
		return read
			? ok({ relation: read })
			: notRead('must be like "Net" = "Gross" - "Tax", with all names in quotes');
	},
};

/** `taxed at: 19%, 7%` */
const taxRates: LedStatement = {
	lead: taxedAt,
	print: (reading) => listOf(reading.taxRates, (rate) => rate),
	read: (tokens) => {
		const names = namesIn(tokens);
		return names?.length && names.every((one) => /^-?\d+(?:\.\d+)?%$/.test(one))
			? ok({ taxRates: names })
			: notRead('must list percentages such as 19%, between commas');
	},
};

/** `not billed: Zip, Note (text; says paid)` */
const notBilled: LedStatement = {
	lead: 'not billed',
	print: ({ notBilled: columns, shapes }) =>
		listOf(columns, (header) => columnText(header, shapes)),
	read: (tokens, { shapes }) => {
		const columns = columnsIn(tokens, shapes);
		return columns.ok
			? ok({ notBilled: columns.value })
			: notRead(`${columns.problem}. Write e.g. 'not billed: Zip, Note (text; says paid)'`);
	},
};

/** `rows left out: totals` */
const rowsLeftOut: LedStatement = {
	lead: 'rows left out',
	print: (reading) => reading.rowsLeftOut,
	read: (tokens) => {
		const [first, ...more] = namesIn(tokens) ?? [];
		const what = first?.toLowerCase();
		return (what === 'totals' || what === 'none') && !more.length
			? ok({ rowsLeftOut: what })
			: notRead("must say 'totals' or 'none'");
	},
};

/** `texts: "Paid by card"` */
const texts: LedStatement = {
	lead: 'texts',
	print: (reading) => listOf(reading.texts, (text) => JSON.stringify(text)),
	read: (tokens) => {
		const names = namesIn(tokens);
		return names ? ok({ texts: names }) : notRead('must list texts in quotes');
	},
};

/** `unchecked: dates, repeats` */
const unchecked: LedStatement = {
	lead: 'unchecked',
	print: (reading) => listOf(reading.unchecked, (kind) => kind),
	read: (tokens, reading) => {
		const kinds = (namesIn(tokens) ?? ['']).map((name) => name.toLowerCase());
		if (!kinds.every((kind) => (settledWhole as readonly string[]).includes(kind)))
			return notRead(
				`can only name ${settledWhole.join(', ')}. A word in a column is settled behind its name: 'not billed: Note (text; says paid)'`,
			);
		// The only one that may be said twice.
		reading.unchecked.push(...kinds);
		return ok({});
	},
};

/** `seen: 4F7K…` */
const seen: LedStatement = {
	lead: 'seen',
	print: (reading) => reading.seen,
	read: (tokens) => {
		const [first, ...more] = namesIn(tokens) ?? [];
		return first && !more.length ? ok({ seen: first }) : notRead('must have the code of a preview');
	},
};

/** Those that stand before the sentences and the cells of columns, and those behind. */
export const ledBefore: readonly LedStatement[] = [currencies, relation, taxRates];
export const ledAfter: readonly LedStatement[] = [notBilled, rowsLeftOut, texts, unchecked, seen];

export const ledByWords: ReadonlyMap<string, LedStatement> = new Map(
	[...ledBefore, ...ledAfter].map((one) => [one.lead, one]),
);

/** Reads a relation back. `undefined` if it is none. */
function relationIn([whole, equals, ...rest]: Token[]): Relation | undefined {
	const isName = (one?: Token) => one?.isQuoted === true;
	const signs = rest.flatMap((one, at) => (at % 2 ? [one.isQuoted ? '' : plainWords(one)] : []));
	const names = rest.filter((_one, at) => at % 2 === 0);
	const areNames = isName(whole) && names.length > 1 && names.every(isName);
	if (!areNames || signs.length !== names.length - 1 || !isSign(equals, '=')) return undefined;
	// Factors, then what is added or taken off, and a percentage behind one of them.
	const form = /^(x*)([lp]?)([+-]*)([lp]?)$/.exec(
		signs.map((sign) => signLetters[sign] ?? '?').join(''),
	);
	if (!form || (form[2] && form[4])) return undefined;
	const [, multiplied, ofFactors, added, ofAll] = form;
	const headers = names.map(({ text }) => text);
	const factors = headers.splice(0, multiplied.length + 1);
	const rate = ofFactors ? headers.shift() : ofAll ? headers.pop() : undefined;
	return {
		whole: whole.text,
		factors,
		terms: [...added].map((sign, at) => ({ header: headers[at], isLess: sign === '-' })),
		...(rate !== undefined && { rate, isAdded: (ofFactors || ofAll) === 'p' }),
		...(ofFactors && added && { isOfFactors: true }),
	};
}
const signLetters: Partial<Record<string, string>> = {
	x: 'x',
	'+': '+',
	'-': '-',
	less: 'l',
	plus: 'p',
};
