/** Which currencies a sign or a code beside an amount can mean: `€` one, `$` any dollar, `EUR` itself; none: it is no currency. */
export function currenciesOf(mark: string): readonly string[] {
	const text = mark.trim().replace(/\.$/, '');
	return signs().get(text) ?? [];
}

/** Whether a mark is a currency whatever stands beside it: `5K` is no kyat. */
export const isPlainCurrency = (mark: string) => /\p{Sc}|^[A-Z]{3}$/u.test(mark.trim());

let known: Map<string, string[]> | undefined;

/** Signs and codes of all currencies, from the tables that come with the runtime. */
function signs(): Map<string, string[]> {
	if (known) return known;
	known = new Map();
	for (const code of Intl.supportedValuesOf('currency')) {
		const own = (['symbol', 'narrowSymbol'] as const).map((shown) => signOf(code, shown));
		for (const sign of new Set([code, ...own])) {
			known.set(sign, [...(known.get(sign) ?? []), code]);
		}
	}
	known.set('US$', ['USD']);
	return known;
}

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
	const parts = new Intl.NumberFormat('en', {
		style: 'currency',
		currency,
		currencyDisplay,
	}).formatToParts(1);
	return (parts.find(({ type }) => type === 'currency')?.value ?? currency).replace(/\.$/, '');
}

/** How many decimals amounts of a currency have. */
export function decimalsOf(currency: string): number {
	try {
		return (
			new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
				.maximumFractionDigits ?? 2
		);
	} catch {
		return 2;
	}
}
