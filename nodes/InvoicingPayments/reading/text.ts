import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { itemsField, sheetField, sheetFields } from './fields';
import { settledWhole } from './findings';
import { isPlainKind } from './shapes';
import type { Format, Shape, Source, Statements, ValueStatement } from './statements';
import { amountsIn, formats, formatsByField } from './statements';

/** Words that begin a statement with a colon: a column that is called so stands in quotes there. */
const leads = /^(?:not billed|rows left out|seen|unchecked|texts|amounts in)$/i;

/** A header or a cell as it stands in a reading. Signs of the text, spaces around it, and `reserved` words need quotes. */
export const written = (name: string, reserved?: RegExp): string =>
	/^[^\s;,=:()+"\\]+(?: [^\s;,=:()+"\\]+)*$/u.test(name) && !reserved?.test(name)
		? name
		: JSON.stringify(name);

const listOf = (names: string[]) => names.map((name) => written(name)).join(', ');
const cellsOf = (cells: string[]) =>
	cells.map((cell) => (cell === '' ? 'empty' : written(cell, /^empty$/i))).join(', ');

const inBrackets = (parts: string[]) => (parts.length ? ` (${parts.join('; ')})` : '');

/** `empty; 12 to 95; within 66 days` */
function shapeParts({ kinds, range, days }: Shape): string[] {
	const kindText = (kind: string) => {
		const [, lead, rest] = /^(code|with|says) (.*)$/s.exec(kind) ?? [];
		return lead ? `${lead} ${written(rest)}` : kind;
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
	// What a reading says already changes nothing.
	const isSaid = (meaning: Partial<Statements>) =>
		JSON.stringify({ ...reading, ...meaning }) === JSON.stringify(reading);
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
	return `${written(header, leads)}: ${[...billed, ...others].join('; ')}`;
};

/** The statements as one line. `parseReading` reads it back. */
export function printReading(reading: Statements): string {
	const { fields, values, notBilled, rowsLeftOut, unchecked, texts, seen, headerRow } = reading;
	const { currencies, shapes } = reading;
	const after = (lead: string, text = '') => (text ? [`${lead}${text}`] : []);
	const withShape = (header: string, own: string[] = []) => {
		const shape = shapes.get(header);
		return inBrackets([...own, ...(shape ? shapeParts(shape) : [])]);
	};
	const sourceText = ({ header, and, formats: own }: Source) =>
		`${written(header)}${and === undefined ? '' : ` + ${written(and)}`}${withShape(header, own)}`;
	const columnText = (header: string) => `${written(header)}${withShape(header)}`;
	return [
		...after('headers in row ', headerRow?.toString()),
		...sheetFields.flatMap(({ name, displayName }) =>
			after(`${displayName} = `, fields.get(name)?.map(sourceText).join(', ')),
		),
		...after(`${amountsIn}: `, currencies && listOf(currencies)),
		...sentencesOf(reading, withShape),
		...values.map(valueText),
		...after('not billed: ', notBilled?.map(columnText).join(', ')),
		...after('rows left out: ', rowsLeftOut),
		...after('texts: ', texts?.map((text) => JSON.stringify(text)).join(', ')),
		...after('unchecked: ', unchecked.join(', ')),
		...after('seen: ', seen),
	].join('; ');
}

type Token = { text: string; isQuoted?: boolean };
const token = /[^\S\n]*(?:("(?:[^"\\]|\\.)*")|([;,=:()+])|([^;,=:()+"\n]+)|(\n))/gy;

/** Bounds the work: a sheet has at most some hundred columns. */
const maxLength = 250_000;

/** The tokens of each statement. A semicolon in brackets ends none. Returns a problem if a quote or a bracket does not end. */
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
		if (name === undefined) return { problem: 'a quote' };
		if (name || quoted)
			statements[statements.length - 1].push({ text: name, ...(quoted && { isQuoted: true }) });
	}
	if (text.slice(end).trim()) return { problem: 'a quote' };
	return depth > 0 ? { problem: 'a bracket' } : statements;
}

function unquoted(text: string): string | undefined {
	try {
		return JSON.parse(text) as string;
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

/** A name with the parts of its brackets, which stand between semicolons. */
interface Named {
	header: string;
	and?: string;
	parts?: Token[][];
}

/** Names between commas. `undefined` if it is no such list. */
function namedIn(tokens: Token[]): Named[] | undefined {
	const all: Named[] = [];
	let at = 0;
	const takes = (sign: string) => at < tokens.length && isSign(tokens[at], sign) && ++at;
	while (at < tokens.length) {
		const name = tokens[at++];
		if (!name.isQuoted && /^[;,=:()+]?$/.test(name.text)) return undefined;
		const one: Named = { header: name.text };
		if (at + 1 < tokens.length && takes('+')) one.and = tokens[at++].text;
		// A person may add `(cents)` before the brackets of a preview.
		while (takes('(')) {
			const parts: Token[][] = [[]];
			for (; at < tokens.length && !isSign(tokens[at], ')'); at++)
				if (isSign(tokens[at], ';')) parts.push([]);
				else parts[parts.length - 1].push(tokens[at]);
			if (!takes(')')) return undefined;
			one.parts = [...(one.parts ?? []), ...parts];
		}
		all.push(one);
		if (at < tokens.length && !takes(',')) return undefined;
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

/** Adds what brackets say of a column. `false` if a part says nothing. */
function addPart(part: Token[], source: Source, shape: Shape): boolean {
	const text = textOf(part);
	const [first, quoted] = part as [Token?, Token?];
	const [, lead, rest] = /^(code|with|says) (.+)$/.exec(text) ?? [];
	const range = /^(\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)$/.exec(text);
	const apart = /^(\d+) days apart$/.exec(text)?.[1];
	const away = /^within (\d+) days$/.exec(text)?.[1];
	if (part.length === 2 && quoted?.isQuoted && /^(?:code|with|says)$/.test(first?.text ?? ''))
		shape.kinds.push(`${first?.text} ${quoted.text}`);
	else if (isPlainKind(text)) shape.kinds.push(text);
	else if (isFormat(text)) source.formats = [...(source.formats ?? []), text];
	else if (range) shape.range = { low: Number(range[1]), high: Number(range[2]) };
	else if (apart) shape.days = { apart: Number(apart), away: shape.days?.away ?? 0 };
	else if (away) shape.days = { apart: shape.days?.apart ?? 0, away: Number(away) };
	else if (lead && part.length === 1) shape.kinds.push(`${lead} ${rest}`);
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
	if ('problem' in statements)
		return { problem: `has ${statements.problem} that does not end: ${quote(text)}` };
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
	if (sign && isSign(sign, '=')) return readField(lead.text, rest, reading);
	const words = lead.isQuoted ? '' : lead.text.toLowerCase().replace(/\s+/g, ' ');
	if (!sign || !isSign(sign, ':')) return readSentence(words, tokens, reading);
	const names = namesIn(rest);
	const [first] = names ?? [];
	if (words === 'not billed') {
		const columns = columnsIn(rest, reading.shapes);
		if (!columns)
			return `must list columns, each with what stands in it: 'not billed: Zip, Note (text; says paid)'`;
		reading.notBilled = columns;
	} else if (words === 'unchecked') return readUnchecked(names ?? [''], reading);
	else if (words === 'texts' && names) reading.texts = names;
	else if (words === amountsIn && names) reading.currencies = names;
	else if (words === 'seen' && names?.length === 1) reading.seen = first;
	else if (
		words === 'rows left out' &&
		names?.length === 1 &&
		(first === 'totals' || first === 'none')
	)
		reading.rowsLeftOut = first;
	else return readValues(lead.text, rest, reading);
	return undefined;
}

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
	const field = fieldsByName.get(name.toLowerCase());
	const names = sheetFields.map(({ displayName }) => displayName).join(', ');
	if (!field) return `does not begin with a field. The fields are ${names}`;
	if (fields.has(field)) return 'says what another statement says already';
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
	if (reading.values.some((one) => one.header === header))
		return 'says what another statement says already';
	reading.values.push({ header, bill: isBill ? cells : [], leaveOut: isBill ? [] : cells });
	return undefined;
}

/** Statements without a sign, and `leave out void` after `Status: bill open`. */
function readSentence(words: string, tokens: Token[], reading: Statements): string | undefined {
	const isAlone = tokens.length === 1;
	const sentence = sentences.find(([text]) => isAlone && text.toLowerCase() === words);
	const row = isAlone && /^headers in row (\d{1,7})$/.exec(words)?.[1];
	const values = reading.values[reading.values.length - 1] as ValueStatement | undefined;
	if (sentence) Object.assign(reading, sentence[1]);
	else if (row) reading.headerRow = Number(row);
	else if (words.startsWith('one invoice per')) {
		const names = columnsIn(withoutWords(tokens, 'one invoice per'), reading.shapes);
		if (names?.length !== 1) return 'names no column';
		reading.grouping = { by: 'column', header: names[0] };
	} else if (isAlone && /^(?:bill|leave out)$/.test(words))
		return "names no cell. Write e.g. 'Status: bill open; leave out void'";
	else {
		const isValues = values && /^leave out\b/.test(words);
		const cells = isValues && cellsIn(withoutWords(tokens, 'leave out'));
		if (!cells) return "is not a statement. Write e.g. 'Unit Price = Fee' or 'not billed: Zip'";
		values.leaveOut = cells;
	}
	return undefined;
}
