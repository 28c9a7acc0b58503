import { withoutEnd } from '../fields/text';

/** No response is nested deeper. n8n fails on items that are nested a few thousand levels deep. */
const maxDepth = 200;

export class JsonTooDeepError extends Error {
	constructor() {
		super(`JSON that is nested more than ${maxDepth} levels deep`);
	}
}

/** Characters. Longer numbers are not calculated with. */
const maxNumber = 400;

/** A number that JavaScript would round, such as an ID beyond 2^53, becomes a string. Throws a SyntaxError or JsonTooDeepError. */
export function readJson(text: string): unknown {
	const inexact = inexactNumbersOf(text);
	if (inexact.length === 0) return JSON.parse(text);
	let read = 0;
	const parts = inexact.map(([start, end]) => {
		const part = `${text.slice(read, start)}"${text.slice(start, end)}"`;
		read = end;
		return part;
	});
	return JSON.parse(parts.join('') + text.slice(read));
}

type Span = [start: number, end: number];

/** Positions of numbers that JavaScript would round. Throws JsonTooDeepError, before any recursion. */
function inexactNumbersOf(text: string): Span[] {
	const spans: Span[] = [];
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const char = text[at];
		if (char === '"') {
			at = endOfString(text, at);
		} else if (char === '{' || char === '[') {
			depth += 1;
			if (depth > maxDepth) throw new JsonTooDeepError();
		} else if (char === '}' || char === ']') {
			depth -= 1;
		} else if (char === '-' || (char >= '0' && char <= '9')) {
			const end = endOfNumber(text, at);
			if (!isExact(text.slice(at, end))) spans.push([at, end]);
			at = end - 1;
		}
	}
	return spans;
}

function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === '\\') backslashes += 1;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}

function endOfNumber(text: string, start: number): number {
	let end = start + 1;
	while (end < text.length && /[\d.eE+-]/.test(text[end])) end += 1;
	return end;
}

function isExact(literal: string): boolean {
	// Up to 15 digits are always exact.
	if (literal.length <= 15 && !/e/i.test(literal)) return true;
	if (literal.length > maxNumber) return !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(literal);
	const number = Number(literal);
	if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(number);
	// Leave malformed numbers to JSON.parse, which reports them.
	return Number.isNaN(number) || digitsOf(String(number)) === digitsOf(literal);
}

/** Significant digits and exponent: the same for all notations of a number. */
function digitsOf(literal: string): string {
	const [, integer, fraction = '', exponent = '0'] =
		/^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal) ?? [];
	if (integer === undefined) return literal;
	const digits = `${integer}${fraction}`.replace(/^0+/, '');
	const kept = withoutEnd(digits, '0');
	const place = Number(exponent) - fraction.length + digits.length - kept.length;
	return kept && `${kept}e${place}`;
}
