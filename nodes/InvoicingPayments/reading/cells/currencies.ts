import { addTo } from '../../../shared/addTo';

const spellings: Record<string, string[]> = {
	US$: ['USD'],
	C$: ['CAD'],
	A$: ['AUD'],
	S$: ['SGD'],
	FCFA: ['XOF', 'XAF'],
	CFA: ['XOF', 'XAF'],
	EURO: ['EUR'],
	EUROS: ['EUR'],
};

/** Signs that small currencies share with a large one. `$` and `kr` stay open: they have several large ones. */
const usual: Record<string, string[]> = { '£': ['GBP'], '¥': ['JPY'] };

const codes = new Set(Intl.supportedValuesOf('currency'));

/** Whether a word in capitals is an ISO 4217 code. */
export const isCurrencyCode = (word: string) => codes.has(word);

/** The codes that a sign or code can mean: `$` can be any dollar. Empty if the text is not a currency. */
export function currenciesOf(text: string): readonly string[] {
	const sign = text.trim().replace(/\.$/, '');
	codesBySign ??= readCodesBySign();
	return usual[sign] ?? codesBySign.get(sign) ?? spellings[sign.toUpperCase()] ?? [];
}

/** Whether a text is certainly a currency. K can mean kyat, but `5K` is a number. */
export const isCertainCurrency = (text: string) =>
	/\p{Sc}|^[A-Z]{3}$|^euros?$/u.test(text.trim().replace(/^euros?$/i, 'euro'));

export const isOtherCurrency = (text: string | undefined, currency: unknown) =>
	text !== undefined && currency !== undefined && !currenciesOf(text).includes(String(currency));

let codesBySign: Map<string, string[]> | undefined;

function readCodesBySign(): Map<string, string[]> {
	const bySign = new Map<string, string[]>();
	for (const currency of codes) {
		const symbols = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
			const parts = format({ currency, currencyDisplay }).formatToParts(1);
			const sign = parts.find(({ type }) => type === 'currency')?.value;
			return (sign ?? currency).replace(/\.$/, '');
		});
		for (const sign of new Set([currency, ...symbols])) addTo(bySign, sign, currency);
	}
	return new Map([...bySign, ...Object.entries(spellings)]);
}

const format = (options: Intl.NumberFormatOptions) =>
	new Intl.NumberFormat('en', { style: 'currency', ...options });

const decimalsByCurrency = new Map<string, number>();

export function decimalsOf(currency: string): number {
	const decimals = decimalsByCurrency.get(currency) ?? readDecimals(currency);
	decimalsByCurrency.set(currency, decimals);
	return decimals;
}

function readDecimals(currency: string): number {
	try {
		return format({ currency }).resolvedOptions().maximumFractionDigits ?? 2;
	} catch {
		return 2;
	}
}
