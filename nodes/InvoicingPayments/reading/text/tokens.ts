/* The signs, names and brackets of the text of a reading, whose statements are in text.ts. */
import { quote } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import { nameOf } from '../table';
import { isPlainKind } from '../findings';
import type { Format, Shape, Source } from '../statements';
import { formatGroups, formats, isFormatOf, sayings } from '../statements';

export type Token = { text: string; isQuoted?: boolean };

/** A quoted name, a sign, a bare name, or a line break. */
const token =
	/[^\S\n\r\v\u2028\u2029]*(?:("(?:[^"\\]|\\.)*")|([;,=:()+])|([^;,=:()+"\n\r\v\u2028\u2029]+)|([\n\r\v\u2028\u2029]))/gsy;

/** Signs that look like those of the text. */
const lookAlike = /[“”„«»；，：＝（）＋]/u;
const plainName = /^[^\s;,=:()+"\\“”„«»；，：＝（）＋]+(?: [^\s;,=:()+"\\“”„«»；，：＝（）＋]+)*$/u;

/** A header or a cell as it stands in a reading, in quotes if it needs them. `words`: those that mean something else there. */
export const written = (name: string, words?: RegExp): string =>
	plainName.test(name) && !words?.test(name) ? name : JSON.stringify(name);

/** The tokens of each statement. A semicolon in brackets does not end it. */
export function tokensOf(text: string): Parsed<Token[][]> {
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
		const [odd] = lookAlike.exec(bare ?? '') ?? [];
		if (odd) return notRead(`has ${odd} in ${quote(bare.trim())}. Write straight quotes around it`);
		const name = quoted === undefined ? (sign ?? bare?.trim() ?? '') : unquoted(quoted);
		if (name === undefined)
			return notRead(`has ${quoted}, in which each backslash must be written twice`);
		if (name || quoted)
			statements[statements.length - 1].push({ text: name, ...(quoted && { isQuoted: true }) });
	}
	if (text.slice(end).trim()) return notRead(`has a quote that does not end: ${quote(text)}`);
	return depth > 0 ? notRead(`has a bracket that does not end: ${quote(text)}`) : ok(statements);
}

/** The name in quotes, which may have line breaks and tabs as they are pasted. */
function unquoted(text: string): string | undefined {
	const escaped = text.replace(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1));
	try {
		return JSON.parse(escaped) as string;
	} catch {
		return undefined;
	}
}

export const isSign = ({ text, isQuoted }: Token, sign: string) => text === sign && !isQuoted;
const isAnySign = ({ text, isQuoted }: Token) => !isQuoted && /^[;,=:()+]?$/.test(text);

export const plainWords = ({ text }: Token) => text.toLowerCase().replace(/\s+/g, ' ');

/** What follows these words. `undefined` if the tokens do not begin with them. */
export function following(words: string, tokens: Token[]): Token[] | undefined {
	const [first, ...rest] = tokens as [Token?, ...Token[]];
	const beginning = new RegExp(`^${words.replace(/ /g, '\\s+')}(?:\\s+|$)`, 'i');
	const match = first && !first.isQuoted ? beginning.exec(first.text) : null;
	if (!first || !match) return undefined;
	const text = first.text.slice(match[0].length);
	return text ? [{ text }, ...rest] : rest;
}

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
	const name = (): string | undefined => {
		const one = tokens[at++] as Token | undefined;
		return !one || isAnySign(one) ? undefined : one.text;
	};
	while (at < tokens.length) {
		const header = name();
		const hasRest = consume('+');
		const and = hasRest ? name() : undefined;
		if (header === undefined || (hasRest && and === undefined)) return undefined;
		const one: Named = { header, ...(and !== undefined && { and }) };
		// A person may add `(cents)` before the brackets of a preview.
		while (consume('(')) {
			const parts: Token[][] = [[]];
			for (; at < tokens.length && !isSign(tokens[at], ')'); at++)
				if (isSign(tokens[at], ';')) parts.push([]);
				else parts[parts.length - 1].push(tokens[at]);
			if (!consume(')')) return undefined;
			one.parts ??= [];
			one.parts.push(...parts);
		}
		all.push(one);
		if (at < tokens.length && !consume(',')) return undefined;
	}
	return all;
}

/** Names without brackets. */
export function namesIn(tokens: Token[]): string[] | undefined {
	const all = namedIn(tokens);
	const isPlain = ({ parts, and }: Named) => parts === undefined && and === undefined;
	return all?.every(isPlain) ? all.map(({ header }) => header) : undefined;
}

export const kindWithText = /^(code|with|says|is) (.*)$/s;

const isFormat = (text: string): text is Format =>
	Object.keys(formats).includes(text) || /^per [1-9]\d{0,5}$/.test(text);

const textOf = (part: Token[]) =>
	part
		.map(({ text }) => text)
		.join('')
		.replace(/\s+/g, ' ');

/** `says paid`, or `is "paid parking, 9 month"` */
function kindIn([first, second, ...more]: Token[]): string | undefined {
	if (!second) return first && kindWithText.test(textOf([first])) ? textOf([first]) : undefined;
	const isQuoted =
		second.isQuoted && more.length === 0 && /^(?:code|with|says|is)$/.test(first.text);
	return isQuoted ? `${first.text} ${second.text}` : undefined;
}

/** What the brackets behind a column say. Returns a problem if a part means nothing, or contradicts another one. */
function readParts(header: string, parts: Token[][]): Parsed<{ formats: Format[]; shape: Shape }> {
	const said = { formats: new Set<Format>(), kinds: new Set<string>() };
	const [ranges, aparts, aways]: string[][] = [[], [], []];
	for (const part of parts) {
		const text = textOf(part);
		const kind = kindIn(part);
		if (kind !== undefined) said.kinds.add(kind);
		else if (isPlainKind(text) || sayings.includes(text)) said.kinds.add(text);
		else if (isFormat(text)) said.formats.add(text);
		else if (/^\d+(?:\.\d+)? to \d+(?:\.\d+)?$/.test(text)) ranges.push(text);
		else if (/^\d+ days apart$/.test(text)) aparts.push(text);
		else if (/^within \d+ days$/.test(text)) aways.push(text);
		else return notRead(`has ${quote(text)} in brackets, which means nothing there`);
	}
	const groups = formatGroups.map((group) =>
		[...said.formats].filter((one) => isFormatOf(group, one)),
	);
	const twice = [...groups, ranges, aparts, aways].find(({ length }) => length > 1);
	if (twice)
		return notRead(`says two things of ${quote(header)}: ${twice.join(' and ')}. Keep one`);
	const numbersIn = (texts: string[]) =>
		texts.flatMap((text) => text.match(/\d+(?:\.\d+)?/g) ?? []);
	const [low, high] = numbersIn(ranges).map(Number);
	const [apart] = numbersIn(aparts).map(Number);
	const [away] = numbersIn(aways).map(Number);
	if (low > high)
		return notRead(`has "${ranges[0]}" of ${quote(header)}: the lower one comes first`);
	return ok({
		formats: [...said.formats],
		shape: {
			kinds: [...said.kinds],
			...(ranges.length > 0 && { range: { low, high } }),
			...(aparts.length + aways.length > 0 && { days: { apart: apart ?? 0, away: away ?? 0 } }),
		},
	});
}

/** Columns, with what brackets say of them, which is added to the shapes. */
export function sourcesIn(tokens: Token[], shapes: Map<string, Shape>): Parsed<Source[]> {
	const named = namedIn(tokens);
	if (!named)
		return notRead('is no list of columns. A name with signs stands in quotes: "Price (EUR)"');
	const sources: Source[] = [];
	for (const { parts = [], ...one } of named) {
		const header = nameOf(one.header);
		const and = one.and === undefined ? undefined : nameOf(one.and);
		const read = readParts(header, parts);
		if (!read.ok) return read;
		const { shape, formats } = read.value;
		const before = shapes.get(header);
		if (shape.kinds.length || shape.range || shape.days) {
			if (before && JSON.stringify(before) !== JSON.stringify(shape))
				return notRead(`says of ${quote(header)} what another statement contradicts`);
			shapes.set(header, shape);
		}
		sources.push({
			header,
			...(and !== undefined && { and }),
			...(formats.length > 0 && { formats }),
		});
	}
	return ok(sources);
}
