import type { QueueRequest } from '../../nodes/shared/transport/requestQueue';
import { RequestQueue } from '../../nodes/shared/transport/requestQueue';
import { delay } from '../../tools/node';

const request = (change: Partial<QueueRequest> = {}): QueueRequest => ({
	size: 2,
	mayWait: () => true,
	signal: new AbortController().signal,
	...change,
});

/** Stands in line under a name, and notes it when it is let in or sent away. */
function observe(queue: RequestQueue) {
	const seen: string[] = [];
	const stand = (name: string, change?: Partial<QueueRequest>) =>
		void queue.enter(request(change)).then((admission) => seen.push(`${name} ${admission}`));
	return { seen, stand };
}

test('lets in as many as the first in line bears, in order, and those that come again first', async () => {
	const queue = new RequestQueue();
	const { seen, stand } = observe(queue);
	for (const name of ['a', 'b', 'c', 'd']) stand(name);
	stand('e', { isRepeat: true });
	stand('f', { isRepeat: true });
	await delay(0);
	expect(seen).toEqual(['a admitted', 'b admitted']);
	for (let left = 0; left < 4; left++) {
		queue.leave();
		await delay(0);
	}
	expect(seen.slice(2)).toEqual(['e admitted', 'f admitted', 'c admitted', 'd admitted']);
});

test('a small size is not overtaken by larger ones', async () => {
	const queue = new RequestQueue();
	const { seen, stand } = observe(queue);
	for (const name of ['a', 'b']) stand(name, { size: 5 });
	stand('small', { size: 1 });
	stand('c', { size: 5 });
	queue.leave();
	await delay(0);
	expect(seen).toEqual(['a admitted', 'b admitted']);
	queue.leave();
	await delay(0);
	expect(seen.slice(2)).toEqual(['small admitted', 'c admitted']);
});

test('sends away those that are not wanted any more, in line or not yet', async () => {
	const queue = new RequestQueue();
	const { seen, stand } = observe(queue);
	const stop = new AbortController();
	stand('a', { size: 1 });
	stand('b', { size: 1, signal: stop.signal });
	stand('c', { size: 1 });
	stop.abort();
	queue.sendAway();
	stand('d', { signal: stop.signal });
	await delay(0);
	expect([...seen].sort()).toEqual(['a admitted', 'b stopped', 'd stopped']);
	queue.leave();
	await delay(0);
	expect(seen[3]).toBe('c admitted');
});

test('a pause holds all back, but for those that do not wait that long; afterwards fewer go at a time', async () => {
	const queue = new RequestQueue();
	const { seen, stand } = observe(queue);
	for (const name of ['a', 'b', 'c', 'd']) stand(name, { size: 4 });
	await delay(0);
	queue.pause(150);
	for (let left = 0; left < 4; left++) queue.leave();
	stand('hasty', { mayWait: (ms) => ms <= 50 });
	for (const name of ['e', 'f', 'g']) stand(name, { size: 4 });
	await delay(100);
	expect(seen.slice(4)).toEqual(['hasty pausing']);
	await delay(100);
	expect(seen.slice(5)).toEqual(['e admitted', 'f admitted']);
	queue.leave();
	await delay(0);
	expect(seen.slice(7)).toEqual(['g admitted']);
});

test('those that are held let others pass, and go when they are not held any longer', async () => {
	const queue = new RequestQueue();
	const { seen, stand } = observe(queue);
	let isHeld = true;
	const held = { isHeld: () => isHeld, mayWait: (ms: number) => !isHeld && ms === 0 };
	stand('a', held);
	stand('b', held);
	stand('c');
	await delay(0);
	expect(seen).toEqual(['c admitted']);
	isHeld = false;
	queue.admit();
	await delay(0);
	expect(seen.slice(1)).toEqual(['a admitted']);
	queue.leave();
	await delay(0);
	expect(seen.slice(2)).toEqual(['b admitted']);
});
