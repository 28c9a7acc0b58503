import type { Checked, NotValid, Parsed } from '../result';
import { notRead, notValid, ok } from '../result';
import { toDate, toMoment } from './dates';
import { hiddenIn } from './lookAlikes';
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

/** Limits from the specification. A test compares them with the contract. */
interface Limits {
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
	/** It tells things apart, as a number does. Other texts are only read by people. */
	identifies?: boolean;
}

export interface Rule {
	limits: Limits;
	check(value: unknown, place: Place): Parsed<unknown> | NotValid;
}

/** Where a value was given. */
export interface Place {
	/** The workflow's time zone. */
	zone: string;
	/** The field's name, for problems that are whole sentences. */
	label: string;
	/** Of a resource locator. */
	mode?: string;
}

export const rule = (limits: Limits, check: Rule['check']): Rule => ({ limits, check });

export const text = ({
	nullable,
	...lengths
}: { minLength?: number; maxLength?: number; nullable?: boolean } = {}) =>
	rule({ kind: 'text', nullable, ...lengths }, (value) => toText(value, lengths));

/** A text that identifies something, so that nothing in it may be invisible or look like something else. */
export const plainText = (lengths: { minLength?: number; maxLength?: number }) =>
	rule({ kind: 'text', identifies: true, ...lengths }, (value) => {
		const read = toText(value, lengths);
		const problem = read.ok ? hiddenIn(read.value) : undefined;
		return problem === undefined ? read : notRead(problem);
	});

export const currency = () => rule({ kind: 'currency', maxLength: 3 }, toCurrency);

export const uuid = () => rule({ kind: 'uuid' }, toUuid);

/** Emails of customers are replaced with IDs before the request is sent. */
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

export const someOf = (options: readonly string[]) =>
	rule({ kind: 'option', options }, (value) => toOptions(value, options));

export const date = () => rule({ kind: 'date' }, (value, { zone }) => toDate(value, zone));

export const moment = () => rule({ kind: 'moment' }, (value, { zone }) => toMoment(value, zone));

export const list = (limits: Omit<Limits, 'kind'>, check: Rule['check']) =>
	rule({ kind: 'list', ...limits }, check);

export interface RuledValue {
	displayName: string;
	required?: boolean;
	rule: Rule;
}

/** Returns the value to send, or `undefined` to send nothing. */
export function applyRule(
	{ displayName, required, rule: { limits, check } }: RuledValue,
	value: unknown,
	place: Omit<Place, 'label'>,
): Checked<unknown> | undefined {
	if (isEmpty(value)) {
		if (required) return notValid([`${displayName} is empty, but it is required`]);
		return value === null && limits.nullable ? ok(value) : undefined;
	}
	const outcome = checkSafely(check, value, { ...place, label: displayName });
	return !outcome.ok && 'problem' in outcome
		? notValid([`${displayName} ${outcome.problem}`])
		: outcome;
}

/** An expression can give any object, even one whose methods throw. */
function checkSafely(check: Rule['check'], ...args: Parameters<Rule['check']>) {
	try {
		return check(...args);
	} catch (error) {
		return notRead(`cannot be read: ${(error as Error).message}`);
	}
}
