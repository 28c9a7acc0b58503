import { quote } from '../../shared/fields/text';
import { currenciesOf, isPlainCurrency } from './currencies';
import type { Row } from './rows';
import { agreed, nameOf } from './rows';
import { rowField } from './rowFields';

/** The invoice's currency: its column, else the only one its signs allow, else the default. The signs must agree. `{}`: unknown. */
export function currencyOf(
	rows: readonly Row[],
	fallback: string | undefined,
): { currency?: string } | { problem: string } {
	const said = agreed(rows, rowField('currency'));
	if ('problem' in said) return said;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return {};
	const marks = rows.flatMap((row) =>
		row.marks.map(({ mark }) => ({ row, mark, codes: currenciesOf(mark) })),
	);
	const plain = marks.filter(({ mark }) => isPlainCurrency(mark));
	const [first] = plain;
	const possible = plain.reduce<readonly string[]>(
		(left, { codes }) => left.filter((code) => codes.includes(code)),
		first?.codes ?? [],
	);
	if (said.value === undefined && first && possible.length === 0) {
		const other = plain.find(({ codes }) => !codes.some((code) => first.codes.includes(code)));
		return {
			problem: `Currency differs: ${nameOf([first.row])} says ${quote(first.mark)}, ${nameOf([other?.row ?? first.row])} says ${quote(other?.mark)}. An invoice has one currency`,
		};
	}
	const only = possible.length === 1 ? possible[0] : undefined;
	const currency = (said.value as string | undefined) ?? only ?? fallback;
	if (currency === undefined) {
		if (!first) return {};
		return {
			problem: `Currency is empty, and ${quote(first.mark)} can mean ${possible.slice(0, 5).join(', ')}: add a Currency column or 'Default Currency'`,
		};
	}
	const other = marks.find(({ codes }) => !codes.includes(currency));
	if (!other) return { currency };
	return {
		problem: `Currency is ${currency}, but an amount in ${nameOf([other.row])} says ${quote(other.mark)}`,
	};
}
