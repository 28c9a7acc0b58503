import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { itemsField, sheetField, sheetFields } from './fields';
import { settledWhole } from './findings';
import { isPlainKind } from './shapes';
import type { Format, Shape, Source, Statements, ValueStatement } from './statements';
import { amountsIn, formats, formatsByField } from './statements';

/*
 * The text of a reading, which a person sees, edits and confirms: statements between semicolons or in lines.
 *
 *   Unit Price = Fee (number; 12 to 95), Rate      a field, its columns, and what stood in them
 *   Status: bill open; leave out void, empty       which rows a column bills
 *   not billed: Zip; one invoice per customer      the others
 *
 * Names with signs of this grammar, or with more than single spaces, are JSON texts in quotes. What a statement says, no other may say.
 */

/** Words before a colon that begin a statement. A column that is called so is quoted there. */
const reserved = new RegExp(
	`^(?:not billed|rows left out|seen|unchecked|texts|${amountsIn})$`,
	'i',
);

/** A header or a cell as it stands in a reading, in quotes if it needs them. `words`: those that mean something else there. */
export const written = (name: string, words?: RegExp): string =>
	/^[^\s;,=:()+"\\]+(?: [^\s;,=:()+"\\]+)*$/u.test(name) && !words?.test(name)
		? name
		: JSON.stringify(name);

const listOf = (names: string[]) => names.map((name) => written(name)).join(', ');
const cellsOf = (cells: string[]) =>
	cells.map((cell) => (cell === '' ? 'empty' : written(cell, /^empty$/i))).join(', ');

const inBrackets = (parts: string[]) => (parts.length ? ` (${parts.join('; ')})` : '');

const kindWithText = /^(code|with|says) (.*)$/s;

/** `empty; 12 to 95; within 66 days` */
function shapeParts({ kinds, range, days }: Shape): string[] {
	const kindText = (kind: string) => {
		const [, word, rest] = kindWithText.exec(kind) ?? [];
		return word ? `${word} ${written(rest)}` : kind;
	};
	return [
		...kinds.map(kindText),
		...(range ? [`${range.low} to ${range.high}`] : []),
		...(days ? [`${days.apart} days apart`, `within ${days.away} days`] : []),
	];
}

/** Statements that are always the same words. */
const sentences: Array<[text: string, meaning: Partial<Statements>]> = [
	['items side by side', { isSideBySide: true }],
	['cells filled from above', { isFilledFromAbove: true }],
	['items repeat', { itemsRepeat: true }],
	['one invoice for all rows', { grouping: { by: 'all' } }],
	['one invoice per Invoice Number', { grouping: { by: 'invoiceNumber' } }],
	['one invoice per customer', { grouping: { by: 'customer' } }],
	['one invoice per row', { grouping: { by: 'row' } }],
];

function sentencesOf(reading: Statements, withShape: (header: string) => string): string[] {
	const { grouping } = reading;
	const isSaid = (meaning: Partial<Statements>) =>
		(Object.keys(meaning) as Array<keyof Statements>).every(
			(key) => JSON.stringify(meaning[key]) === JSON.stringify(reading[key]),
		);
	const ofColumn =
		grouping?.by === 'column' &&
		`${written(grouping.header, /^(?:customer|row|invoice number)$/i)}${withShape(grouping.header)}`;
	return [
		...sentences.flatMap(([text, meaning]) => (isSaid(meaning) ? [text] : [])),
		...(ofColumn ? [`one invoice per ${ofColumn}`] : []),
	];
}

const valueText = ({ header, bill, leaveOut }: ValueStatement) => {
	const billed = bill.length || !leaveOut.length ? [`bill ${cellsOf(bill)}`] : [];
	const others = leaveOut.length ? [`leave out ${cellsOf(leaveOut)}`] : [];
	return `${written(header, reserved)}: ${[...billed, ...others].join('; ')}`;
};

/** The statements as one line. `parseReading` reads it back. */
export function printReading(reading: Statements): string {
	const { fields, values, notBilled, rowsLeftOut, unchecked, texts, seen, headerRow } = reading;
	const { currencies, shapes } = reading;
	const statement = (lead: string, text = '') => (text ? [`${lead}${text}`] : []);
	const withShape = (header: string, own: string[] = []) => {
		const shape = shapes.get(header);
		return inBrackets([...own, ...(shape ? shapeParts(shape) : [])]);
	};
	const sourceText = ({ header, and, formats: own }: Source) =>
		`${written(header)}${and === undefined ? '' : ` + ${written(and)}`}${withShape(header, own)}`;
	const columnText = (header: string) => `${written(header)}${withShape(header)}`;
	return [
		...statement('headers in row ', headerRow?.toString()),
		...sheetFields.flatMap(({ name, displayName }) =>
			statement(`${displayName} = `, fields.get(name)?.map(sourceText).join(', ')),
		),
		...statement(`${amountsIn}: `, currencies && listOf(currencies)),
		...sentencesOf(reading, withShape),
		...values.map(valueText),
		...statement('not billed: ', notBilled?.map(columnText).join(', ')),
		...statement('rows left out: ', rowsLeftOut),
		...statement('texts: ', texts?.map((text) => JSON.stringify(text)).join(', ')),
		...statement('unchecked: ', unchecked.join(', ')),
		...statement('seen: ', seen),
	].join('; ');
}

type Token = { text: string; isQuoted?: boolean };
const token = /[^\S\n]*(?:("(?:[^"\\]|\\.)*")|([;,=:()+])|([^;,=:()+"\n]+)|(\n))/gy;

/** Bounds the work: a sheet has at most some hundred columns. */
const maxLength = 250_000;

/** The tokens of each statement. A semicolon in brackets does not end it. */
function tokensOf(text: string): Token[][] | { problem: string } {
	const statements: Token[][] = [[]];
	let [end, depth] = [0, 0];
	for (const [all, quoted, sign, bare, line] of text.matchAll(token)) {
		end += all.length;
		if (sign === '(') depth += 1;
		if (sign === ')' && depth > 0) depth -= 1;
		if (depth === 0 && (sign === ';' || line !== undefined)) {
			statements.push([]);
			continue;
		}
		const name = quoted === undefined ? (sign ?? bare?.trim() ?? '') : unquoted(quoted);
		if (name === undefined)
			return { problem: `has ${quoted}, in which each backslash must be written twice` };
		if (name || quoted)
			statements[statements.length - 1].push({ text: name, ...(quoted && { isQuoted: true }) });
	}
	if (text.slice(end).trim()) return { problem: `has a quote that does not end: ${quote(text)}` };
	return depth > 0 ? { problem: `has a bracket that does not end: ${quote(text)}` } : statements;
}

/** The name in quotes, which may have line breaks and tabs as they are pasted. */
function unquoted(text: string): string | undefined {
	const escaped = text.replace(/[\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1));
	try {
		return JSON.parse(escaped) as string;
	} catch {
		return undefined;
	}
}

const fieldsByName = new Map(
	sheetFields.flatMap(({ name, displayName }) =>
		[name, displayName, ...(name === 'itemQuantity' ? ['Item Quantity'] : [])].map(
			(one) => [one.toLowerCase(), name] as const,
		),
	),
);

const isSign = ({ text, isQuoted }: Token, sign: string) => text === sign && !isQuoted;

/** `Fee (cents; 12 to 95)`: a name, and what its brackets say, part by part. */
interface Named {
	header: string;
	and?: string;
	parts?: Token[][];
}

/** Names between commas. `undefined` if it is no such list. */
function namedIn(tokens: Token[]): Named[] | undefined {
	const all: Named[] = [];
	let at = 0;
	const consume = (sign: string): boolean => {
		const isThere = at < tokens.length && isSign(tokens[at], sign);
		if (isThere) at += 1;
		return isThere;
	};
	while (at < tokens.length) {
		const name = tokens[at++];
		if (!name.isQuoted && /^[;,=:()+]?$/.test(name.text)) return undefined;
		const one: Named = { header: name.text };
		if (at + 1 < tokens.length && consume('+')) one.and = tokens[at++].text;
		// A person may add `(cents)` before the brackets of a preview.
		while (consume('(')) {
			const parts: Token[][] = [[]];
			for (; at < tokens.length && !isSign(tokens[at], ')'); at++)
				if (isSign(tokens[at], ';')) parts.push([]);
				else parts[parts.length - 1].push(tokens[at]);
			if (!consume(')')) return undefined;
			one.parts = [...(one.parts ?? []), ...parts];
		}
		all.push(one);
		if (at < tokens.length && !consume(',')) return undefined;
	}
	return all;
}

const isFormat = (text: string): text is Format =>
	Object.keys(formats).includes(text) || /^per [1-9]\d{0,5}$/.test(text);

const textOf = (part: Token[]) =>
	part
		.map(({ text }) => text)
		.join('')
		.replace(/\s+/g, ' ');

/** `says paid` or `says "paid in cash"` */
function kindIn([first, second, ...more]: Token[]): string | undefined {
	if (!second) return first && kindWithText.test(textOf([first])) ? textOf([first]) : undefined;
	const isQuoted = second.isQuoted && more.length === 0 && /^(?:code|with|says)$/.test(first.text);
	return isQuoted ? `${first.text} ${second.text}` : undefined;
}

/** Adds what brackets say of a column. `false` if a part says nothing. */
function addPart(part: Token[], source: Source, shape: Shape): boolean {
	const text = textOf(part);
	const range = /^(\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)$/.exec(text);
	const apart = /^(\d+) days apart$/.exec(text)?.[1];
	const away = /^within (\d+) days$/.exec(text)?.[1];
	const kind = kindIn(part);
	if (kind !== undefined) shape.kinds.push(kind);
	else if (isPlainKind(text)) shape.kinds.push(text);
	else if (isFormat(text)) source.formats = [...(source.formats ?? []), text];
	else if (range) shape.range = { low: Number(range[1]), high: Number(range[2]) };
	else if (apart) shape.days = { apart: Number(apart), away: shape.days?.away ?? 0 };
	else if (away) shape.days = { apart: shape.days?.apart ?? 0, away: Number(away) };
	else return false;
	return true;
}

/** Columns with what brackets say of them, which is added to the shapes. */
function sourcesIn(tokens: Token[], shapes: Statements['shapes']): Source[] | undefined {
	const named = namedIn(tokens);
	if (!named) return undefined;
	const sources: Source[] = [];
	for (const { header, and, parts } of named) {
		const source: Source = { header, ...(and !== undefined && { and }) };
		const shape: Shape = { kinds: [] };
		if (parts && !parts.every((part) => addPart(part, source, shape))) return undefined;
		if (shape.kinds.length || shape.range || shape.days) shapes.set(header, shape);
		sources.push(source);
	}
	return sources;
}

const namesIn = (tokens: Token[]): string[] | undefined => {
	const all = namedIn(tokens);
	return all?.some(({ parts, and }) => parts ?? and) ? undefined : all?.map(({ header }) => header);
};

/** Columns without formats. */
const columnsIn = (tokens: Token[], shapes: Statements['shapes']): string[] | undefined => {
	const sources = sourcesIn(tokens, shapes);
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
	if ('problem' in statements) return statements;
	const reading: Statements = { fields: new Map(), values: [], unchecked: [], shapes: new Map() };
	for (const tokens of statements) {
		if (tokens.length === 0) continue;
		const problem = readStatement(tokens, reading);
		if (problem !== undefined)
			return { problem: `${quote(tokens.map((one) => one.text).join(' '))} ${problem}` };
	}
	const others = ['itemAmount', 'itemTotal', 'itemQuantity'].filter((one) =>
		reading.fields.has(one),
	);
	if (reading.fields.has(itemsField) && others.length)
		return {
			problem: `lists the amounts of a row after 'Items', so remove ${others.map((one) => `'${sheetField(one).displayName} = ...'`).join(' and ')}`,
		};
	const items = reading.fields.get(itemsField)?.map(({ header }) => header) ?? [];
	const fields = [...reading.fields].flatMap(([, sources]) => sources.map(({ header }) => header));
	const twice = items.find((one) => fields.indexOf(one) !== fields.lastIndexOf(one));
	if (twice !== undefined) return { problem: `says twice what ${quote(twice)} is` };
	for (const { header, bill, leaveOut } of reading.values) {
		const leftOut = new Set(leaveOut);
		const both = bill.find((cell) => leftOut.has(cell));
		if (both !== undefined)
			return { problem: `says for ${quote(header)} to bill ${quote(both)} and to leave it out` };
	}
	return { value: reading };
}

/** Adds a statement to the reading. Returns a problem. */
function readStatement(tokens: Token[], reading: Statements): string | undefined {
	const [lead, sign, ...rest] = tokens as [Token, Token?, ...Token[]];
	if (sign && isSign(sign, '=')) return readField(plainWords(lead), rest, reading);
	if (!sign || !isSign(sign, ':')) return readSentence(tokens, reading);
	const names = namesIn(rest);
	const [first, ...more] = names ?? [];
	switch (lead.isQuoted ? '' : plainWords(lead)) {
		case 'not billed': {
			const columns = columnsIn(rest, reading.shapes);
			if (columns) return say(reading, { notBilled: columns });
			return `must list columns, each with what stands in it: 'not billed: Zip, Note (text; says paid)'`;
		}
		case 'unchecked':
			return readUnchecked(names ?? [''], reading);
		case 'texts':
			return names ? say(reading, { texts: names }) : 'must list texts in quotes';
		case amountsIn:
			return names ? say(reading, { currencies: names }) : 'must list currencies such as EUR';
		case 'seen':
			if (first && !more.length) return say(reading, { seen: first });
			return 'must have the code of a preview';
		case 'rows left out':
			if ((first === 'totals' || first === 'none') && !more.length)
				return say(reading, { rowsLeftOut: first });
			return "must say 'totals' or 'none'";
		default:
			return readValues(lead.text, rest, reading);
	}
}

const isSaidTwice = 'says again what another statement says, or contradicts it. Remove one of them';

/** Adds what a reading may say only once. */
function say(reading: Statements, meaning: Partial<Statements>): string | undefined {
	const keys = Object.keys(meaning) as Array<keyof Statements>;
	if (keys.some((key) => reading[key] !== undefined)) return isSaidTwice;
	Object.assign(reading, meaning);
	return undefined;
}

const plainWords = ({ text }: Token) => text.toLowerCase().replace(/\s+/g, ' ');

/** `unchecked: dates, repeats` */
function readUnchecked(names: string[], { unchecked }: Statements): string | undefined {
	const kinds = names.map((name) => name.toLowerCase());
	if (!kinds.every((kind) => (settledWhole as readonly string[]).includes(kind)))
		return `can only name ${settledWhole.join(', ')}. A word in a column is settled behind its name: 'not billed: Note (text; says paid)'`;
	unchecked.push(...kinds);
	return undefined;
}

/** `Unit Price = Fee` */
function readField(
	name: string,
	tokens: Token[],
	{ fields, shapes }: Statements,
): string | undefined {
	const field = fieldsByName.get(name);
	const names = sheetFields.map(({ displayName }) => displayName).join(', ');
	if (!field) return `does not begin with a field. The fields are ${names}`;
	if (fields.has(field)) return isSaidTwice;
	const sources = sourcesIn(tokens, shapes);
	const known = formatsByField[field] ?? [];
	const fits = (format: string) => known.includes(format.replace(/^per .*/, 'per 1000'));
	if (!sources?.length || !sources.every(({ formats: own = [] }) => own.every(fits)))
		return `has no column after '=', or words in brackets that are not known. ${known.length ? `It can be written ${known.join('; ')}` : 'This field has no formats'}`;
	if (sources.some(({ and }, at) => and !== undefined && (at > 0 || field !== 'customerId')))
		return "adds columns with '+', which only the two parts of a customer's name can be";
	fields.set(field, sources);
	return undefined;
}

/** What follows these words. `undefined` if the tokens do not begin with them. */
function following(words: string, tokens: Token[]): Token[] | undefined {
	const [first, ...rest] = tokens as [Token?, ...Token[]];
	const beginning = new RegExp(`^${words.replace(/ /g, '\\s+')}(?:\\s+|$)`, 'i');
	const match = first && !first.isQuoted ? beginning.exec(first.text) : null;
	if (!first || !match) return undefined;
	const text = first.text.slice(match[0].length);
	return text ? [{ text }, ...rest] : rest;
}

/** `Status: bill open, sent` or `Status: leave out void`. */
function readValues(header: string, tokens: Token[], reading: Statements): string | undefined {
	const [billed, others] = ['bill', 'leave out'].map((words) => following(words, tokens));
	const cells = cellsIn(billed ?? others ?? []);
	if (!cells || !(billed ?? others))
		return "must say 'bill' or 'leave out' and the cells of the column";
	if (reading.values.some((one) => one.header === header)) return isSaidTwice;
	reading.values.push({ header, bill: billed ? cells : [], leaveOut: billed ? [] : cells });
	return undefined;
}

/** Statements without a sign, and `leave out void` after `Status: bill open`. */
function readSentence(tokens: Token[], reading: Statements): string | undefined {
	const words = tokens.length === 1 && !tokens[0].isQuoted ? plainWords(tokens[0]) : '';
	const sentence = sentences.find(([text]) => text.toLowerCase() === words);
	if (sentence) return say(reading, sentence[1]);
	const row = /^headers in row (\d{1,7})$/.exec(words)?.[1];
	if (row) return say(reading, { headerRow: Number(row) });
	const column = following('one invoice per', tokens);
	if (column) {
		const names = columnsIn(column, reading.shapes);
		if (names?.length !== 1) return 'names no column';
		return say(reading, { grouping: { by: 'column', header: names[0] } });
	}
	if (/^(?:bill|leave out)$/.test(words))
		return "names no cell. Write e.g. 'Status: bill open; leave out void'";
	const values = reading.values[reading.values.length - 1] as ValueStatement | undefined;
	const others = values && following('leave out', tokens);
	const cells = others && cellsIn(others);
	if (!cells) return "is not a statement. Write e.g. 'Unit Price = Fee' or 'not billed: Zip'";
	if (values.leaveOut.length) return isSaidTwice;
	values.leaveOut = cells;
	return undefined;
}
