import { addTo } from '../../shared/addTo';

/** Signs that Intl writes in another way, or for another country than people do. */
const writings: Record<string, string[]> = {
	US$: ['USD'],
	C$: ['CAD'],
	A$: ['AUD'],
	S$: ['SGD'],
	FCFA: ['XOF', 'XAF'],
	CFA: ['XOF', 'XAF'],
	EURO: ['EUR'],
	EUROS: ['EUR'],
};

const codes = new Set(Intl.supportedValuesOf('currency'));

/** Whether a word is the code of a currency (ISO 4217), in capitals. */
export const isCurrencyCode = (word: string) => codes.has(word);

/** Which currencies a sign or a code beside an amount can mean: `€` one, `$` any dollar, `EUR` itself; none: it is no currency. */
export function currenciesOf(mark: string): readonly string[] {
	const text = mark.trim().replace(/\.$/, '');
	return signs().get(text) ?? writings[text.toUpperCase()] ?? [];
}

/** Whether a mark is a currency whatever stands beside it: `5K` is no kyat. */
export const isPlainCurrency = (mark: string) =>
	/\p{Sc}|^[A-Z]{3}$|^euros?$/u.test(mark.trim().replace(/^euros?$/i, 'euro'));

/** Whether what stands beside an amount cannot mean the currency of its invoice. */
export const isOtherCurrency = (mark: string | undefined, currency: unknown) =>
	mark !== undefined && currency !== undefined && !currenciesOf(mark).includes(String(currency));

let known: Map<string, string[]> | undefined;

/** Signs and codes of all currencies, from the tables that come with the runtime. */
function signs(): Map<string, string[]> {
	if (known) return known;
	known = new Map();
	for (const code of codes) {
		const own = (['symbol', 'narrowSymbol'] as const).map((shown) => signOf(code, shown));
		for (const sign of new Set([code, ...own])) {
			addTo(known, sign, code);
		}
	}
	for (const [sign, codes] of Object.entries(writings)) known.set(sign, codes);
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

const decimals = new Map<string, number>();

/** How many decimals amounts of a currency have. */
export function decimalsOf(currency: string): number {
	const before = decimals.get(currency);
	if (before !== undefined) return before;
	const found = readDecimals(currency);
	decimals.set(currency, found);
	return found;
}

function readDecimals(currency: string): number {
	try {
		return (
			new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
				.maximumFractionDigits ?? 2
		);
	} catch {
		return 2;
	}
}
