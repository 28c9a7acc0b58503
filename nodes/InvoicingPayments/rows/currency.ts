import { quote } from '../../shared/fields/text';
import { currenciesOf } from './currencies';
import type { Row } from './row';
import { agreed, nameOf } from './row';
import { rowField } from './rowFields';

/**
 * The currency of an invoice: what its rows say; else what the signs beside its amounts can only mean; else the default. A sign
 * must agree with it. `{}`: nothing says it.
 */
export function currencyOf(
	rows: Row[],
	fallback: string | undefined,
): { currency?: string } | { problem: string } {
	const said = agreed(rows, rowField('currency'));
	if ('problem' in said) return said;
	if (rows.some(({ invalid }) => invalid.has('currency'))) return {};
	const marks = rows.flatMap((row) =>
		row.marks.map(({ mark }) => ({ row, mark, codes: currenciesOf(mark) })),
	);
	const possible = marks.reduce<readonly string[] | undefined>(
		(left, { codes }) => (left ? left.filter((code) => codes.includes(code)) : codes),
		undefined,
	);
	const only = possible?.length === 1 ? possible[0] : undefined;
	const currency = (said.value as string | undefined) ?? only ?? fallback;
	const other = marks.find(({ codes }) =>
		currency === undefined ? possible?.length === 0 : !codes.includes(currency),
	);
	if (!other) {
		if (currency !== undefined || !possible) return { ...(currency && { currency }) };
		return {
			problem: `Currency is empty, and ${quote(marks[0].mark)} can mean ${possible.slice(0, 5).join(', ')}: add a Currency column or 'Default Currency'`,
		};
	}
	return {
		problem: `Currency is ${currency ?? quote(marks[0].mark)}, but an amount in ${nameOf([other.row])} says ${quote(other.mark)}`,
	};
}
