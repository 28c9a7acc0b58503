import { addTo } from '../../shared/addTo';

/** Signs that people use differently from Intl. */
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

/** Whether a word in capitals is an ISO 4217 code. */
export const isCurrencyCode = (word: string) => codes.has(word);

/** The currencies that a sign or code can mean: `$` can be any dollar. Empty if it is not a currency. */
export function currenciesOf(mark: string): readonly string[] {
	const text = mark.trim().replace(/\.$/, '');
	return signs().get(text) ?? writings[text.toUpperCase()] ?? [];
}

/** Whether a mark is certainly a currency: `5K` is not kyat. */
export const isPlainCurrency = (mark: string) =>
	/\p{Sc}|^[A-Z]{3}$|^euros?$/u.test(mark.trim().replace(/^euros?$/i, 'euro'));

/** Whether a mark contradicts the invoice's currency. */
export const isOtherCurrency = (mark: string | undefined, currency: unknown) =>
	mark !== undefined && currency !== undefined && !currenciesOf(mark).includes(String(currency));

let signCache: Map<string, string[]> | undefined;

function signs(): Map<string, string[]> {
	if (signCache) return signCache;
	signCache = new Map();
	for (const code of codes) {
		const written = (['symbol', 'narrowSymbol'] as const).map((shown) => signOf(code, shown));
		for (const sign of new Set([code, ...written])) {
			addTo(signCache, sign, code);
		}
	}
	for (const [sign, codes] of Object.entries(writings)) signCache.set(sign, codes);
	return signCache;
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
