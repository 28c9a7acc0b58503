export function addTo<Key, One>(lists: Map<Key, One[]>, key: Key, ...more: One[]): void {
	const list = lists.get(key);
	if (list) list.push(...more);
	else lists.set(key, more);
}
