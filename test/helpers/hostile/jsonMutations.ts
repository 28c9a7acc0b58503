import type { Dice } from '../anySheet/dice';
import type { Json, Slot } from './json';
import { put, raw, slotsIn, takeOut, toTree, valueIn, write } from './json';
import type { CaseMemory, Mutation, Reply } from './reply';
import { textOf } from './reply';

const megabyte = 1024 * 1024;

/** Values that stand for any other, of every type. */
const values = [
	'null', 'true', 'false', '0', '-1', '1', '-0', '1.5', '1e400', '-1e400', '1e-400', '9007199254740993',
	'123456789012345678901234567890.123', '1E5', '""', '" "', '"x"', '"null"', '"0"', '"true"', '"[object Object]"', '"\\u0000"',
	'"\\ud800"', '"\\udc00x"', '"\\u202e\\ufeff"', '"__proto__"', '"1e999"', '"9999-99-99"', '"2026-13-45T99:99:99Z"',
	'"+275760-09-13T00:00:00.001Z"', '"-271821-04-19T23:59:59Z"', '"1970-01-01"', '"2999-01-01T00:00:00Z"', '"<b>x</b>"',
	'[]', '{}', '[null]', '[[]]', '[{}]', '[1,"a",null]', '{"id":null}', '{"id":{}}', '{"length":-1}', '{"toString":1,"valueOf":2}',
	'{"then":1,"toJSON":"x"}', '{"__proto__":{"polluted":"yes","status":"paid","id":"evil"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}',
]; // prettier-ignore

/** Names that objects have without having them. */
const wickedPairs: Array<[string, string]> = [
	['__proto__', '{"polluted":"yes","id":"evil","status":"paid","outcome":"created","results":[],"count":0}'],
	['__proto__', 'null'],
	['__proto__', '[]'],
	['constructor', '{"prototype":{"polluted":"yes"}}'],
	['constructor', 'null'],
	['prototype', '{"polluted":"yes"}'],
	['toString', '1'],
	['valueOf', 'null'],
	['toJSON', '"x"'],
	['hasOwnProperty', '1'],
	['length', '-1'],
	['length', '4294967296'],
	['then', '{}'],
	['error', '"made up"'],
	['outcome', '"found"'],
	['json', '{}'],
	['binary', '{"a":1}'],
	['pairedItem', '{"item":99}'],
	['__defineGetter__', '1'],
	['', '"no name"'],
	['id', '"another"'],
]; // prettier-ignore

const dates = [
	'"2999-01-01T00:00:00Z"', '"1900-01-01T00:00:00Z"', '"no date"', '""', '0', 'null', '1e400', '{}', '[]', 'true',
	'"2026-02-30T00:00:00Z"', '"+275760-09-13T00:00:00.001Z"', '"2026-06-01"', '"1780000000"', '1780000000000',
]; // prettier-ignore

const open = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const openObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

type Change = (tree: Json, dice: Dice, memory: CaseMemory) => Json | void;

/** Edits the body as a tree. A body that is no JSON is left alone, and so is one that is not meant (`isIt`). */
export const edit =
	(change: Change, isIt: (tree: Json) => boolean = () => true) =>
	(reply: Reply, dice: Dice, memory: CaseMemory) => {
		let tree: Json;
		try {
			tree = toTree(JSON.parse(textOf(reply)));
		} catch {
			return;
		}
		if (isIt(tree)) reply.body = Buffer.from(write(change(tree, dice, memory) ?? tree));
	};

/** Edits some places of the body. */
const editSlots = (
	change: (slot: Slot, dice: Dice, all: Slot[]) => void,
	isIt: (slot: Slot) => boolean = () => true,
) =>
	edit((tree, dice) => {
		const all = slotsIn(tree).filter(isIt);
		if (!all.length) return;
		for (let count = dice.pick([1, 1, 1, 2, 5]); count > 0; count--)
			change(dice.pick(all), dice, all);
	});

/** Edits every place with a name that is drawn: in each result of a list, for example. */
const editAllNamed = (names: string[], change: (slot: Slot, dice: Dice, at: number) => void) =>
	edit((tree, dice) => {
		const name = dice.pick(names);
		slotsIn(tree)
			.filter((slot) => slot.name === name)
			.forEach((slot, at) => change(slot, dice, at));
	});

/** The results of a page or a list, or the one object. */
export function resultsOf(tree: Json): Json[] {
	const results = valueIn(tree, 'results') ?? tree;
	return 'items' in results ? results.items : [tree];
}

const text =
	(change: (text: string, dice: Dice) => string | Buffer) => (reply: Reply, dice: Dice) => {
		const changed = change(textOf(reply), dice);
		reply.body = typeof changed === 'string' ? Buffer.from(changed) : changed;
	};

/** What a body can be in place of what it should be. */
export const jsonMutations: Mutation[] = [
	{
		name: 'another value',
		weight: 20,
		apply: editSlots((slot, dice) => slot.set(raw(dice.pick(values)))),
	},
	{
		name: 'another value wherever the name stands',
		weight: 12,
		apply: edit((tree, dice) => {
			const all = slotsIn(tree);
			if (!all.length) return;
			const { name } = dice.pick(all);
			const value = raw(dice.pick(values));
			all.filter((slot) => slot.name === name).forEach((slot) => slot.set(value));
		}),
	},
	{
		name: 'a text for a number and a number for a text',
		weight: 6,
		apply: editSlots((slot) => {
			const { value } = slot;
			if (!('raw' in value)) return slot.set(raw(JSON.stringify(write(value))));
			const isText = value.raw.startsWith('"');
			const inner = isText ? String(JSON.parse(value.raw)) : value.raw;
			const isNumber = /^-?\d+(\.\d+)?$/.test(inner) && !/^-?0\d/.test(inner);
			slot.set(raw(isText && isNumber ? inner : JSON.stringify(inner)));
		}),
	},
	{ name: 'a field removed', weight: 8, apply: editSlots((slot) => slot.remove()) },
	{
		name: 'a field removed everywhere',
		weight: 6,
		apply: editAllNamed(
			[
				'id',
				'created',
				'count',
				'next',
				'results',
				'invoice_number',
				'status',
				'customer',
				'currency',
				'reference_id',
			],
			(slot) => slot.remove(),
		),
	},
	{
		name: 'a field renamed',
		weight: 5,
		apply: editSlots((slot, dice) =>
			slot.rename(
				dice.pick(['Id', 'ID', ' id', '__proto__', 'constructor', 'toString', 'results', 'id', '']),
			),
		),
	},
	{
		name: 'a field twice',
		weight: 5,
		apply: editSlots((slot, dice) => slot.double(raw(dice.pick(values)))),
	},
	{
		name: 'two values swapped',
		weight: 4,
		apply: editSlots((slot, dice, all) => {
			const other = dice.pick(all);
			const isInside = slotsIn(slot.value).some(({ value }) => value === other.value);
			const holds = slotsIn(other.value).some(({ value }) => value === slot.value);
			if (isInside || holds) return;
			const { value } = slot;
			slot.set(other.value);
			other.set(value);
		}),
	},
	{
		name: 'wicked names',
		weight: 12,
		apply: edit((tree, dice) => {
			const objects = [tree, ...slotsIn(tree).map(({ value }) => value)];
			for (let count = dice.int(1, 4); count > 0; count--) {
				const [name, value] = dice.pick(wickedPairs);
				const holder = dice.chance(50) ? dice.pick(resultsOf(tree)) : dice.pick(objects);
				if (holder && 'pairs' in holder) {
					if (dice.chance(50)) holder.pairs.push([name, raw(value)]);
					else holder.pairs.unshift([name, raw(value)]);
				}
			}
		}),
	},
	{
		name: 'dates that are none',
		weight: 5,
		apply: editAllNamed(['created', 'due_date', 'expiry', 'starts_at'], (slot, dice) =>
			slot.set(raw(dice.pick(dates))),
		),
	},
	{
		name: 'one date that is none',
		weight: 5,
		apply: editSlots(
			(slot, dice) => slot.set(raw(dice.pick(dates))),
			({ name }) => name === 'created' || name === 'due_date',
		),
	},
	{
		name: 'IDs of another form',
		weight: 6,
		apply: edit((tree, dice) => {
			const form = dice.pick([
				'number',
				'empty',
				'null',
				'same',
				'object',
				'list',
				'true',
				'huge',
				'upper',
			]);
			resultsOf(tree).forEach((result, at) => {
				const forms: Record<string, () => string> = {
					number: () => String(at + 1),
					empty: () => '""',
					null: () => 'null',
					same: () => '"00000000-0000-4000-8000-000000000000"',
					object: () => '{"id":1}',
					list: () => '[1]',
					true: () => 'true',
					huge: () => `9007199254740993${at}`,
					upper: () =>
						write(valueIn(result, 'id') ?? raw('null'))
							.toUpperCase()
							.replace('NULL', 'null'),
				};
				put(result, 'id', raw(forms[form]()));
			});
		}),
	},
	{
		name: 'some without an ID',
		weight: 3,
		apply: edit((tree, dice) => {
			for (const result of resultsOf(tree)) if (dice.chance(50)) takeOut(result, 'id');
		}),
	},
	{
		name: 'another whole',
		weight: 8,
		isFailure: true,
		apply: (reply, dice) => {
			reply.body = Buffer.from(
				dice.pick(['null', '0', '"text"', 'true', '[]', '{}', '[[]]', '[null]', '[1]', '{"ok":true}', '{"data":{}}', '{"result":"created"}',
					'{"error":"No"}', '{"id":null}', '{"id":""}', '{"id":{}}', '{"id":[]}', '{"id":false}', '{"results":null}', '{"results":{}}', '{"results":"x"}',
					'{"count":1e400,"results":[]}', '{"results":[null]}', '{"results":[[]]}', '{"results":[1]}', '{"count":5,"results":[],"next":null}',
					'{"__proto__":{"id":"evil","results":[{"id":"evil"}]}}']), // prettier-ignore
			);
		},
	},
	{
		name: 'wrapped',
		weight: 3,
		apply: edit((tree, dice) =>
			dice.pick<Json>([
				{ items: [tree] },
				{ pairs: [['data', tree]] },
				{ items: resultsOf(tree) },
				{ items: [tree, tree] },
			]),
		),
	},
	{
		name: 'results that are none among them',
		weight: 3,
		apply: edit((tree, dice) => {
			const results = valueIn(tree, 'results') ?? tree;
			if ('items' in results)
				results.items.splice(dice.int(0, results.items.length), 0, raw(dice.pick(values)));
		}),
	},
	{
		name: '10,000 levels',
		weight: 2,
		apply: editSlots((slot, dice) =>
			slot.set(raw(dice.pick([open, openObjects])(dice.pick([150, 250, 10_000, 100_000])))),
		),
	},
	{
		name: '10,000 levels that do not end',
		isFailure: true,
		apply: (reply, dice) => {
			reply.body = Buffer.from(dice.pick(['[', '{"a":', '[{"a":']).repeat(10_000));
		},
	},
	{
		name: 'a text of a megabyte',
		apply: editSlots((slot, dice) =>
			slot.set(
				raw(JSON.stringify(dice.pick(['x', '\\', '"', ' ', '4', '&', '%']).repeat(megabyte))),
			),
		),
	},
	{
		name: 'fifty megabytes',
		weight: 0.5,
		apply: (reply, dice) => {
			const much = Buffer.alloc(50 * megabyte, ' ');
			const inside = () => {
				const at = reply.body.indexOf(0x2c) + 1;
				return [reply.body.subarray(0, at), much, reply.body.subarray(at)];
			};
			reply.body = Buffer.concat(dice.chance(50) ? [reply.body, much] : inside());
		},
	},
	{
		name: 'cut text',
		weight: 3,
		apply: text((all, dice) => all.slice(0, dice.int(0, all.length - 1))),
	},
	{
		name: 'more text behind it',
		weight: 2,
		apply: text((all, dice) => all + dice.pick(['x', '}', all, '\u0000', ',', '<!-- -->', '\n\n'])),
	},
	{
		name: 'text before it',
		weight: 2,
		apply: text(
			(all, dice) =>
				dice.pick(['\ufeff', '\ufeff\ufeff', ")]}',\n", '\n', 'callback(', '\u00a0', '\u0000']) +
				all,
		),
	},
	{
		name: 'almost JSON',
		weight: 2,
		apply: text((all, dice) =>
			dice.pick<(from: string) => string>([
				(from) => from.replace(/"/g, "'"),
				(from) => from.replace(/,/, ',,'),
				(from) => from.replace(/:(\d+)/, ':NaN'),
				(from) => from.replace(/:(\d+)/, ':0$1'),
				(from) => from.replace(/:(\d+)/, ':+$1'),
				(from) => from.replace(/:(\d+)/, ':0x$1'),
				(from) => from.replace('{', '{/* x */'),
				(from) => from.replace(/}$/, ',}'),
				(from) => from.replace(/"/, '"\n'),
			])(all),
		),
	},
	{
		name: 'no UTF-8',
		weight: 4,
		apply: text((all, dice) => {
			const bytes = Buffer.from(all);
			const at = dice.int(0, bytes.length);
			const wrong = dice.pick([
				[0xff],
				[0xc3],
				[0xed, 0xa0, 0x80],
				[0xf8, 0x88, 0x80, 0x80],
				[0x80],
				[0xc0, 0x80],
				[0xfe, 0xff],
			]);
			return Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)]);
		}),
	},
	{
		name: 'another encoding',
		apply: text((all, dice) =>
			Buffer.from(all, dice.pick(['utf16le', 'latin1', 'base64'] as const)),
		),
	},
	{
		name: 'lone surrogates',
		apply: editSlots((slot, dice) =>
			slot.set(raw(dice.pick(['"\\ud83d"', '"a\\udead"', '"\\ud83d\\ud83d"']))),
		),
	},
];
