import { quote } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import type { Shape, Source, Statements } from '../statements';
import type { Token } from './tokens';
import { kindWithText, sourcesIn, written } from './tokens';

/** How columns stand in the text of a reading, with what stood in them: `Fee (number; 12 to 95)`. */

const inBrackets = (parts: string[]) => (parts.length ? ` (${parts.join('; ')})` : '');

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

/** What the brackets behind a column say. `own`: its formats. */
export function shapeText(
	header: string,
	shapes: Statements['shapes'],
	own: string[] = [],
): string {
	const shape = shapes.get(header);
	return inBrackets([...own, ...(shape ? shapeParts(shape) : [])]);
}

export const columnText = (header: string, shapes: Statements['shapes']) =>
	`${written(header)}${shapeText(header, shapes)}`;

/** A column that fills a field. */
export const sourceText = ({ header, and, formats }: Source, shapes: Statements['shapes']) =>
	`${written(header)}${and === undefined ? '' : ` + ${written(and)}`}${shapeText(header, shapes, formats)}`;

/** Columns without formats. */
export function columnsIn(tokens: Token[], shapes: Statements['shapes']): Parsed<string[]> {
	const sources = sourcesIn(tokens, shapes);
	if (!sources.ok) return sources;
	const other = sources.value.find(({ formats: own, and }) => own ?? and !== undefined);
	return other
		? notRead(
				`says how ${quote(other.header)} is written, or adds a column to it, which only a field has`,
			)
		: ok(sources.value.map(({ header }) => header));
}
