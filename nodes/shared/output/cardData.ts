/**
 * A value without any `card_data` in it, however deep: the card's number and security code (`source.card_data` of a charge,
 * spec 2.10). Does not change its argument, and gives it back as it is where there is none.
 */
export function withoutCardData<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value);
	const kept = entries
		.filter(([name]) => name !== 'card_data')
		.map(([name, inner]): [string, unknown] => [name, withoutCardData(inner)]);
	const isSame =
		kept.length === entries.length && kept.every(([, inner], at) => inner === entries[at][1]);
	if (isSame) return value;
	if (Array.isArray(value)) return kept.map(([, inner]) => inner) as T;
	return Object.fromEntries(kept) as T;
}
