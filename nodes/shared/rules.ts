import { toMoment } from './moments';
import type { Outcome } from './values';
import {
	isEmpty,
	toBoolean,
	toCurrency,
	toDate,
	toEmail,
	toInteger,
	toOption,
	toText,
	toUri,
	toUuid,
} from './values';

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

/** How the value of one field becomes the value that is sent. */
export interface Rule {
	/** The field's name as the user sees it. */
	label: string;
	required: boolean;
	limits: Limits;
	/** Returns one outcome, or several problems (a list of items). `zone` is the workflow's time zone. */
	check(value: unknown, zone: string): Outcome<unknown> | { problems: string[] };
}

interface Common {
	required?: boolean;
}

/** A rule of its own. */
export const rule = (
	label: string,
	limits: Limits,
	required: boolean | undefined,
	check: Rule['check'],
): Rule => ({ label, required: required ?? false, limits, check });

export const text = (
	label: string,
	{
		required,
		nullable,
		...lengths
	}: Common & { minLength?: number; maxLength?: number; nullable?: boolean } = {},
) =>
	rule(label, { kind: 'text', nullable, ...lengths }, required, (value) => toText(value, lengths));

export const currency = (label: string, { required }: Common = {}) =>
	rule(label, { kind: 'currency', maxLength: 3 }, required, toCurrency);

export const uuid = (label: string, { required }: Common = {}) =>
	rule(label, { kind: 'uuid' }, required, toUuid);

export const email = (label: string, { required }: Common = {}) =>
	rule(label, { kind: 'email' }, required, toEmail);

export const uri = (label: string) => rule(label, { kind: 'uri' }, false, toUri);

export const integer = (label: string, range: { min?: number; max?: number } = {}) =>
	rule(label, { kind: 'integer', ...range }, false, (value) => toInteger(value, range));

export const boolean = (label: string) => rule(label, { kind: 'boolean' }, false, toBoolean);

export const option = (label: string, options: readonly string[], { required }: Common = {}) =>
	rule(label, { kind: 'option', options }, required, (value) => toOption(value, options));

export const date = (label: string, { required }: Common = {}) =>
	rule(label, { kind: 'date' }, required, toDate);

export const moment = (label: string, { required }: Common = {}) =>
	rule(label, { kind: 'moment' }, required, toMoment);

export const list = (
	label: string,
	limits: Omit<Limits, 'kind'> & Common,
	check: Rule['check'],
) => {
	const { required, ...rest } = limits;
	return rule(label, { kind: 'list', ...rest }, required, check);
};

/** What a rule makes of a value: the value to send, nothing to send, or the problems, each with the field's name. */
export function applyRule(
	{ label, required, limits, check }: Rule,
	value: unknown,
	zone: string,
): { value: unknown } | { problems: string[] } | undefined {
	if (isEmpty(value)) {
		if (required) return { problems: [`${label} is empty, but it is required`] };
		return value === null && limits.nullable ? { value } : undefined;
	}
	const outcome = safely(check, value, zone);
	if ('problem' in outcome) return { problems: [`${label} ${outcome.problem}`] };
	return outcome;
}

/** A check must not throw: the other items would be sent while this one is not valid. */
function safely(check: Rule['check'], value: unknown, zone: string): ReturnType<Rule['check']> {
	try {
		return check(value, zone);
	} catch (error) {
		return { problem: `holds something that cannot be read: ${(error as Error).message}` };
	}
}
