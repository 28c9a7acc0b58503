/**
 * Removes `card_data` at any depth (card number and security code, spec 2.10). Returns the argument itself if there is none.
 */
export function withoutCardData<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value);
	const kept = entries
		.filter(([name]) => name !== 'card_data')
		.map(([name, inner]): [string, unknown] => [name, withoutCardData(inner)]);
	const isUnchanged =
		kept.length === entries.length && kept.every(([, inner], at) => inner === entries[at][1]);
	if (isUnchanged) return value;
	if (Array.isArray(value)) return kept.map(([, inner]) => inner) as T;
	return Object.fromEntries(kept) as T;
}
