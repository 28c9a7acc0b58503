import type { Change } from './change';
import { change } from './change';
import { editPage, isObject, raw } from './json';

const counts = [
	'0', '1', '-1', '1.5', '1e400', '1e15', '"12"', '"many"', 'null', 'true', '[]', '[7]', '{}', '999999999', '2147483648',
]; // prettier-ignore
const next = 'http://127.0.0.1:9/v1/charges?page=2';
const nexts = [next, true, 1, 0, '', [], {}, 'x'];
const madeUpId = (made: number) => `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;

const resultsIn = ({ results }: { results?: unknown }) => results as [];

type ChangePage = Parameters<typeof editPage>[0];
const pageChange = (name: string, weight: number, apply: ChangePage) =>
	change(name, weight, editPage(apply));

/** Pages that lie about their list. */
export const pageChanges: Change[] = [
	pageChange('another count', 4, (page, dice) => void (page.count = raw(dice.pick(counts)))),
	pageChange(
		'a count that is off by a few',
		3,
		(page, dice) => void (page.count = Number(page.count) + dice.pick([-3, -1, 1, 2, 20])),
	),
	pageChange('another next', 4, (page, dice, { foreignUrl }) => {
		page.next = dice.pick([...nexts, `${foreignUrl}/v1/charges?page=2`]);
	}),
	pageChange('next too early null', 2, (page) => void (page.next = null)),
	pageChange('no count, next too early null', 1, (page) => {
		delete page.count;
		page.next = null;
	}),
	change('the same page for ever', 4, (answer, dice, memory) => {
		if (answer.status !== 200) return;
		memory.firstBody ??= answer.body;
		answer.body = memory.firstBody;
		if (dice.chance(80)) editPage((page) => void (page.next = next))(answer, dice, memory);
	}),
	pageChange('pages that never end', 1, (page, _dice, memory) => {
		for (const result of resultsIn(page))
			if (isObject(result)) Object.assign(result, { id: madeUpId((memory.made += 1)) });
		Object.assign(page, { next, count: memory.made + 1000 });
	}),
	pageChange(
		'empty pages that never end',
		1,
		(page) => void Object.assign(page, { results: [], next }),
	),
	pageChange('results twice', 3, (page, dice) => {
		const results = resultsIn(page);
		page.results = dice.shuffle([...results, ...results.slice(0, dice.int(1, 3))]);
	}),
	pageChange(
		'in another order',
		2,
		(page, dice) => void (page.results = dice.shuffle(resultsIn(page))),
	),
	pageChange(
		'some results missing',
		3,
		(page, dice) => void (page.results = resultsIn(page).filter(() => dice.chance(60))),
	),
	pageChange('no results', 2, (page) => void (page.results = [])),
	pageChange(
		'an empty list',
		1,
		(page) => void Object.assign(page, { results: [], count: 0, next: null }),
	),
	change('results of another page', 2, (answer, _dice, memory) => {
		const { firstBody = answer.body } = memory;
		memory.firstBody = answer.body;
		answer.body = firstBody;
	}),
];
