import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import { rowsLabel } from '../../reading/cells';
import type { Finding } from '../../reading/findings';
import type { SheetReading } from '../../reading/readSheet';

const maxFindings = 10;

/** A guess only says how the sheet was read, and any first preview is unseen. */
export const isWarning = ({ kind }: Finding) => kind !== 'guess' && kind !== 'unseen';

/** What a finding is, in one line. Guesses stand together. */
export function findingLines(findings: readonly Finding[]): string[] {
	const guesses = findings.filter(({ kind }) => kind === 'guess').map(({ text }) => text);
	const others = findings.filter(isWarning);
	const shown = others.slice(0, maxFindings);
	const linesOf = (areDifferences: boolean, beginning: string) =>
		shown
			.filter(({ kind }) => (kind === 'difference') === areDifferences)
			.map(({ text }) => `${beginning}: ${text}`);
	const left = others.length - shown.length;
	return [
		...linesOf(true, 'Differs from the reading'),
		...(guesses.length ? [`Guesses: ${guesses.join('; ')}.`] : []),
		...linesOf(false, 'Look at'),
		...(left > 0 ? [`and ${left} more: see 'warnings' in the preview, with Simplify off`] : []),
	];
}

/** `Above the headers: Prices net.`, `Left out: row 26, Gesamt, 17955.18` */
export function leftOutLines({
	leftOut,
	table,
}: Pick<SheetReading, 'leftOut' | 'table'>): string[] {
	const byName = new Map<string, typeof leftOut>();
	for (const one of leftOut) {
		const key = one.why === 'value' ? one.name : `${one.why}${one.name}`;
		addTo(byName, key, one);
	}
	const texts = [...byName.values()].map((those) => {
		const [{ name, amount, why }] = those;
		const rows = rowsLabel(those.map(({ line }) => line));
		const sum =
			those.length === 1 && amount !== undefined && !Number.isNaN(amount)
				? `, ${amount.toFixed(2)}`
				: '';
		return why === 'value'
			? `${rows} (${name})`
			: `${rows}${name && `, ${shorten(name, 60)}`}${sum}`;
	});
	const above = table.above.length
		? [
				`Above the headers: ${table.above
					.slice(0, 5)
					.map((text) => shorten(text, 100))
					.join('; ')}.`,
			]
		: [];
	return texts.length
		? [
				...above,
				`Left out: ${texts.slice(0, 10).join('; ')}${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}.`,
			]
		: above;
}
