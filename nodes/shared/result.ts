/** It worked: the value. */
export interface Ok<T> {
	readonly ok: true;
	readonly value: T;
}

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

/** It did not work. Why is the error's own kind of failure. */
export interface Failed<F> {
	readonly ok: false;
	readonly failure: F;
}

export const failed = <F>(failure: F): Failed<F> => ({ ok: false, failure });

/** What came of work that can fail for reasons outside of the node, such as a request. */
export type Outcome<T, F> = Ok<T> | Failed<F>;

/** `problem`: the end of a sentence that begins with what was read, such as `must be a date, got "x"`. */
interface NotRead {
	readonly ok: false;
	readonly problem: string;
}

export const notRead = (problem: string): NotRead => ({ ok: false, problem });

/** What a person typed or a cell says, as it was read. */
export type Parsed<T> = Ok<T> | NotRead;

/** `problems`: whole sentences. */
export interface NotValid {
	readonly ok: false;
	readonly problems: readonly string[];
}

export const notValid = (problems: readonly string[]): NotValid => ({ ok: false, problems });

/** The same of what can have several problems: a list, or a field with its rule. */
export type Checked<T> = Ok<T> | NotValid;
