/** A problem of a cell, or of a whole row if it has no header. */
export interface CellProblem {
	/** As people see it in the sheet. */
	row: number;
	header?: string;
	text: string;
}

export const problemText = ({ row, header, text }: CellProblem): string =>
	`Row ${row}${header === undefined ? '' : `, column "${header}"`}: ${text}`;

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `2`, `2 and 3`, `2, 3, 4, 5, 6 and 7 more`. */
export function listNumbers(numbers: number[], most = 5): string {
	const listed = numbers.slice(0, most).map(String);
	if (numbers.length > most) return `${listed.join(', ')} and ${numbers.length - most} more`;
	if (numbers.length === 1) return listed[0];
	return `${listed.slice(0, -1).join(', ')} and ${listed[listed.length - 1]}`;
}

/** `row 2`, `rows 2 and 3` */
export function rowsLabel(rows: ReadonlyArray<{ number: number }>): string {
	const numbers = [...new Set(rows.map(({ number }) => number))];
	return `row${numbers.length === 1 ? '' : 's'} ${listNumbers(numbers)}`;
}
