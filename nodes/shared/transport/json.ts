/** No response is nested deeper. n8n fails on items that are nested a few thousand levels deep. */
const maxDepth = 200;

/** The response has a form that nothing can be done with. */
export class ResponseRejectedError extends Error {}

/** A number that may be inexact: with an exponent, or of more than 15 characters. Texts may contain one as well. */
const longNumber = /[[:,\s]-?\d(?:[\d.]{15}|[\d.]*e)/i;

/** Texts, so that digits in them are left alone, and numbers. A text that does not end is left to JSON.parse. */
const textsAndNumbers = /"[^"\\]*(?:\\[^][^"\\]*)*"?|-?\d[\d.eE+-]*/g;

/** A number that JavaScript would round, such as an ID beyond 2^53, becomes a string. Throws a SyntaxError or ResponseRejectedError. */
export function readJson(text: string): unknown {
	const exact = longNumber.test(text)
		? text.replace(textsAndNumbers, (part) => (isExact(part) ? part : `"${part}"`))
		: text;
	const value: unknown = JSON.parse(exact);
	rejectUnusable(value, maxDepth);
	return value;
}

/** Also for a text, and for a malformed number, which JSON.parse reports. */
function isExact(part: string): boolean {
	const number = Number(part);
	if (part.startsWith('"') || Number.isNaN(number)) return true;
	// Up to 15 digits are always exact.
	if (part.length <= 15) return Number.isFinite(number);
	return String(number) === part && (Number.isSafeInteger(number) || part.includes('.'));
}

/** JavaScript fails to turn an object with a field `toString` into text, wherever that is tried. */
function rejectUnusable(value: unknown, levels: number): void {
	if (typeof value !== 'object' || value === null) return;
	if (levels === 0)
		throw new ResponseRejectedError(`JSON that is nested more than ${maxDepth} levels deep`);
	if (Object.prototype.hasOwnProperty.call(value, 'toString'))
		throw new ResponseRejectedError('JSON with a field named "toString"');
	for (const inner of Object.values(value)) rejectUnusable(inner, levels - 1);
}
