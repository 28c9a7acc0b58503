/** A card number, whatever stands between its digits. */
const cardNumber = /\d(?:[\s*.-]*\d){11}/;

/**
 * The name of who paid, as far as a charge tells: that on the card, or of another source of payment (spec 2.10: nothing else in a
 * charge names the customer). Nothing where there is none, or where it holds a card number.
 */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (source ?? {}) as Record<string, unknown>;
	const payer = [holder, name].find(
		(one) => typeof one === 'string' && one.trim() !== '' && !cardNumber.test(one),
	);
	return payer === undefined ? {} : { payer: payer as string };
}
