import { addTo } from '../../shared/addTo';
import { columnsOf } from './columns';
import type { Hand, Sheet } from './hand';
import { handOf, rowsByText, says, unbilledColumns } from './hand';
import { allWordsOf, foldedWords, hasWord, pricedUnit, shareWord, timeUnitOf } from './names';
import { rowsLabel } from './problems';
import type { Column, Look } from './profile';
import type { Row } from './rows';
import { inAll } from './words';

const multipleWords = inAll(({ multiples }) => multiples);
const perMany =
	/(?:(?<!\p{L})(?:per|pro|je|por|par|cada|les?|ogni|à)|\/)\s*(?:1[.,' ]?000|100|10|12|k)(?![\p{L}\d])|(?<!\p{L})(?:CPM|mille|in thousands|miles|milhares|migliaia)(?!\p{L})|‰|tausend|duizend|k€/iu;
const centWords =
	/\b(?:cents?|cts?)\b|_cents?|centimes?|céntimos|centavos|centesimi|pence|(?:smallest|minor) (?:currency )?units?/i;
const oneWords =
	/^(?:units?|items?|each|ea|st(?:ü|u)ck|stk|uds?|pz|pi?e?ce?s?|un|st|unidade?s?|pezz[io]|pieces?|stuks?|unité|pièces?|x)\.?$/i;
/** Units that a price is usually for. */
const plainUnits =
	/^(?:kg|kilos?|l|lt|ltr|liter|litres?|litri|litros?|m|m2|m²|m3|m³|ml|km|t|h|hr|std|u)\.?$/i;
const unitHeaders =
	/(?<!\p{L})(?:uom|u\.?m|units?|einheit|me|vpe?|unités?|uds?|unidade?s?|unità|eenheid|cond(?:t|itionnement)|pack(?:aging)?)(?!\p{L})/iu;

/** Whether a text names more or less than one: `per 1000`, `CPM`, `Dutzend`. */
export const namesMultiple = (text: string) =>
	perMany.test(text) || foldedWords(text.slice(0, 200)).some((word) => multipleWords.has(word));

/** Characters, and different values. More are notes. */
const [maxUnit, maxUnits] = [40, 20];

/** A price for one thing beside a count of another: per 1000, per week, minutes, cents. */
export function unitHands(sheet: Sheet): Hand[] {
	const { roles, rows, profile, statements } = sheet;
	const [price, line, quantity] = ['itemAmount', 'itemTotal', 'itemQuantity'].map(
		(field): Column | undefined => columnsOf(roles, field)[0],
	);
	const [name, counted] = [price?.header ?? '', quantity?.header ?? ''];
	const unit = timeUnitOf(name);
	const countedUnit = timeUnitOf(counted);
	const priced = line ? undefined : pricedUnit(name);
	const isForMany = priced !== undefined && !oneWords.test(priced);
	/** The reading says how many one price is for. */
	const isStated = ['itemAmount', 'itemTotal'].some((field) =>
		statements.fields
			.get(field)
			?.some(({ formats = [] }) => formats.some((one) => /^cents|^per /.test(one))),
	);
	const whole = price && hundredfold(sheet, price);
	const areWhole = price?.filled.every(
		({ number = 0.5, text }) => /^\d+$/.test(text) && number >= 100,
	);
	const dates = profile.columns.filter(
		(column) => column.is('date') || column.filled.every(({ mayBeDate }) => mayBeDate),
	);
	const checks: Array<[raises: unknown, text: string, header: string]> = [
		...[price, line, quantity].map((column): [boolean, string, string] => {
			const header = column?.header ?? '';
			const isOdd = !isStated && (namesMultiple(header) || centWords.test(header));
			return [isOdd, `${header} may count in other units than one`, header];
		}),
		[
			unit && countedUnit && unit !== countedUnit,
			`${name} and ${counted} are in different units`,
			counted,
		],
		[
			quantity?.filled.length && quantity.filled.every(({ mayBeDate }) => mayBeDate),
			`${counted} may be days of a calendar`,
			counted,
		],
		[
			isForMany && !quantity,
			`${name} is a price for each ${priced}, but no column counts them`,
			name,
		],
		[
			isForMany && quantity && !countsUnit(counted, priced),
			`${name} may not be the price of one ${counted}`,
			name,
		],
		[/^[a-z]+(?:_[a-z]+)+$/.test(name) && areWhole && !whole, `${name} may be in cents`, name],
		[whole, `${name} is ${whole?.header} in cents`, name],
		[
			quantity && rows.length > 2 && quantity.numbers.every((one, at) => one === at + 1),
			`${counted} may number the rows`,
			counted,
		],
		[
			price && quantity && !line && isProportional(price, quantity),
			`${name} is in proportion to ${counted}, so it may be the amount of the whole line`,
			name,
		],
		...[price, line, quantity].map((column): [boolean, string, string] => [
			(column?.filled.length ?? 0) > 1 && column?.filled.filter(isLikeDay).length === 1,
			`${column?.header ?? ''} may be a date in one row`,
			column?.header ?? '',
		]),
		[
			price && /\bmin|minut/i.test(counted),
			`${counted} may be minutes beside a price for hours`,
			counted,
		],
		[
			unit && unit !== 'hour' && !quantity && dates.length > 1,
			`${name} beside two dates: how many times is not billed`,
			name,
		],
	];
	const inRows = new Map<string, Row[]>();
	for (const row of rows) {
		const text = unitProblem(row, { name, counted });
		if (text) addTo(inRows, text, row);
	}
	const units = new Map<string, Row[]>();
	for (const row of rows)
		if (row.values.has('itemQuantity')) addTo(units, row.unit?.toLowerCase() ?? 'none', row);
	checks.push([
		quantity && units.size > 1,
		`${counted} has different units: ${[...units.keys()].join(', ')}`,
		counted,
	]);
	const uncounted = rows.filter(
		({ values, invalid }) => !values.has('itemQuantity') && !invalid.has('itemQuantity'),
	);
	// Without a quantity people mean one, but not one hour.
	const isOfUnit = isForMany || countedUnit !== undefined;
	const isUncounted = isOfUnit && quantity && !line && uncounted.length > 0;
	const inCells = unbilledColumns(sheet).flatMap((column) =>
		column.share('text') > 0 && column.counts.size <= maxUnits
			? [...rowsByText(sheet, column)].flatMap(([text, those]) => {
					const other = /\d/.test(text) ? undefined : timeUnitOf(text);
					// What stands in a column of units is no price for one of something, unless it is known to be.
					const isUnknown =
						unitHeaders.test(column.header) &&
						other === undefined &&
						!oneWords.test(text) &&
						!plainUnits.test(text) &&
						!shareWord(text, counted);
					const isOther =
						namesMultiple(text) ||
						centWords.test(text) ||
						isUnknown ||
						(unit && other && other !== unit);
					return text.length < maxUnit && isOther
						? [handOf('units', those, says(those, column, text), column.header)]
						: [];
				})
			: [],
	);
	return [
		...checks.flatMap(([raises, text, header]) =>
			raises ? [handOf('units', rows, text, header)] : [],
		),
		...(isUncounted
			? [
					handOf(
						'units',
						uncounted,
						`${rowsLabel(uncounted)}: ${counted} is empty, taken for 1`,
						counted,
					),
				]
			: []),
		...[...inRows].map(([text, those]) =>
			handOf('units', those, `${rowsLabel(those)}: ${text}`, counted || name),
		),
		...inCells,
	];
}

const quantityWords = /quant|qty|qté|menge|anzahl|anz\b|cant|aantal|nombre|number|hoeveel/i;
const durationWords = /dura|time|zeit|temps|tiempo|tempo|tijd|dauer|duur|spent|effort|aufwand/i;
const thousands = /^(?:k|tsd|mio|mrd)\.?$/i;
/** `h` beside a number, which is no word of a header. */
const unitOf = (unit: string) => (/^(?:h|hrs?|std)\.?$/i.test(unit) ? 'hour' : timeUnitOf(unit));

/** How the units in the cells of a row contradict each other, or the headers. */
function unitProblem(
	{ unit, priceUnit }: Row,
	{ name, counted }: { name: string; counted: string },
): string | undefined {
	const isMany = [unit, priceUnit].find(
		(one) => one !== undefined && (thousands.test(one) || namesMultiple(one)),
	);
	if (isMany !== undefined) return `${isMany} may not be one`;
	const time = unit === undefined ? timeUnitOf(counted) : unitOf(unit);
	const inHeader = timeUnitOf(counted);
	if (unit !== undefined && time !== undefined) {
		// `Sessions`, but not `Quantity` or `Spent`.
		const isOther =
			hasWord(counted, 'counts') && !quantityWords.test(counted) && !durationWords.test(counted);
		if (time !== inHeader && (inHeader !== undefined || isOther))
			return `${counted} is counted in ${unit}`;
		const priced = timeUnitOf(name);
		if (priced !== undefined && priced !== time)
			return `${name} and ${unit} are in different units`;
	}
	if (priceUnit === undefined || oneWords.test(priceUnit)) return undefined;
	const isSame =
		unit?.toLowerCase() === priceUnit.toLowerCase() ||
		(unitOf(priceUnit) !== undefined && unitOf(priceUnit) === time) ||
		countsUnit(counted, priceUnit);
	return isSame
		? undefined
		: `a price for each ${priceUnit} may not be that of one ${counted || 'row'}`;
}

/** Excel makes 3.50 a date: 46145. */
const isLikeDay = ({ mayBeDate, number = 0 }: Look) => mayBeDate && number > 40_000;

/** Whether each price is the same multiple of its quantity, although the quantities differ. */
function isProportional(price: Column, quantity: Column): boolean {
	const pairs = price.numbers.flatMap((one, at): Array<[number, number]> => {
		const times = quantity.numbers[at];
		return Number.isNaN(one) || !times ? [] : [[one, times]];
	});
	const [first] = pairs as Array<[number, number] | undefined>;
	const different = new Set(pairs.map(([, times]) => times));
	return (
		first !== undefined &&
		different.size > 2 &&
		pairs.every(([one, times]) => Math.abs(one / times - first[0] / first[1]) < 1e-9)
	);
}

/** A column with a hundredth of the price. */
const hundredfold = (sheet: Sheet, price: Column) =>
	unbilledColumns(sheet).find((column) =>
		sheet.rows.every(({ at }) => Math.abs(column.numbers[at] * 100 - price.numbers[at]) < 0.006),
	);

/** Whether a header counts what a price is for: `Nights` and `night`, `Weight (kg)` and `kg`. */
function countsUnit(header: string, unit: string): boolean {
	const time = timeUnitOf(unit);
	if (time !== undefined && time === timeUnitOf(header)) return true;
	const note = /[([]\s*([^)\]]+?)\s*[)\]]\s*$/.exec(header)?.[1];
	if (note !== undefined && /^\p{L}{1,3}\d?$/u.test(note))
		return note.toLowerCase() === unit.toLowerCase();
	const [word = ''] = allWordsOf(unit);
	const isSame = (one: string) =>
		one === word || (word.length > 2 && one.slice(0, 3) === word.slice(0, 3));
	return allWordsOf(header).some(isSame);
}
