import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import { mayHaveBeenDone, outcomeOf } from './failure';
import { adviceOf, causeOf, messageOf } from './messages';
import type { InvalidUnit, Plan, Unit } from './plan';
import type { Outcomes } from './tries';

/** n8n shows descriptions as HTML. */
const escapeHtml = (text: string) =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

interface Telling {
	message: string;
	description: string;
	itemIndex?: number;
	httpCode?: string;
	failure?: NodeApiError['failure'];
}

/**
 * An error that says what it is told to. NodeApiError puts words of its own in place of a message in which it finds the code of
 * a network error, be it in the service's words, so the message is set afterwards.
 */
function nodeError(node: INode, { message, ...options }: Telling): NodeApiError {
	const error = new NodeApiError(node, {}, { message, ...options });
	error.message = message;
	return error;
}

/** Where something went wrong: the items, and what they are called together. */
type Spot = Pick<Unit, 'items' | 'name' | 'fields'>;

/** n8n adds the index to the message, which says nothing of rows. */
const itemIndexOf = (spot?: Spot) => (spot?.fields ? undefined : spot?.items[0]);

/**
 * The error of a request. Always a new one, without the error that caused it: that one holds the key. Path and status are in
 * the description, with the service's words and what to do.
 */
export function toNodeError(node: INode, failure: Failure, spot?: Spot): NodeApiError {
	const { method, path, status, code, text } = failure;
	const advice = adviceOf(failure);
	const outcome = status ?? code ?? outcomeOf(failure);
	const answer = text && `The answer was: ${escapeHtml(text)}`;
	const warning = method === 'POST' && mayHaveBeenDone(failure) ? `. ${advice}` : '';
	return nodeError(node, {
		message: `${messageOf(failure)}${warning}${spot ? ` [${spot.name}]` : ''}`,
		description: [warning ? '' : escapeHtml(advice), `${method} ${path}: ${outcome}.`, answer]
			.filter(Boolean)
			.join(' '),
		...(status !== undefined && { httpCode: String(status) }),
		failure: causeOf(failure),
		itemIndex: itemIndexOf(spot),
	});
}

const maxInMessage = 5;

/** So many lines, and how many more there are. */
function list(lines: string[], most = 50): string[] {
	const rest = lines.length - most;
	const listed = lines.slice(0, most).map((line) => `• ${escapeHtml(line)}`);
	return rest > 0 ? [...listed, `… and ${rest} more`] : listed;
}

/** The error of units with bad fields: the problems of the first in the message, all of them in the description. */
export function invalidUnitsError(node: INode, units: InvalidUnit[]): NodeApiError {
	const [first] = units;
	const { name, fields, ready } = first;
	const problems = units.flatMap((unit) =>
		// The problems of rows say themselves which row they are about.
		unit.ready.problems.map((problem) => (fields ? problem : `${problem} [${unit.name}]`)),
	);
	const rest = problems.length - ready.problems.length;
	const inOthers = rest > 0 ? ` (and ${rest} more in other items)` : '';
	const message = fields
		? rowsMessage(problems)
		: `${firstOf(ready.problems)} [${name}]${inOthers}`;
	return nodeError(node, {
		message,
		description: (problems.length > 1 ? list(problems) : []).join('<br>'),
		itemIndex: itemIndexOf(first),
		failure: { cause: 'configuration-invalid' },
	});
}

function firstOf(problems: string[]): string {
	const rest = problems.length - maxInMessage;
	return `${problems.slice(0, maxInMessage).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function rowsMessage(problems: string[]): string {
	return problems.length === 1
		? problems[0]
		: `${problems.length} problems in the rows: ${firstOf(problems)}`;
}

/** The error of a node whose fields do not do, whatever the items are. */
export function invalidFieldsError(node: INode, problems: string[]): NodeApiError {
	return nodeError(node, {
		message: firstOf(problems),
		description: (problems.length > 1 ? list(problems) : []).join('<br>'),
		failure: { cause: 'configuration-invalid' },
	});
}

/** An error in words of the node's own. */
export function plainError(
	node: INode,
	message: string,
	description: string,
	cause?: 'configuration-invalid' | 'temporarily-unavailable',
): NodeApiError {
	return nodeError(node, { message, description, ...(cause && { failure: { cause } }) });
}

export function cancelledError(node: INode): NodeApiError {
	return nodeError(node, { message: 'The execution was cancelled', description: '' });
}

/** What became of a run, in all tries of it. */
interface Story {
	/** `undefined` where it could not even be read what was to be done. */
	plan?: Plan;
	outcomes: Outcomes;
}

/**
 * The error with which a run ends, with what became of the other units: other failures, what was done and its ids (by a try
 * before this one as well), how many were not sent, and which is the first of them.
 */
export function withStory(
	node: INode,
	error: Error & {
		description?: string | null;
		httpCode?: string | null;
		failure?: NodeApiError['failure'];
	},
	unit: Unit | undefined,
	{ plan, outcomes }: Story,
): NodeApiError {
	const noun = plan?.noun ?? 'item';
	const names = new Map(plan?.units.map(({ items, name }) => [items[0], name]));
	const own = unit?.items[0];
	const others = [...outcomes].filter(([item]) => item !== own).sort(([a], [b]) => a - b);
	const failures = others.flatMap(([, outcome]) =>
		'error' in outcome ? [outcome.error.message] : [],
	);
	const done = others.flatMap(([item, outcome]) => {
		if ('error' in outcome) return [];
		const [result] = outcome.results;
		const id = outcome.results.length === 1 ? result.id : undefined;
		return [`${names.get(item) ?? `item ${item}`}${id ? `: ${String(id)}` : ''}`];
	});
	const isNothingSent = outcomes.size === 0;
	const waiting = plan?.units.filter(({ items }) => !outcomes.has(items[0])) ?? [];
	const notSent = isNothingSent ? 0 : waiting.length;
	const were = (count: number) => (count === 1 ? 'was' : 'were');
	const many = (count: number) =>
		`${count} ${unit ? 'other ' : ''}${noun}${count === 1 ? '' : 's'}`;
	const counts = [
		done.length && `${many(done.length)} ${were(done.length)} done`,
		failures.length && `${many(failures.length)} failed${unit ? ' as well' : ''}`,
		notSent && `${notSent} ${were(notSent)} not sent`,
	].filter(Boolean);
	return nodeError(node, {
		message: counts.length ? `${error.message} (${counts.join(', ')})` : error.message,
		description: [
			isNothingSent && 'Nothing was sent.',
			error.description,
			...(failures.length ? [unit ? 'Failed as well:' : 'Failed:', ...list(failures)] : []),
			// The output of the node is lost with the error, so this is where the ids are.
			...(done.length ? ['Done:', ...list(done, 1000)] : []),
			notSent &&
				`Not sent: ${notSent === 1 ? '' : `${notSent} ${noun}s, the first of them `}${escapeHtml(waiting[0].name)}.`,
		]
			.filter(Boolean)
			.join('<br>'),
		...(error.httpCode && { httpCode: error.httpCode }),
		...(error.failure && { failure: error.failure }),
		itemIndex: itemIndexOf(unit),
	});
}
