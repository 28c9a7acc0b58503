/** Adds to the list that a key has in a map, or begins it. */
export function addTo<Key, One>(lists: Map<Key, One[]>, key: Key, ...more: One[]): void {
	const list = lists.get(key);
	if (list) list.push(...more);
	else lists.set(key, more);
}
