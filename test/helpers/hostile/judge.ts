import type { Exchange } from './proxy';

type Result = Record<string, unknown>;

const isObject = (value: unknown): value is Result =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const watched = [
	Object,
	Array,
	String,
	Number,
	Boolean,
	Function,
	Promise,
	Map,
	Error,
	RegExp,
	Date,
].map((one) => one.prototype as object);
const stateOf = (prototype: object) =>
	new Map(
		Reflect.ownKeys(prototype).map((name) => [
			name,
			Reflect.getOwnPropertyDescriptor(prototype, name)?.value,
		]),
	);
const before = watched.map(stateOf);

/** What has been added to, or changed in, what all objects share. Takes it back, so that only one case is to blame. */
export function pollution(): string[] {
	return watched.flatMap((prototype, at) => {
		const known = before[at];
		return Reflect.ownKeys(prototype)
			.filter(
				(name) =>
					!known.has(name) ||
					known.get(name) !== Reflect.getOwnPropertyDescriptor(prototype, name)?.value,
			)
			.map((name) => {
				const found = `${prototype.constructor.name}.prototype.${String(name)} was changed`;
				if (known.has(name)) Reflect.set(prototype, name, known.get(name));
				else Reflect.deleteProperty(prototype, name);
				return found;
			});
	});
}

/** Whether objects are what JSON makes of them, and inherit nothing that came from outside. */
export function strangePrototypes(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const prototype: unknown = Object.getPrototypeOf(value);
	const isPlain = prototype === (Array.isArray(value) ? Array.prototype : Object.prototype);
	const own = isPlain ? [] : ['a result has a prototype of its own'];
	return [...own, ...Object.values(value).flatMap(strangePrototypes)];
}

/** The objects that an answer holds: one, or the results of a page or a list. */
export function objectsIn({ status, text }: Pick<Exchange, 'status' | 'text'>): Result[] {
	if (status < 200 || status > 299) return [];
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return [];
	}
	const results = isObject(body) && Array.isArray(body.results) ? body.results : [];
	return [body, ...results].flat().filter(isObject);
}

/** Whether a value that came out is the one that was sent. Numbers that JavaScript cannot hold come out as text. */
function isSame(out: unknown, sent: unknown): boolean {
	if (Array.isArray(out))
		return (
			Array.isArray(sent) &&
			out.length === sent.length &&
			out.every((one, at) => isSame(one, sent[at]))
		);
	if (isObject(out)) {
		if (!isObject(sent)) return false;
		const names = Object.keys(sent).filter(
			(name) => name !== 'card_data' || Object.hasOwn(out, name),
		);
		return (
			names.length === Object.keys(out).length &&
			names.every((name) => Object.hasOwn(out, name) && isSame(out[name], sent[name]))
		);
	}
	if (typeof sent === 'number' && typeof out === 'string')
		return /^-?\d/.test(out) && Number(out) === sent;
	return out === sent;
}

/** Whether a result is one of those that were sent. `added`: names that the node adds; with `isPart` it is only a part of one. */
export function wasSent(out: Result, sent: Result[], added: string[], isPart: boolean): boolean {
	const names = Object.keys(out).filter((name) => !added.includes(name));
	return sent.some((one) => {
		const shown = names.filter((name) => Object.hasOwn(one, name));
		// What the node adds may be what the service sends.
		if (shown.length !== names.length) return false;
		if (!names.every((name) => isSame(out[name], one[name]))) return false;
		return (
			isPart || Object.keys(one).every((name) => name === 'card_data' || Object.hasOwn(out, name))
		);
	});
}

/**
 * How many results a list claims to have, at least, for it may become shorter while it is read; `undefined` where a page does not
 * say.
 */
export function claimedCount(exchanges: Exchange[]): number | undefined {
	const counts = exchanges.flatMap(({ text, status }): Array<number | undefined> => {
		if (status !== 200) return [];
		try {
			const { count } = JSON.parse(text) as { count?: unknown };
			const isUsable = typeof count === 'number' && Number.isInteger(count) && count >= 0;
			return [isUsable ? count : undefined];
		} catch {
			return [];
		}
	});
	const told = counts.filter((count) => count !== undefined);
	return counts.length && told.length === counts.length ? Math.min(...told) : undefined;
}
