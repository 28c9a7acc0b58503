import type { Dice } from '../helpers/dice';
import type { Answer } from './answer';
import { textOf } from './answer';
import type { Change, Memory } from './change';

/** JSON that a test edits. `raw` inserts text that no JavaScript value gives, `again` a duplicate name. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = Extract<Json, { [name: string]: Json }>;

/** A place in a body. */
export interface Slot {
	holder: Record<string, Json>;
	name: string;
}

const mark = '\u0001';
let texts: string[] = [];

/** A value that appears as this text in the body. */
export function raw(text: string): Json {
	texts.push(text);
	return `${mark}${texts.length - 1}${mark}`;
}

/** The same name again, even one like `__proto__`. */
export const again = (name: string) => `${name}${mark}${texts.length}`;

const write = (tree: Json): string =>
	JSON.stringify(tree)
		.replace(/"\\u0001(\d+)\\u0001"/g, (_all, at: string) => texts[Number(at)])
		.replace(/\\u0001\d+":/g, '":');

export const isObject = (value: Json | undefined): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export function slotsIn(tree: Json): Slot[] {
	if (typeof tree !== 'object' || tree === null) return [];
	const holder = tree as Record<string, Json>;
	return Object.entries(holder).flatMap(([name, value]) => [{ holder, name }, ...slotsIn(value)]);
}

export const valueOf = ({ holder, name }: Slot) => holder[name];
export const set = ({ holder, name }: Slot, value: Json) => void (holder[name] = value);
export function remove({ holder, name }: Slot): void {
	if (Array.isArray(holder)) holder.splice(Number(name), 1);
	else delete holder[name];
}

/** The results of a page or a list, or the one object. */
export function resultsOf(tree: Json): Json[] {
	const results = isObject(tree) ? (tree.results ?? tree) : tree;
	return Array.isArray(results) ? results : [tree];
}

/** Edits a body that is JSON. */
export const edit =
	(change: (tree: Json, dice: Dice, memory: Memory) => Json | void): Change['apply'] =>
	(answer: Answer, dice, memory) => {
		let tree: Json;
		try {
			tree = JSON.parse(textOf(answer)) as Json;
		} catch {
			return;
		}
		texts = [];
		const changed = change(tree, dice, memory);
		answer.body = Buffer.from(write(changed === undefined ? tree : changed));
	};

/** Edits some random places of the body. `names`: only places with one of these names. */
export const editSlots = (
	change: (slot: Slot, dice: Dice, all: Slot[]) => void,
	names?: readonly string[],
) =>
	edit((tree, dice) => {
		const all = slotsIn(tree).filter(({ name }) => names?.includes(name) ?? true);
		for (let count = dice.pick([1, 1, 1, 2, 5]); all.length && count > 0; count--)
			change(dice.pick(all), dice, all);
	});

/** Edits every place with a random name, for example in each result of a list. */
export const editAllNamed = (change: (slot: Slot, dice: Dice) => void, names?: readonly string[]) =>
	edit((tree, dice) => {
		const all = slotsIn(tree);
		const drawn = names ? dice.pick(names) : all.length && dice.pick(all).name;
		for (const slot of all.filter(({ name }) => name === drawn)) change(slot, dice);
	});

/** Edits the body if it is a page of a list. */
export const editPage = (change: (page: JsonObject, dice: Dice, memory: Memory) => void) =>
	edit((tree, dice, memory) => {
		if (isObject(tree) && Array.isArray(tree.results)) change(tree, dice, memory);
	});
