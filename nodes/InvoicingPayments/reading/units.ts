import { addTo } from '../../shared/addTo';
import { columnsOf } from './columns';
import type { Raise, Sheet } from './hand';
import { moneySources, rowsByText, says, unbilledColumns } from './hand';
import { allWordsOf, foldedWords, hasWord, pricedUnit, shareWord, timeUnitOf } from './names';
import { isNear } from './amounts';
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

export const namesCents = (text: string) => centWords.test(text);

/** Characters, and different values. More are notes. */
const [maxUnit, maxUnits] = [40, 20];

/** A price for one thing beside a count of another: per 1000, per week, minutes, cents. */
export function unitHands(sheet: Sheet, raise: Raise) {
	const columns = moneyColumns(sheet);
	columnUnits(sheet, columns, raise);
	rowUnits(sheet, columns, raise);
	cellUnits(sheet, columns, raise);
}

/** `name` and `counted` are the headers of the price and of the quantity. */
function moneyColumns({ roles }: Sheet) {
	const [price, line, quantity] = ['itemAmount', 'itemTotal', 'itemQuantity'].map(
		(field): Column | undefined => columnsOf(roles, field)[0],
	);
	const [name, counted] = [price?.header ?? '', quantity?.header ?? ''];
	return { price, line, quantity, name, counted };
}
type MoneyColumns = ReturnType<typeof moneyColumns>;

/** What headers and whole columns say. */
function columnUnits(
	sheet: Sheet,
	{ price, line, quantity, name, counted }: MoneyColumns,
	raise: Raise,
) {
	const { rows, profile, statements } = sheet;
	const look = (text: string, header: string) => raise('units', rows, text, { header });
	/** The reading says how many one price is for. */
	const isStated = moneySources(statements).some(({ formats = [] }) =>
		formats.some((one) => /^cents|^per /.test(one)),
	);
	for (const { header, filled } of [price, line, quantity].filter((one) => one !== undefined)) {
		if (!isStated && (namesMultiple(header) || centWords.test(header)))
			look(`${header} may not be for a single unit (per 1000, a dozen, cents)`, header);
		if (filled.length > 1 && filled.filter(isLikeDay).length === 1)
			look(`${header} may be a date in one row`, header);
	}
	const [unit, countedUnit] = [timeUnitOf(name), timeUnitOf(counted)];
	if (unit && countedUnit && unit !== countedUnit)
		look(`${name} and ${counted} are in different units`, counted);
	const priced = line ? undefined : pricedUnit(name);
	if (isForMany(priced) && !quantity)
		look(`${name} is a price per ${priced}, but no column says how many`, name);
	if (isForMany(priced) && quantity && !countsUnit(counted, priced))
		look(`${name} may not be the price for one of ${counted}`, name);
	const whole = price && hundredfold(sheet, price);
	const areWhole = price?.filled.every(
		({ number = 0.5, text }) => /^\d+$/.test(text) && number >= 100,
	);
	if (whole) look(`${name} is ${whole.header} in cents`, name);
	else if (areWhole && /^[a-z]+(?:_[a-z]+)+$/.test(name)) look(`${name} may be in cents`, name);
	const dates = profile.columns.filter((column) => column.is('date') || areDays(column));
	if (unit && unit !== 'hour' && !quantity && dates.length > 1)
		look(
			`${name} is a price per ${unit} beside two dates, but no column says how many to bill`,
			name,
		);
	if (!quantity) return;
	if (/\bmin|minut/i.test(counted))
		look(`${counted} may be minutes beside a price for hours`, counted);
	if (countedUnit === 'day' && unit !== 'day' && !line && dates.length > 1)
		look(`${counted} may be the days until the due date`, counted);
	// What somebody has said counts, whatever its figures look like.
	if (sheet.said?.fields.has('itemQuantity')) return;
	if (quantity.filled.length > 0 && areDays(quantity))
		look(`${counted} may be days of a calendar`, counted);
	if (price && !line && isProportional(price, quantity)) {
		const text = `${name} is in proportion to ${counted}`;
		look(`${text}, so it may be the amount of the whole line`, name);
	}
}

/** What stands beside the figures of the rows. */
function rowUnits({ rows }: Sheet, { line, quantity, name, counted }: MoneyColumns, raise: Raise) {
	const problems = new Map<string, Row[]>();
	const units = new Map<string, Row[]>();
	const uncounted: Row[] = [];
	for (const row of rows) {
		const problem = unitProblem(row, { name, counted });
		if (problem) addTo(problems, problem, row);
		if (row.values.has('itemQuantity')) addTo(units, row.unit?.toLowerCase() ?? 'none', row);
		else if (!row.invalid.has('itemQuantity')) uncounted.push(row);
	}
	for (const [text, those] of problems) {
		const header = counted || name;
		raise('units', those, `${rowsLabel(those)}: ${text}`, { header });
	}
	if (!quantity) return;
	if (units.size > 1) {
		const text = `${counted} has different units: ${[...units.keys()].join(', ')}`;
		raise('units', rows, text, quantity);
	}
	// Without a quantity people mean one, but not one hour.
	const isOfUnit = isForMany(pricedUnit(name)) || timeUnitOf(counted) !== undefined;
	if (isOfUnit && !line && uncounted.length > 0) {
		const text = `${rowsLabel(uncounted)}: ${counted} is empty, counted as 1`;
		raise('units', uncounted, text, quantity);
	}
}

/** Units in columns that are not billed. */
function cellUnits(sheet: Sheet, { name, counted }: MoneyColumns, raise: Raise) {
	const unit = timeUnitOf(name);
	for (const column of unbilledColumns(sheet)) {
		if (column.share('text') === 0 || column.counts.size > maxUnits) continue;
		const isOfUnits = unitHeaders.test(column.header);
		for (const [text, rows] of rowsByText(sheet, column)) {
			const other = /\d/.test(text) ? undefined : timeUnitOf(text);
			const isPlain = oneWords.test(text) || plainUnits.test(text) || shareWord(text, counted);
			// What stands in a column of units is no price for one of something, unless it is known to be.
			const isOther =
				namesMultiple(text) ||
				centWords.test(text) ||
				(other ? unit && other !== unit : isOfUnits && !isPlain);
			if (text.length < maxUnit && isOther) raise('units', rows, says(rows, column, text), column);
		}
	}
}

const isForMany = (unit: string | undefined): unit is string =>
	unit !== undefined && !oneWords.test(unit);

/** Headers that say nothing of a unit, and those of durations. */
const plainCounts =
	/quant|qty|qté|menge|anzahl|anz\b|cant|aantal|nombre|number|hoeveel|dura|time|zeit|temps|tiempo|tempo|tijd|dauer|duur|spent|effort|aufwand/i;
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
	if (isMany !== undefined) return `the unit ${isMany} may mean more than one`;
	const isKnown = (one: string) =>
		oneWords.test(one) ||
		plainUnits.test(one) ||
		unitOf(one) !== undefined ||
		shareWord(one, counted);
	if (unit !== undefined && !isKnown(unit)) return `${counted} is counted in ${unit}`;
	const [inHeader, priced] = [timeUnitOf(counted), timeUnitOf(name)];
	const time = unit === undefined ? inHeader : unitOf(unit);
	if (unit !== undefined && time !== undefined) {
		// `Sessions`, but not `Quantity` or `Spent`.
		const isOther = hasWord(counted, 'counts') && !plainCounts.test(counted);
		if (time !== inHeader && (inHeader !== undefined || isOther))
			return `${counted} is counted in ${unit}`;
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
		: `the price is per ${priceUnit}, but may not count ${counted || 'the row'}`;
}

const areDays = ({ filled }: Column) => filled.every(({ mayBeDate }) => mayBeDate);

/** Excel makes 3.50 a date: 46145. */
const isLikeDay = ({ mayBeDate, number = 0 }: Look) => mayBeDate && number > 40_000;

/** Whether each price is the same multiple of its quantity, although the quantities differ. */
function isProportional(price: Column, quantity: Column): boolean {
	const lines = price.numbers.flatMap((one, at) => {
		const times = quantity.numbers[at];
		return Number.isFinite(one / times) ? [{ times, ratio: one / times }] : [];
	});
	const isConstant = lines.every(({ ratio }) => Math.abs(ratio - lines[0].ratio) < 1e-9);
	return isConstant && new Set(lines.map(({ times }) => times)).size > 2;
}

/** A column with a hundredth of the price. */
const hundredfold = (sheet: Sheet, price: Column) =>
	unbilledColumns(sheet).find((column) =>
		sheet.rows.every(({ at }) => isNear(column.numbers[at] * 100, price.numbers[at])),
	);

/** Whether a header counts what a price is for: `Nights` and `night`, `Weight (kg)` and `kg`. */
function countsUnit(header: string, unit: string): boolean {
	const time = timeUnitOf(unit);
	if (time !== undefined && time === timeUnitOf(header)) return true;
	const note = /[([]([^()[\]]+)[)\]]$/.exec(header.trim())?.[1].trim();
	if (note !== undefined && /^\p{L}{1,3}\d?$/u.test(note))
		return note.toLowerCase() === unit.toLowerCase();
	const [word = ''] = allWordsOf(unit);
	const isSame = (one: string) =>
		one === word || (word.length > 2 && one.slice(0, 3) === word.slice(0, 3));
	return allWordsOf(header).some(isSame);
}
