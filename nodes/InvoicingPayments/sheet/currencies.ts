import { addTo } from '../../shared/addTo';

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
	signs ??= currenciesBySign();
	return signs.get(text) ?? writings[text.toUpperCase()] ?? [];
}

/** Whether a mark is certainly a currency: `5K` is not kyat. */
export const isPlainCurrency = (mark: string) =>
	/\p{Sc}|^[A-Z]{3}$|^euros?$/u.test(mark.trim().replace(/^euros?$/i, 'euro'));

export const isOtherCurrency = (mark: string | undefined, currency: unknown) =>
	mark !== undefined && currency !== undefined && !currenciesOf(mark).includes(String(currency));

let signs: Map<string, string[]> | undefined;

function currenciesBySign(): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const currency of codes) {
		const written = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
			const parts = format({ currency, currencyDisplay }).formatToParts(1);
			const sign = parts.find(({ type }) => type === 'currency')?.value;
			return (sign ?? currency).replace(/\.$/, '');
		});
		for (const sign of new Set([currency, ...written])) addTo(found, sign, currency);
	}
	return new Map([...found, ...Object.entries(writings)]);
}

const format = (options: Intl.NumberFormatOptions) =>
	new Intl.NumberFormat('en', { style: 'currency', ...options });

const decimals = new Map<string, number>();

export function decimalsOf(currency: string): number {
	const found = decimals.get(currency) ?? readDecimals(currency);
	decimals.set(currency, found);
	return found;
}

function readDecimals(currency: string): number {
	try {
		return format({ currency }).resolvedOptions().maximumFractionDigits ?? 2;
	} catch {
		return 2;
	}
}
