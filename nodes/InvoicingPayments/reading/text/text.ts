import { quote } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import { itemNumbers, itemsField, sheetFields } from '../columns';
import type { Statements, ValueStatement } from '../statements';
import { formatsByField, isFormatOf } from '../statements';
import { nameOf, shortCodeOf } from '../table';
import { columnsIn, shapeText, sourceText } from './columns';
import { ledAfter, ledBefore, ledByWords } from './ledStatements';
import type { Token } from './tokens';
import { following, isSign, namesIn, plainWords, sourcesIn, tokensOf, written } from './tokens';

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
const reserved = new RegExp(`^(?:${[...ledByWords.keys()].join('|')})$`, 'i');

/** Words that mean something else among the cells of a statement. */
const cellWords = /^empty$|\b(?:bill|leave out)\b/i;

const cellsOf = (cells: string[]) =>
	cells.map((cell) => (cell === '' ? 'empty' : written(cell, cellWords))).join(', ');

/** Statements that are always the same words. */
const sentences: Array<[text: string, meaning: Partial<Statements>]> = [
	['items side by side', { isSideBySide: true }],
	['cells filled from above', { isFilledFromAbove: true }],
	['line totals are rounded', { areTotalsRounded: true }],
	['items repeat', { itemsRepeat: true }],
	['rows repeat', { rowsRepeat: true }],
	['rows repeat but for the amount', { amountsRepeat: true }],
	['one invoice for all rows', { grouping: { by: 'all' } }],
	['one invoice per Invoice Number', { grouping: { by: 'invoiceNumber' } }],
	['one invoice per customer', { grouping: { by: 'customer' } }],
	['one invoice per row', { grouping: { by: 'row' } }],
];

function sentencesOf(reading: Statements): string[] {
	const { grouping, shapes } = reading;
	const isSaid = (meaning: Partial<Statements>) =>
		(Object.keys(meaning) as Array<keyof Statements>).every(
			(key) => JSON.stringify(meaning[key]) === JSON.stringify(reading[key]),
		);
	const ofColumn =
		grouping?.by === 'column' &&
		`${written(grouping.header, /^(?:customer|row|invoice number)$/i)}${shapeText(grouping.header, shapes)}`;
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

/**
 * The statements as one line, and a code of it. `parseReading` reads it back. Who changes a statement leaves the code as it was, so that
 * nobody has seen what the text makes of a sheet.
 */
export function printReading(reading: Statements): string {
	const text = readingText(reading);
	return `${text}; ${previewed} ${shortCodeOf(text)}`;
}

/** Begins the last statement of a text that a preview has printed. */
const previewed = 'as in preview';

/** The statements for people, who cannot bill by them. */
export function readingText(reading: Statements): string {
	const { fields, values, headerRow, shapes } = reading;
	const fieldText = (name: string) =>
		fields
			.get(name)
			?.map((source) => sourceText(source, shapes))
			.join(', ');
	const led = (all: typeof ledBefore) =>
		all.map((one) => [`${one.lead}: `, one.print(reading)] as const);
	const stated = (all: ReadonlyArray<readonly [lead: string, text: string | undefined]>) =>
		all.flatMap(([lead, text]) => (text ? [`${lead}${text}`] : []));
	return [
		...stated([
			['headers in row ', headerRow?.toString()],
			...sheetFields.map((one) => [`${one.displayName} = `, fieldText(one.name)] as const),
			...led(ledBefore),
		]),
		...sentencesOf(reading),
		...values.map(valueText),
		...stated(led(ledAfter)),
	].join('; ');
}

const fieldsByName = new Map(
	sheetFields.flatMap(({ name, displayName }) =>
		[name, displayName, ...(name === 'itemQuantity' ? ['Item Quantity'] : [])].map(
			(one) => [one.toLowerCase(), name] as const,
		),
	),
);

/** The cells of a value statement; the bare word `empty` is an empty cell. */
function cellsIn(tokens: Token[]): string[] | undefined {
	const empty: Token = { text: '', isQuoted: true };
	const isWord = ({ text, isQuoted }: Token) => !isQuoted && cellWords.test(text);
	const cells = tokens.map((one) => (isWord(one) && plainWords(one) === 'empty' ? empty : one));
	return cells.some(isWord) ? undefined : namesIn(cells);
}

/** The statements of a text, and the code at its end. */
interface ReadText extends Statements {
	previewCode?: string;
}

/** Characters. Thousands of footnotes fit in. */
const maxLength = 1_000_000;

/** Reads the text of a reading. */
export function parseReading(text: string): Parsed<Statements> {
	if (text.length > maxLength)
		return notRead(`has more than ${maxLength} characters. Remove some of its texts`);
	const statements = tokensOf(text.replace(/^\s*Read as:/i, ''));
	if (!statements.ok) return statements;
	const reading: ReadText = { fields: new Map(), values: [], unchecked: [], shapes: new Map() };
	for (const tokens of statements.value) {
		if (tokens.length === 0) continue;
		const problem = readStatement(tokens, reading);
		if (problem !== undefined)
			return notRead(`${quote(tokens.map((one) => one.text).join(' '))} ${problem}`);
	}
	const problem = contradictionIn(reading);
	if (problem !== undefined) return notRead(problem);
	const { previewCode, ...stated } = reading;
	const isPreviewed = previewCode === shortCodeOf(readingText(stated));
	return ok({ ...stated, isPreviewed });
}

/** Two statements of which only one can be right. */
function contradictionIn({ fields, values }: Statements): string | undefined {
	const headersOf = (names: readonly string[]) =>
		names.flatMap((name) => fields.get(name)?.map(({ header }) => header) ?? []);
	const amounts = headersOf(fields.has(itemsField) ? [...fields.keys()] : itemNumbers);
	const items = new Set(headersOf([itemsField, ...itemNumbers]));
	const twice = repeatedIn(amounts.filter((one) => items.has(one)));
	if (twice !== undefined) return `says twice what ${quote(twice)} is`;
	const again = repeatedIn(values.map(({ header }) => header));
	if (again !== undefined) return `says twice which rows ${quote(again)} bills`;
	for (const { header, bill, leaveOut } of values) {
		const leftOut = new Set(leaveOut.map((cell) => cell.toLowerCase()));
		const cell = bill.find((one) => leftOut.has(one.toLowerCase()));
		if (cell !== undefined)
			return `says for ${quote(header)} to bill ${cell === '' ? 'empty cells' : quote(cell)} and to leave ${cell === '' ? 'them' : 'it'} out`;
	}
	return undefined;
}

function repeatedIn(names: string[]): string | undefined {
	const seen = new Set<string>();
	return names.find((one) => seen.size === seen.add(one).size);
}

/** Adds a statement to the reading. Returns a problem. */
function readStatement(tokens: Token[], reading: ReadText): string | undefined {
	const [lead, sign, ...rest] = tokens as [Token, Token?, ...Token[]];
	if (sign && isSign(sign, '=')) return readField(plainWords(lead), rest, reading);
	if (!sign || !isSign(sign, ':')) return readSentence(tokens, reading);
	const led = lead.isQuoted ? undefined : ledByWords.get(plainWords(lead));
	if (!led) return readValues(lead.text, rest, reading);
	const read = led.read(rest, reading);
	return read.ok ? say(reading, read.value) : read.problem;
}

const isSaidTwice = 'says again what another statement says, or contradicts it. Remove one of them';

/** Adds what a reading may say only once. */
function say(reading: ReadText, meaning: Partial<ReadText>): string | undefined {
	const keys = Object.keys(meaning) as Array<keyof ReadText>;
	if (keys.some((key) => reading[key] !== undefined)) return isSaidTwice;
	Object.assign(reading, meaning);
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
	const read = sourcesIn(tokens, shapes);
	const known = formatsByField[field] ?? [];
	const hint = known.length ? `It can be written ${known.join('; ')}` : 'This field has no formats';
	if (!read.ok) return `${read.problem}. ${hint}`;
	const sources = read.value;
	if (!sources.length) return "has no column after '='";
	const odd = sources
		.flatMap(({ formats: own = [] }) => own)
		.find((one) => !isFormatOf(known, one));
	if (odd !== undefined) return `cannot be written as ${odd}. ${hint}`;
	if (sources.some(({ and }, at) => and !== undefined && (at > 0 || field !== 'customerId')))
		return "adds columns with '+', which only the two parts of a customer's name can be";
	fields.set(field, sources);
	return undefined;
}

/** `bill open, sent` or `leave out void`: the list that it fills, with its cells. A problem if they are no list of cells. */
function cellListIn(
	tokens: Token[],
): Parsed<{ list: 'bill' | 'leaveOut'; cells: string[] }> | undefined {
	const billed = following('bill', tokens);
	const given = billed ?? following('leave out', tokens);
	const cells = given && cellsIn(given);
	if (!given) return undefined;
	return cells ? ok({ list: billed ? 'bill' : 'leaveOut', cells }) : notRead(oddCells);
}

/** `Status: bill open, sent` */
function readValues(header: string, tokens: Token[], { values }: Statements): string | undefined {
	const found = cellListIn(tokens);
	if (!found)
		return "must say 'bill' or 'leave out' and the cells of the column. A field has '=' before its columns";
	if (!found.ok) return found.problem;
	const { list, cells } = found.value;
	const one: ValueStatement = { header: nameOf(header), bill: [], leaveOut: [] };
	one[list] = cells;
	values.push(one);
	return undefined;
}

const oddCells =
	"must list cells between commas. Write ';' before 'leave out', and quotes around other cells with such words";

/** Statements without a sign, and `leave out void` after `Status: bill open`. */
function readSentence(tokens: Token[], reading: ReadText): string | undefined {
	const words = tokens.length === 1 && !tokens[0].isQuoted ? plainWords(tokens[0]) : '';
	const sentence = sentences.find(([text]) => text.toLowerCase() === words);
	if (sentence) return say(reading, sentence[1]);
	const row = /^headers in row (-?\d{1,16})$/.exec(words)?.[1];
	if (row) return say(reading, { headerRow: Number(row) });
	const [code, ...more] = following(previewed, tokens) ?? [];
	if ((code as Token | undefined) && more.length === 0)
		return say(reading, { previewCode: code.text });
	const column = following('one invoice per', tokens);
	if (column) {
		const columns = columnsIn(column, reading.shapes);
		if (!columns.ok) return columns.problem;
		if (columns.value.length !== 1) return 'must name one column';
		return say(reading, { grouping: { by: 'column', header: columns.value[0] } });
	}
	return readOtherCells(tokens, reading);
}

function readOtherCells(tokens: Token[], { values }: Statements): string | undefined {
	const last = values[values.length - 1] as ValueStatement | undefined;
	const found = cellListIn(tokens);
	if (!found) return "is not a statement. Write e.g. 'Unit Price = Fee' or 'not billed: Zip'";
	if (!found.ok) return found.problem;
	const { list, cells } = found.value;
	if (!last || cells.length === 0)
		return "names no column or no cell. Write e.g. 'Status: bill open; leave out void'";
	if (last[list].length) return isSaidTwice;
	last[list] = cells;
	return undefined;
}
