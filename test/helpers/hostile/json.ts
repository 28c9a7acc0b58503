/** JSON as it is written, in which names may come twice and numbers may be any: what no JavaScript object could hold. */
export type Json = { raw: string } | { items: Json[] } | { pairs: Array<[string, Json]> };

export const raw = (text: string): Json => ({ raw: text });

/** Any value that JSON can hold. */
export function toTree(value: unknown): Json {
	if (Array.isArray(value)) return { items: value.map(toTree) };
	if (typeof value !== 'object' || value === null) return raw(JSON.stringify(value) ?? 'null');
	return { pairs: Object.entries(value).map(([name, inner]) => [name, toTree(inner)]) };
}

export function write(tree: Json): string {
	if ('raw' in tree) return tree.raw;
	if ('items' in tree) return `[${tree.items.map(write).join(',')}]`;
	const pairs = tree.pairs.map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`);
	return `{${pairs.join(',')}}`;
}

/** Where a value stands: in a list, or under a name. */
export interface Slot {
	name: string;
	value: Json;
	set(value: Json): void;
	remove(): void;
	/** Only for what stands under a name. */
	rename(name: string): void;
	/** Puts something in front of it, under the same name where it has one. */
	double(value: Json): void;
}

/** Every place of a tree but the whole. */
export function slotsIn(tree: Json): Slot[] {
	if ('raw' in tree) return [];
	if ('items' in tree) {
		const { items } = tree;
		return items.flatMap((value) => {
			const at = () => items.indexOf(value);
			const slot: Slot = {
				name: '',
				value,
				set: (other) => void items.splice(at(), 1, other),
				remove: () => void items.splice(at(), 1),
				rename: () => undefined,
				double: (other) => void items.splice(at(), 0, other),
			};
			return [slot, ...slotsIn(value)];
		});
	}
	const { pairs } = tree;
	return pairs.flatMap((pair) => {
		const slot: Slot = {
			name: pair[0],
			value: pair[1],
			set: (other) => void (pair[1] = other),
			remove: () => void pairs.splice(pairs.indexOf(pair), 1),
			rename: (name) => void (pair[0] = name),
			double: (other) => void pairs.splice(pairs.indexOf(pair), 0, [pair[0], other]),
		};
		return [slot, ...slotsIn(pair[1])];
	});
}

/** What stands under a name in an object. */
export const valueIn = (tree: Json, name: string): Json | undefined =>
	'pairs' in tree ? tree.pairs.find(([own]) => own === name)?.[1] : undefined;

/** Sets what stands under a name in an object, or adds it. */
export function put(tree: Json, name: string, value: Json): void {
	if (!('pairs' in tree)) return;
	const pair = tree.pairs.find(([own]) => own === name);
	if (pair) pair[1] = value;
	else tree.pairs.push([name, value]);
}

export function takeOut(tree: Json, name: string): void {
	if ('pairs' in tree) tree.pairs = tree.pairs.filter(([own]) => own !== name);
}
