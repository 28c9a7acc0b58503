import type { INode } from 'n8n-workflow';
import { bulletList, plainError } from '../../shared/errors/nodeErrors';
import type { Draft } from './invoice';
import { sheetErrorOf } from './rowProblems';
import type { SheetProblem } from './sheet';

/** The error of a sheet of which no row can be read. */
export const sheetError = (node: INode, problems: SheetProblem[]) =>
	plainError(
		node,
		problems
			.map(({ title }) => title)
			.filter(Boolean)
			.join('. '),
		['Nothing was sent.', ...bulletList(problems.map(({ text }) => text))].join('<br>'),
		'configuration-invalid',
	);

/** What is wrong with cells besides, so that all is told at once. */
export function cellProblems(drafts: Draft[]): SheetProblem[] {
	const isWrong = drafts.some(
		({ group }) => group.problems.length > 0 || group.rows.some(({ problems }) => problems.length),
	);
	if (!isWrong) return [];
	const { message, lines } = sheetErrorOf(drafts);
	return [
		{ title: message, text: lines[0] ?? message },
		...lines.slice(1).map((text) => ({ title: '', text })),
	];
}
