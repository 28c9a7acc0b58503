import { addTo } from '../../../shared/addTo';

/** Signs that small currencies share with a large one. `$` and `kr` stay open: they have several large ones. */
const usual: Record<string, string[]> = {
	'£': ['GBP'],
	'¥': ['JPY'],
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

/** The codes that a sign or code can mean: `$` can be any dollar. Empty if the text is not a currency. */
export function currenciesOf(text: string): readonly string[] {
	const sign = text.trim().replace(/\.$/, '');
	codesBySign ??= readCodesBySign();
	return usual[sign.toUpperCase()] ?? codesBySign.get(sign) ?? [];
}

/** Whether a text is certainly a currency: a sign, a code, or euros. */
export const isCertainCurrency = (text: string) =>
	/\p{Sc}|^[A-Z]{3}$|^euros?$/u.test(text.trim().replace(/^euros?$/i, 'euro'));

/** Whether what stands beside an amount is a currency. K can mean kyat, but `5K` are thousands. */
export const isCurrencyBeside = (text: string): boolean =>
	currenciesOf(text).length > 0 && (text.trim().length > 1 || /\p{Sc}/u.test(text));

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
	return bySign;
}

const format = (options: Intl.NumberFormatOptions) =>
	new Intl.NumberFormat('en', { style: 'currency', ...options });

/** Making a format takes long. */
const decimalsByCurrency = new Map<string, number>();

export function decimalsOf(currency: string): number {
	if (!isCurrencyCode(currency)) return 2;
	const known = decimalsByCurrency.get(currency);
	const decimals = known ?? format({ currency }).resolvedOptions().maximumFractionDigits ?? 2;
	decimalsByCurrency.set(currency, decimals);
	return decimals;
}
