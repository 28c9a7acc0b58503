import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { sheetFields } from './fields';
import type { Format, Source, Statements, ValueStatement } from './statements';
import { amountsIn, formats } from './statements';

/** Words that begin a statement with a colon: a column that is called so stands in quotes there. */
const leads = /^(?:not billed|rows left out|seen|unchecked|above the headers|amounts in)$/i;

/** A header or a cell as it stands in a reading. Signs of the text, spaces around it, and `reserved` words need quotes. */
export const written = (name: string, reserved?: RegExp): string =>
	/^[^\s;,=:()+"\\]+(?: [^\s;,=:()+"\\]+)*$/u.test(name) && !reserved?.test(name)
		? name
		: JSON.stringify(name);

const listOf = (names: string[]) => names.map((name) => written(name)).join(', ');
const valuesOf = (values: string[]) =>
	values.map((value) => (value === '' ? 'empty' : written(value, /^empty$/i))).join(', ');

const sourceText = ({ header, and, formats: own = [] }: Source) =>
	`${written(header)}${and === undefined ? '' : ` + ${written(and)}`}${own.length ? ` (${own.join(' and ')})` : ''}`;

function groupingText(grouping: Statements['grouping']): string[] {
	if (!grouping) return [];
	if (grouping.by === 'all') return ['one invoice for all rows'];
	const by = { invoiceNumber: 'Invoice Number', customer: 'customer', row: 'row' };
	return [
		`one invoice per ${grouping.by === 'column' ? written(grouping.header, /^(?:customer|row|invoice number)$/i) : by[grouping.by]}`,
	];
}

const valueText = ({ header, bill, leaveOut }: ValueStatement) =>
	[
		...(bill.length || !leaveOut.length ? [`bill ${valuesOf(bill)}`] : []),
		...(leaveOut.length ? [`leave out ${valuesOf(leaveOut)}`] : []),
	]
		.join('; ')
		.replace(/^/, `${written(header, leads)}: `);

/** The statements as one line. `parseReading` reads it back. */
export function printReading(reading: Statements): string {
	const { notBilled, rowsLeftOut, unchecked, above, seen, headerRow } = reading;
	return [
		...(headerRow === undefined ? [] : [`headers in row ${headerRow}`]),
		...(above?.length
			? [`above the headers: ${above.map((text) => JSON.stringify(text)).join(', ')}`]
			: []),
		...sheetFields.flatMap(({ name, displayName }) => {
			const sources = reading.fields.get(name);
			return sources?.length ? [`${displayName} = ${sources.map(sourceText).join(', ')}`] : [];
		}),
		...(reading.isSideBySide ? ['items side by side'] : []),
		...(reading.isFilledFromAbove ? ['cells filled from above'] : []),
		...(reading.currencies?.length ? [`${amountsIn}: ${listOf(reading.currencies)}`] : []),
		...groupingText(reading.grouping),
		...reading.values.map(valueText),
		...(notBilled?.length ? [`not billed: ${listOf(notBilled)}`] : []),
		...(rowsLeftOut ? [`rows left out: ${rowsLeftOut}`] : []),
		...(unchecked.length ? [`unchecked: ${listOf(unchecked)}`] : []),
		...(seen === undefined ? [] : [`seen: ${seen}`]),
	].join('; ');
}

type Token = { text: string; isQuoted?: boolean };
const token = /[^\S\n]*(?:("(?:[^"\\]|\\.)*")|([;,=:()+])|([^;,=:()+"\n]+)|(\n))/gy;

/** Bounds the work: a sheet has at most some hundred columns. */
const maxLength = 250_000;

function tokensOf(text: string): Token[][] | undefined {
	const statements: Token[][] = [[]];
	token.lastIndex = 0;
	while (token.lastIndex < text.length) {
		const match = token.exec(text);
		if (!match) return /^\s*$/.test(text.slice(token.lastIndex)) ? statements : undefined;
		const [, quoted, sign, bare, line] = match;
		if (sign === ';' || line !== undefined) statements.push([]);
		else if (quoted !== undefined) {
			try {
				statements[statements.length - 1].push({
					text: JSON.parse(quoted) as string,
					isQuoted: true,
				});
			} catch {
				return undefined;
			}
		} else if (sign ?? bare.trim())
			statements[statements.length - 1].push({ text: sign ?? bare.trim() });
		if (token.lastIndex === 0) return statements;
	}
	return statements;
}

const fieldsByName = new Map(
	sheetFields.flatMap(({ name, displayName }) =>
		[name, displayName, ...(name === 'itemQuantity' ? ['Item Quantity'] : [])].map(
			(one) => [one.toLowerCase(), name] as const,
		),
	),
);

const isSign = ({ text, isQuoted }: Token, sign: string) => text === sign && !isQuoted;

/** Names between commas, each with formats in brackets. `undefined` if it is no such list. */
function sourcesIn(tokens: Token[]): Source[] | undefined {
	const sources: Source[] = [];
	for (let at = 0; at < tokens.length; ) {
		const name = tokens[at++];
		if (!name.isQuoted && /^[;,=:()+]?$/.test(name.text)) return undefined;
		const source: Source = { header: name.text };
		if (at + 1 < tokens.length && isSign(tokens[at], '+')) {
			source.and = tokens[at + 1].text;
			at += 2;
		}
		if (at < tokens.length && isSign(tokens[at], '(')) {
			const end = tokens.findIndex((one, index) => index > at && isSign(one, ')'));
			if (end < 0) return undefined;
			const given = tokens
				.slice(at + 1, end)
				.map(({ text }) => text)
				.join('')
				.split(/\s+and\s+/);
			if (!given.every((one) => Object.keys(formats).includes(one) || /^per \d{1,6}$/.test(one)))
				return undefined;
			source.formats = given as Format[];
			at = end + 1;
		}
		sources.push(source);
		if (at < tokens.length && !isSign(tokens[at++], ',')) return undefined;
	}
	return sources;
}

const namesIn = (tokens: Token[]): string[] | undefined => {
	const sources = sourcesIn(tokens);
	return sources?.some(({ formats: own, and }) => own ?? and)
		? undefined
		: sources?.map(({ header }) => header);
};

/** The cells of a value statement; the bare word `empty` is an empty cell. */
function cellsIn(tokens: Token[]): string[] | undefined {
	const empty: Token = { text: '', isQuoted: true };
	return namesIn(tokens.map((one) => (/^empty$/i.test(one.text) && !one.isQuoted ? empty : one)));
}

/** Reads the text of a reading. */
export function parseReading(text: string): Parsed<Statements> {
	if (text.length > maxLength) return { problem: `has more than ${maxLength} characters` };
	const statements = tokensOf(text);
	if (!statements) return { problem: `has a quote that does not end: ${quote(text)}` };
	const reading: Statements = { fields: new Map(), values: [], unchecked: [] };
	for (const tokens of statements) {
		if (tokens.length === 0) continue;
		const problem = readStatement(tokens, reading);
		if (problem !== undefined)
			return { problem: `${quote(tokens.map((one) => one.text).join(' '))} ${problem}` };
	}
	return { value: reading };
}

/** Adds a statement to the reading. Returns a problem. */
function readStatement(tokens: Token[], reading: Statements): string | undefined {
	const [lead, sign, ...rest] = tokens;
	const words = lead.isQuoted ? '' : lead.text.toLowerCase();
	if (sign && isSign(sign, '=')) {
		const field = fieldsByName.get(lead.text.toLowerCase());
		const names = sheetFields.map(({ displayName }) => displayName).join(', ');
		if (!field) return `begins with no field. The fields are ${names}`;
		const sources = sourcesIn(rest);
		if (!sources?.length)
			return `names no column, or a format that is none of ${Object.keys(formats).join(', ')}, per 1000`;
		reading.fields.set(field, sources);
		return undefined;
	}
	if (!sign) return readWords(words, lead, reading);
	if (!isSign(sign, ':')) {
		const leaveOut = /^leave out\b/.test(words)
			? cellsIn(withoutWords(tokens, 'leave out'))
			: undefined;
		const last = reading.values[reading.values.length - 1] as ValueStatement | undefined;
		if (leaveOut && last) {
			last.leaveOut = leaveOut;
			return undefined;
		}
		if (words.startsWith('one invoice per')) return readWords(words, lead, reading, tokens);
		return 'is no statement of a reading';
	}
	const names = namesIn(rest);
	const [first] = names ?? [];
	if (words === 'not billed' && names) reading.notBilled = names;
	else if (words === 'unchecked' && names) reading.unchecked = names;
	else if (words === 'above the headers' && names) reading.above = names;
	else if (words === amountsIn && names) reading.currencies = names;
	else if (words === 'seen' && names?.length === 1) reading.seen = first;
	else if (words === 'rows left out' && (first === 'totals' || first === 'none'))
		reading.rowsLeftOut = first;
	else return readValues(lead.text, rest, reading);
	return undefined;
}

const withoutWords = ([first, ...rest]: Token[], words: string): Token[] => {
	const text = first.text.slice(words.length).trim();
	return text ? [{ text }, ...rest] : rest;
};

/** `Status: bill open, sent` or `Status: leave out void`. */
function readValues(header: string, tokens: Token[], reading: Statements): string | undefined {
	const [first] = tokens as Array<Token | undefined>;
	const kind = first && !first.isQuoted && /^(bill|leave out)(?: |$)/i.exec(first.text)?.[1];
	const cells = kind && cellsIn(withoutWords(tokens, kind));
	if (!kind || !cells) return "must say 'bill' or 'leave out' and the cells of the column";
	const isBill = kind.toLowerCase() === 'bill';
	reading.values.push({ header, bill: isBill ? cells : [], leaveOut: isBill ? [] : cells });
	return undefined;
}

/** Statements without a sign. */
function readWords(
	words: string,
	{ text }: Token,
	reading: Statements,
	tokens: Token[] = [],
): string | undefined {
	const row = /^headers in row (\d{1,7})$/.exec(words)?.[1];
	const leaveOut = /^leave out (.+)$/i.exec(text)?.[1];
	const last = reading.values[reading.values.length - 1] as ValueStatement | undefined;
	if (row !== undefined) reading.headerRow = Number(row);
	else if (words === 'cells filled from above') reading.isFilledFromAbove = true;
	else if (words === 'items side by side') reading.isSideBySide = true;
	else if (words === 'one invoice for all rows') reading.grouping = { by: 'all' };
	else if (words === 'leave out' || words === 'bill') return 'names no cell';
	else if (leaveOut !== undefined && last)
		last.leaveOut = [/^empty$/i.test(leaveOut) ? '' : leaveOut];
	else if (words.startsWith('one invoice per')) {
		const bare = text.slice('one invoice per'.length).trim();
		const quoted = tokens.slice(1).find((one) => one.isQuoted);
		if (tokens.length > 2 || (tokens.length === 2 && !quoted) || (quoted && bare))
			return 'names no column';
		const by = new Map<string, 'invoiceNumber' | 'customer' | 'row'>([
			['invoice number', 'invoiceNumber'],
			['customer', 'customer'],
			['row', 'row'],
		]);
		const known = by.get(bare.toLowerCase());
		if (quoted) reading.grouping = { by: 'column', header: quoted.text };
		else if (!bare) return 'names no column';
		else reading.grouping = known ? { by: known } : { by: 'column', header: bare };
	} else return 'is no statement of a reading';
	return undefined;
}
