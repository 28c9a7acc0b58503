import type { Exchange } from './hostileService';

type Result = Record<string, unknown>;

const isObject = (value: unknown): value is Result =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const watched = [Object, Array, String, Number, Boolean, Function, Promise, Map, Error, RegExp].map(
	(one) => one.prototype as object,
);
const stateOf = (prototype: object) =>
	new Map<string | symbol, unknown>(
		Reflect.ownKeys(prototype).map((name) => [
			name,
			Reflect.getOwnPropertyDescriptor(prototype, name)?.value,
		]),
	);
const before = watched.map(stateOf);

/** Finds changes to shared prototypes, and undoes them, so that only one case fails. */
export function pollution(): string[] {
	return watched.flatMap((prototype, at) =>
		[...stateOf(prototype)]
			.filter(([name, value]) => !before[at].has(name) || before[at].get(name) !== value)
			.map(([name]) => {
				if (before[at].has(name)) Reflect.set(prototype, name, before[at].get(name));
				else Reflect.deleteProperty(prototype, name);
				return `${prototype.constructor.name}.prototype.${String(name)} was changed`;
			}),
	);
}

/** Of plain JSON. In Jest, structuredClone gives objects with the prototypes of Node, not of the test. */
const [ofLists, ofObjects] = [[], {}].map((one): unknown[] => [
	Object.getPrototypeOf(one),
	Object.getPrototypeOf(structuredClone(one)),
]);

/** Finds objects whose prototype is not that of plain JSON. */
export function strangePrototypes(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const prototypes = Array.isArray(value) ? ofLists : ofObjects;
	const isPlain = prototypes.includes(Object.getPrototypeOf(value));
	const own = isPlain ? [] : ['a result has a foreign prototype'];
	return [...own, ...Object.values(value).flatMap(strangePrototypes)];
}

function bodyOf({ status, text }: Exchange): unknown {
	if (status < 200 || status > 299) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The objects in a response: one, or the results of a page or list. */
export function objectsIn(exchange: Exchange): Result[] {
	const body = bodyOf(exchange);
	const results = isObject(body) && Array.isArray(body.results) ? body.results : [];
	return [body, ...results].flat().filter(isObject);
}

/** Whether the node gave the value that the service sent. It gives numbers that JavaScript cannot hold as text. */
function isSame(out: unknown, sent: unknown): boolean {
	if (Array.isArray(out))
		return (
			Array.isArray(sent) &&
			out.length === sent.length &&
			out.every((one, at) => isSame(one, sent[at]))
		);
	if (isObject(out)) {
		if (!isObject(sent)) return false;
		const names = namesIn(sent, out);
		return (
			names.length === Object.keys(out).length &&
			names.every((name) => Object.hasOwn(out, name) && isSame(out[name], sent[name]))
		);
	}
	if (typeof sent === 'number' && typeof out === 'string')
		return /^-?\d/.test(out) && Number(out) === sent;
	return out === sent;
}

const isCardName = (name: string) => /^(card_data|card_number|security_code)$/.test(name);

/** The fields that the node must give. It gives card data only on request, under any name. */
const namesIn = (sent: Result, out: Result) =>
	Object.keys(sent).filter((name) => {
		const { [name]: value } = sent;
		const isCard = isCardName(name) || (isObject(value) && Object.keys(value).some(isCardName));
		return !isCard || Object.hasOwn(out, name);
	});

/** Fields that Simplify makes of others. */
export const madeFields = ['payer', 'customer', 'customer_email', 'items'];

/** Whether the service sent a result. `added`: fields that the node adds. `isPart`: the result may lack fields. */
export function wasSent(out: Result, sent: Result[], added: string[], isPart: boolean): boolean {
	const names = Object.keys(out).filter((name) => !added.includes(name));
	// Simplify shows due dates as days.
	const isDay = (name: string, shown: unknown, given: unknown) =>
		isPart && name === 'due_date' && String(given).startsWith(`${String(shown)}T00:00`);
	const isShownAs = (name: string, shown: unknown, given: unknown) =>
		isSame(shown, given) || isDay(name, shown, given);
	return sent.some(
		(one) =>
			names.every((name) => Object.hasOwn(one, name) && isShownAs(name, out[name], one[name])) &&
			(isPart || namesIn(one, out).every((name) => Object.hasOwn(out, name))),
	);
}

/** The lowest count of all pages, because the list may become shorter. 0 if a page has no count. */
export function claimedCount(exchanges: Exchange[]): number {
	const counts = exchanges
		.filter(({ status }) => status === 200)
		.map(bodyOf)
		.filter(isObject)
		.map(({ count }) => (Number.isInteger(count) && Number(count) >= 0 ? Number(count) : 0));
	return counts.length ? Math.min(...counts) : 0;
}
