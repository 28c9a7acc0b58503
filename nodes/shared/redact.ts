/** A charge without the card's number and security code (`source.card_data`, spec 2.10). Does not change its argument. */
export function withoutCardData(charge: Record<string, unknown>): Record<string, unknown> {
	const { source } = charge;
	if (typeof source !== 'object' || source === null || !('card_data' in source)) return charge;
	const rest: Record<string, unknown> = { ...source };
	delete rest.card_data;
	return { ...charge, source: rest };
}
