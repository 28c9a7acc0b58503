import { toDate, toMoment } from './dates';
import type { Parsed } from './text';
import {
	isEmpty,
	toBoolean,
	toCurrency,
	toEmail,
	toInteger,
	toOption,
	toOptions,
	toText,
	toUri,
	toUuid,
} from './text';

/** What the interface specification says of a field; a test compares it with the contract. */
export interface Limits {
	kind:
		| 'text'
		| 'currency'
		| 'uuid'
		| 'email'
		| 'uri'
		| 'integer'
		| 'amount'
		| 'boolean'
		| 'option'
		| 'date'
		| 'moment'
		| 'list';
	minLength?: number;
	maxLength?: number;
	min?: number;
	max?: number;
	options?: readonly string[];
	nullable?: boolean;
}

/** How the value of a field becomes the value that is sent. */
export interface Rule {
	limits: Limits;
	/**
	 * Returns one outcome, or several problems (a list of items). `zone`: the workflow's; `label`: the field's display name; `mode`:
	 * that of a resource locator, where the value is one.
	 */
	check(
		value: unknown,
		zone: string,
		label: string,
		mode?: string,
	): Parsed<unknown> | { problems: string[] };
}

/** A rule of its own. */
export const rule = (limits: Limits, check: Rule['check']): Rule => ({ limits, check });

export const text = ({
	nullable,
	...lengths
}: { minLength?: number; maxLength?: number; nullable?: boolean } = {}) =>
	rule({ kind: 'text', nullable, ...lengths }, (value) => toText(value, lengths));

export const currency = () => rule({ kind: 'currency', maxLength: 3 }, toCurrency);

export const uuid = () => rule({ kind: 'uuid' }, toUuid);

/** A customer: the service takes the ID, which an email is replaced by before the request is sent. */
export const uuidOrEmail = () =>
	rule({ kind: 'uuid' }, (value) =>
		typeof value === 'string' && value.includes('@') ? toEmail(value) : toUuid(value),
	);

export const email = () => rule({ kind: 'email' }, toEmail);

export const uri = () => rule({ kind: 'uri' }, toUri);

export const integer = (range: { min?: number; max?: number } = {}) =>
	rule({ kind: 'integer', ...range }, (value) => toInteger(value, range));

export const boolean = () => rule({ kind: 'boolean' }, toBoolean);

export const option = (options: readonly string[]) =>
	rule({ kind: 'option', options }, (value) => toOption(value, options));

/** Any number of the values, as a list, JSON, text with commas, or a single one. */
export const someOf = (options: readonly string[]) =>
	rule({ kind: 'option', options }, (value) => toOptions(value, options));

export const date = () => rule({ kind: 'date' }, toDate);

export const moment = () => rule({ kind: 'moment' }, toMoment);

export const list = (limits: Omit<Limits, 'kind'>, check: Rule['check']) =>
	rule({ kind: 'list', ...limits }, check);

/** A field as errors call it, and its rule. */
export interface RuledValue {
	displayName: string;
	required?: boolean;
	rule: Rule;
}

/** What a rule makes of a value: the value to send, nothing to send, or the problems, each with the field's name. */
export function applyRule(
	{ displayName, required, rule: { limits, check } }: RuledValue,
	value: unknown,
	zone: string,
	mode?: string,
): { value: unknown } | { problems: string[] } | undefined {
	if (isEmpty(value)) {
		if (required) return { problems: [`${displayName} is empty, but it is required`] };
		return value === null && limits.nullable ? { value } : undefined;
	}
	const outcome = checkSafely(check, value, zone, displayName, mode);
	if ('problem' in outcome) return { problems: [`${displayName} ${outcome.problem}`] };
	return outcome;
}

/** A check must not throw: the other items would be sent while this one is not valid. */
function checkSafely(check: Rule['check'], ...args: Parameters<Rule['check']>) {
	try {
		return check(...args);
	} catch (error) {
		return { problem: `cannot be read: ${(error as Error).message}` };
	}
}
