import type { Wish } from '../../nodes/shared/line';
import { Line } from '../../nodes/shared/line';
import { delay } from '../../scripts/node';

const wish = (change: Partial<Wish> = {}): Wish => ({
	size: 2,
	mayWait: () => true,
	signal: new AbortController().signal,
	...change,
});

/** Stands in line under a name, and notes it when it is let in or sent away. */
function queue(line: Line) {
	const seen: string[] = [];
	const stand = (name: string, change?: Partial<Wish>) =>
		void line.enter(wish(change)).then((admission) => seen.push(`${name} ${admission}`));
	return { seen, stand };
}

test('lets in as many as the first in line bears, in order, and those that come again first', async () => {
	const line = new Line();
	const { seen, stand } = queue(line);
	for (const name of ['a', 'b', 'c', 'd']) stand(name);
	stand('e', { isRepeat: true });
	stand('f', { isRepeat: true });
	await delay(0);
	expect(seen).toEqual(['a admitted', 'b admitted']);
	for (let left = 0; left < 4; left++) {
		line.leave();
		await delay(0);
	}
	expect(seen.slice(2)).toEqual(['e admitted', 'f admitted', 'c admitted', 'd admitted']);
});

test('a small size is not overtaken by larger ones', async () => {
	const line = new Line();
	const { seen, stand } = queue(line);
	for (const name of ['a', 'b']) stand(name, { size: 5 });
	stand('small', { size: 1 });
	stand('c', { size: 5 });
	line.leave();
	await delay(0);
	expect(seen).toEqual(['a admitted', 'b admitted']);
	line.leave();
	await delay(0);
	expect(seen.slice(2)).toEqual(['small admitted', 'c admitted']);
});

test('sends away those that are not wanted any more, in line or not yet', async () => {
	const line = new Line();
	const { seen, stand } = queue(line);
	const stop = new AbortController();
	stand('a', { size: 1 });
	stand('b', { size: 1, signal: stop.signal });
	stand('c', { size: 1 });
	stop.abort();
	line.sendAway();
	stand('d', { signal: stop.signal });
	await delay(0);
	expect([...seen].sort()).toEqual(['a admitted', 'b stopped', 'd stopped']);
	line.leave();
	await delay(0);
	expect(seen[3]).toBe('c admitted');
});

test('a pause holds all back, but for those that do not wait that long; afterwards fewer go at a time', async () => {
	const line = new Line();
	const { seen, stand } = queue(line);
	for (const name of ['a', 'b', 'c', 'd']) stand(name, { size: 4 });
	await delay(0);
	line.pause(150);
	for (let left = 0; left < 4; left++) line.leave();
	stand('hasty', { mayWait: (ms) => ms <= 50 });
	for (const name of ['e', 'f', 'g']) stand(name, { size: 4 });
	await delay(100);
	expect(seen.slice(4)).toEqual(['hasty pausing']);
	await delay(100);
	expect(seen.slice(5)).toEqual(['e admitted', 'f admitted']);
	line.leave();
	await delay(0);
	expect(seen.slice(7)).toEqual(['g admitted']);
});

test('those that are held let others pass, and go when they are not held any longer', async () => {
	const line = new Line();
	const { seen, stand } = queue(line);
	let isHeld = true;
	const held = { isHeld: () => isHeld, mayWait: (ms: number) => !isHeld && ms === 0 };
	stand('a', held);
	stand('b', held);
	stand('c');
	await delay(0);
	expect(seen).toEqual(['c admitted']);
	isHeld = false;
	line.admit();
	await delay(0);
	expect(seen.slice(1)).toEqual(['a admitted']);
	line.leave();
	await delay(0);
	expect(seen.slice(2)).toEqual(['b admitted']);
});
