import type { INode, NodeApiError } from 'n8n-workflow';
import { toHtml } from '../../shared/errors/html';
import {
	bulletList,
	firstProblems,
	headline,
	inBrackets,
	itemIndexOf,
	nodeError,
} from '../../shared/errors/nodeErrors';
import type { Batch, Unit } from './operation';
import type { Outcomes } from './run';

export type InvalidUnit = Unit & { work: { kind: 'refuse' } };

/** The message has the first unit's problems, the description has those of the others. */
export function invalidUnitsError(
	node: INode,
	units: InvalidUnit[],
	batch: Pick<Batch, 'explain'> = {},
): NodeApiError {
	const [first] = units;
	const { name, fields, work } = first;
	// Problems of rows already name their row.
	const labelled = ({ name: own, work: { problems } }: InvalidUnit) =>
		problems.map((problem) => (fields ? problem : `${problem}${inBrackets(own)}`));
	const others = units.slice(1).flatMap(labelled);
	const inOthers = others.length ? ` (and ${others.length} more in other items)` : '';
	const { message, lines, note } = batch.explain?.() ?? {
		message: `${firstProblems(work.problems)}${fields ? '' : inBrackets(name)}${inOthers}`,
		lines: others,
		note: undefined,
	};
	return nodeError(node, {
		// Some places in n8n show only the message, so it includes the first problem.
		message: batch.explain && lines.length ? `${message}: ${headline(lines)}` : message,
		description: [
			...bulletList(batch.explain ? lines.slice(1) : lines),
			...(note ? [toHtml(note)] : []),
		].join('<br>'),
		itemIndex: itemIndexOf(first),
		failure: { cause: 'configuration-invalid' },
	});
}

interface RunSummary {
	/** Missing if it could not be prepared. */
	batch?: Batch;
	outcomes: Outcomes;
}

/** Adds what else failed, what was done (including earlier attempts) and what was not sent. */
export function withSummary(
	node: INode,
	error: Error & {
		description?: string | null;
		httpCode?: string | null;
		failure?: NodeApiError['failure'];
	},
	unit: Unit | undefined,
	{ batch, outcomes }: RunSummary,
): NodeApiError {
	const noun = batch?.noun ?? 'item';
	const names = new Map(batch?.units.map(({ items, name }) => [items[0], name]));
	const ownItem = unit?.items[0];
	const others = [...outcomes].filter(([item]) => item !== ownItem).sort(([a], [b]) => a - b);
	const failures = others.flatMap(([, outcome]) =>
		outcome.ok ? [] : [outcome.failure.error.message],
	);
	const done = others.flatMap(([item, outcome]) => {
		if (!outcome.ok) return [];
		const [result] = outcome.value;
		const id = outcome.value.length === 1 ? result.id : undefined;
		const { duplicates } = result ?? {};
		const duplicatesText = Array.isArray(duplicates)
			? ` (several invoices have its number: ${duplicates.join(', ')})`
			: '';
		return [
			`${names.get(item) ?? `item ${item + 1}`}${id ? `: ${String(id)}` : ''}${duplicatesText}`,
		];
	});
	const isNothingSent = outcomes.size === 0;
	const unsent = batch?.units.filter(({ items }) => !outcomes.has(items[0])) ?? [];
	const unsentCount = isNothingSent ? 0 : unsent.length;
	const were = (count: number) => (count === 1 ? 'was' : 'were');
	const counted = (count: number) =>
		`${count} ${unit ? 'other ' : ''}${noun}${count === 1 ? '' : 's'}`;
	const counts = [
		done.length && `${counted(done.length)} ${were(done.length)} done`,
		failures.length && `${counted(failures.length)} failed${unit ? ' as well' : ''}`,
		unsentCount && `${unsentCount} ${were(unsentCount)} not sent`,
	].filter(Boolean);
	return nodeError(node, {
		message: counts.length ? `${error.message} (${counts.join(', ')})` : error.message,
		description: [
			isNothingSent && 'Nothing was sent.',
			error.description,
			unit && done.length > 0 && batch?.advice && toHtml(batch.advice(unit)),
			...(failures.length ? [unit ? 'Failed as well:' : 'Failed:', ...bulletList(failures)] : []),
			// n8n shows this error instead of the output, so list the IDs here.
			...(done.length ? ['Done:', ...bulletList(done, 1000)] : []),
			unsentCount &&
				`Not sent: ${unsentCount === 1 ? '' : `${unsentCount} ${noun}s, the first of them `}${toHtml(unsent[0].name)}.`,
		]
			.filter(Boolean)
			.join('<br>'),
		...(error.httpCode && { httpCode: error.httpCode }),
		...(error.failure && { failure: error.failure }),
		itemIndex: itemIndexOf(unit),
	});
}
