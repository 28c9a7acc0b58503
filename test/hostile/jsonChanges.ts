import type { Dice } from '../helpers/dice';
import { textOf } from './answer';
import type { Change } from './change';
import { change, failure } from './change';
import type { Json, Slot } from './json';
import {
	again,
	edit,
	editAllNamed,
	editSlots,
	isObject,
	raw,
	remove,
	resultsOf,
	set,
	slotsIn,
	valueOf,
} from './json';

const megabyte = 1024 * 1024;

/** Wrong values of every type. */
const values = [
	'null', 'true', 'false', '0', '-1', '1', '-0', '1.5', '1e400', '-1e400', '1e-400', '9007199254740993',
	'123456789012345678901234567890.123', '1E5', '""', '" "', '"x"', '"null"', '"0"', '"true"', '"[object Object]"', '"\\u0000"',
	'"\\ud800"', '"\\udc00x"', '"\\u202e\\ufeff"', '"__proto__"', '"1e999"', '"9999-99-99"', '"2026-13-45T99:99:99Z"',
	'"+275760-09-13T00:00:00.001Z"', '"-271821-04-19T23:59:59Z"', '"1970-01-01"', '"2999-01-01T00:00:00Z"', '"<b>x</b>"',
	'[]', '{}', '[null]', '[[]]', '[{}]', '[1,"a",null]', '{"id":null}', '{"id":{}}', '{"length":-1}', '{"toString":1,"valueOf":2}',
	'{"then":1,"toJSON":"x"}', '{"__proto__":{"polluted":"yes","status":"paid","id":"evil"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}',
]; // prettier-ignore

/** Inherited names of objects, and names that the node adds. */
const wickedPairs: Array<[string, string]> = [
	['__proto__', '{"polluted":"yes","id":"evil","status":"paid","outcome":"created","results":[],"count":0}'],
	['__proto__', 'null'], ['__proto__', '[]'], ['constructor', '{"prototype":{"polluted":"yes"}}'], ['constructor', 'null'],
	['prototype', '{"polluted":"yes"}'], ['toString', '1'], ['valueOf', 'null'], ['toJSON', '"x"'], ['hasOwnProperty', '1'],
	['length', '-1'], ['length', '4294967296'], ['then', '{}'], ['error', '"made up"'], ['outcome', '"found"'], ['json', '{}'],
	['binary', '{"a":1}'], ['pairedItem', '{"item":99}'], ['__defineGetter__', '1'], ['', '"no name"'], ['id', '"another"'],
]; // prettier-ignore

const dates = [
	'"2999-01-01T00:00:00Z"', '"1900-01-01T00:00:00Z"', '"no date"', '""', '0', 'null', '1e400', '{}', '[]', 'true',
	'"2026-02-30T00:00:00Z"', '"+275760-09-13T00:00:00.001Z"', '"2026-06-01"', '"1780000000"', '1780000000000',
]; // prettier-ignore

const wholes = [
	'null', '0', '"text"', 'true', '[]', '{}', '[[]]', '[null]', '[1]', '{"ok":true}', '{"data":{}}', '{"result":"created"}',
	'{"error":"No"}', '{"id":null}', '{"id":""}', '{"id":{}}', '{"id":[]}', '{"id":false}', '{"results":null}', '{"results":{}}',
	'{"results":"x"}', '{"count":1e400,"results":[]}', '{"results":[null]}', '{"results":[[]]}', '{"results":[1]}',
	'{"count":5,"results":[],"next":null}', '{"__proto__":{"id":"evil","results":[{"id":"evil"}]}}',
]; // prettier-ignore

/** Other types of IDs. */
const forms: Record<string, (id: Json, at: number) => Json> = {
	number: (_id, at) => at + 1,
	empty: () => '',
	null: () => null,
	same: () => '00000000-0000-4000-8000-000000000000',
	object: () => ({ id: 1 }),
	list: () => [1],
	true: () => true,
	huge: (_id, at) => raw(`9007199254740993${at}`),
	upper: (id) => (typeof id === 'string' ? id.toUpperCase() : id),
};

const brokenUtf8 = [
	...[[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80], [0x80], [0xc0, 0x80]],
	[0xfe, 0xff],
];

const levels: Array<(depth: number) => string> = [
	(depth) => '['.repeat(depth) + ']'.repeat(depth),
	(depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
];

const anyValue = (slot: Slot, dice: Dice) => set(slot, raw(dice.pick(values)));

/** Turns numbers into text, numeric text into numbers, and objects into JSON text. */
function otherType(slot: Slot): void {
	const value = valueOf(slot);
	if (typeof value !== 'string')
		set(slot, typeof value === 'object' ? JSON.stringify(value) : String(value));
	else if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) set(slot, raw(value));
}

function swap(one: Slot, other: Slot): void {
	const [value, otherValue] = [valueOf(one), valueOf(other)];
	const holds = (outer: Json, inner: Slot) =>
		slotsIn(outer).some(({ holder, name }) => holder === inner.holder && name === inner.name);
	if (holds(value, other) || holds(otherValue, one)) return;
	set(one, otherValue);
	set(other, value);
}

function addWickedNames(tree: Json, dice: Dice): void {
	const all = [tree, ...slotsIn(tree).map(valueOf)];
	for (let count = dice.int(1, 4); count > 0; count--) {
		const [name, value] = dice.pick(wickedPairs);
		const holder = dice.chance(50) ? dice.pick(resultsOf(tree)) : dice.pick(all);
		if (!isObject(holder)) continue;
		const before = Object.entries(holder);
		const isFirst = dice.chance(50);
		if (isFirst) for (const [known] of before) delete holder[known];
		holder[again(name)] = raw(value);
		if (isFirst) Object.assign(holder, Object.fromEntries(before));
	}
}

const text =
	(changed: (text: string, dice: Dice) => string | Buffer): Change['apply'] =>
	(answer, dice) =>
		void (answer.body = Buffer.from(changed(textOf(answer), dice)));

const almostJson: Array<(from: string) => string> = [
	(from) => from.replace(/"/g, "'"),
	(from) => from.replace(/,/, ',,'),
	(from) => from.replace(/:(\d+)/, ':NaN'),
	(from) => from.replace(/:(\d+)/, ':0$1'),
	(from) => from.replace(/:(\d+)/, ':+$1'),
	(from) => from.replace(/:(\d+)/, ':0x$1'),
	(from) => from.replace('{', '{/* x */'),
	(from) => from.replace(/}$/, ',}'),
	(from) => from.replace(/"/, '"\n'),
];

const slotChange = (name: string, weight: number, ...args: Parameters<typeof editSlots>) =>
	change(name, weight, editSlots(...args));
const treeChange = (name: string, weight: number, apply: Parameters<typeof edit>[0]) =>
	change(name, weight, edit(apply));
const textChange = (name: string, weight: number, apply: Parameters<typeof text>[0]) =>
	change(name, weight, text(apply));
const failedText = (name: string, weight: number, apply: Parameters<typeof text>[0]) =>
	change(name, weight, text(apply), failure);

/** Wrong bodies. */
export const jsonChanges: Change[] = [
	slotChange('another value', 20, anyValue),
	change('another value wherever the name stands', 12, editAllNamed(anyValue)),
	slotChange('a text for a number and a number for a text', 6, otherType),
	slotChange('a field removed', 8, remove),
	change(
		'a field removed everywhere',
		6,
		editAllNamed(remove, [
			...['id', 'created', 'count', 'next', 'results', 'invoice_number', 'status', 'customer'],
			...['currency', 'reference_id'],
		]),
	),
	slotChange('a field renamed', 5, (slot, dice) => {
		const names = ['Id', 'ID', ' id', '__proto__', 'constructor', 'toString', 'results', 'id', ''];
		if (Array.isArray(slot.holder)) return;
		slot.holder[again(dice.pick(names))] = valueOf(slot);
		remove(slot);
	}),
	slotChange('a field twice', 5, (slot, dice) => {
		if (!Array.isArray(slot.holder)) slot.holder[again(slot.name)] = raw(dice.pick(values));
	}),
	slotChange('two values swapped', 4, (slot, dice, all) => swap(slot, dice.pick(all))),
	treeChange('wicked names', 12, addWickedNames),
	change(
		'dates that are none',
		5,
		editAllNamed(
			(slot, dice) => set(slot, raw(dice.pick(dates))),
			['created', 'due_date', 'expiry', 'starts_at'],
		),
	),
	slotChange('one date that is none', 5, (slot, dice) => set(slot, raw(dice.pick(dates))), [
		'created',
		'due_date',
	]),
	treeChange('IDs of another form', 6, (tree, dice) => {
		const form = forms[dice.pick(Object.keys(forms))];
		resultsOf(tree).forEach((one, at) => {
			if (isObject(one)) one.id = form(one.id, at);
		});
	}),
	treeChange('some without an ID', 3, (tree, dice) => {
		for (const one of resultsOf(tree)) if (isObject(one) && dice.chance(50)) delete one.id;
	}),
	failedText('another whole', 8, (_all, dice) => dice.pick(wholes)),
	treeChange('wrapped', 3, (tree, dice) =>
		dice.pick<Json>([[tree], { data: tree }, resultsOf(tree), [tree, tree]]),
	),
	treeChange('results that are none among them', 3, (tree, dice) => {
		const results = isObject(tree) ? tree.results : tree;
		if (Array.isArray(results))
			results.splice(dice.int(0, results.length), 0, raw(dice.pick(values)));
	}),
	slotChange('10,000 levels', 2, (slot, dice) =>
		set(slot, raw(dice.pick(levels)(dice.pick([150, 250, 10_000, 100_000])))),
	),
	failedText('10,000 levels that do not end', 1, (_all, dice) =>
		dice.pick(['[', '{"a":', '[{"a":']).repeat(10_000),
	),
	slotChange('a text of a megabyte', 1, (slot, dice) =>
		set(slot, dice.pick(['x', '\\', '"', ' ', '4', '&', '%']).repeat(megabyte)),
	),
	change('fifty megabytes', 0.5, (answer, dice) => {
		const { body } = answer;
		const at = dice.chance(50) ? body.length : body.indexOf(',') + 1;
		const much = Buffer.alloc(50 * megabyte, ' ');
		answer.body = Buffer.concat([body.subarray(0, at), much, body.subarray(at)]);
	}),
	textChange('cut text', 3, (all, dice) => all.slice(0, dice.int(0, all.length - 1))),
	textChange(
		'more text behind it',
		2,
		(all, dice) => all + dice.pick(['x', '}', all, '\u0000', ',', '<!-- -->', '\n\n']),
	),
	textChange('text before it', 2, (all, dice) => {
		const before = ['\ufeff', '\ufeff\ufeff', ")]}',\n", '\n', 'callback(', '\u00a0', '\u0000'];
		return dice.pick(before) + all;
	}),
	textChange('almost JSON', 2, (all, dice) => dice.pick(almostJson)(all)),
	textChange('no UTF-8', 4, (all, dice) => {
		const bytes = Buffer.from(all);
		const at = dice.int(0, bytes.length);
		const wrong = Buffer.from(dice.pick(brokenUtf8));
		return Buffer.concat([bytes.subarray(0, at), wrong, bytes.subarray(at)]);
	}),
	textChange('another encoding', 1, (all, dice) =>
		Buffer.from(all, dice.pick(['utf16le', 'latin1', 'base64'] as const)),
	),
	slotChange('lone surrogates', 1, (slot, dice) =>
		set(slot, raw(dice.pick(['"\\ud83d"', '"a\\udead"', '"\\ud83d\\ud83d"']))),
	),
];
