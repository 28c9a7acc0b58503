/** A card number with any separators. */
const cardNumber = /\d(?:[\s*.-]*\d){11}/;

/** The card holder or the name of another source of payment (spec 2.10). Empty if it contains a card number. */
export function payerOf({ source }: Record<string, unknown>): { payer?: string } {
	const { card_holder_name: holder, name } = (source ?? {}) as Record<string, unknown>;
	const payer = [holder, name].find(
		(one) => typeof one === 'string' && one.trim() !== '' && !cardNumber.test(one),
	);
	return payer === undefined ? {} : { payer: payer as string };
}
