import { readCurrency } from './cells/read';
import type { ChoiceSettings } from './choice';
import { Choice } from './choice';
import { pickCustomers } from './customerColumns';
import { pickDates } from './dateColumns';
import { itemsField, sheetFields } from './fields';
import { saysNo, saysYes } from './marks';
import { pickMoney } from './moneyColumns';
import { isNamed, isNumberSign } from './names';
import type { Column, Profile } from './profile';
import { headersFor } from './words';

/** Which column fills which field. */
export interface Roles {
	fields: Map<string, Column[]>;
	/** Fields whose column nobody has said, and no name or sum tells. */
	guessed: ReadonlySet<string>;
	/** Columns that do not count, because their headers say that they are settled, or their discount is taken off already. */
	settled: readonly Column[];
	/** Stands beside the first column of the customer: `Vorname + Nachname`. */
	restOfName?: Column;
}

/** The columns of these fields. */
export const columnsOf = ({ fields }: Pick<Roles, 'fields'>, ...names: string[]): Column[] =>
	names.flatMap((name) => fields.get(name) ?? []);

/**
 * Decides for each field which column fills it. What a person has said wins; then names, cells and sums decide. Fields whose cells
 * are the easiest to tell come first, texts last.
 */
export function* rolesOf(profile: Profile, settings: ChoiceSettings): Generator<void, Roles> {
	const choice = new Choice(profile, settings);
	yield* choice.pick('currency', {
		fits: isCurrencyColumn,
		least: 3,
		bonus: (one) => (one.is('currency') ? 4 : 0),
	});
	choice.pickNamed('currency');
	yield;
	yield* pickCustomers(choice);
	yield* choice.pick('invoiceNumber', {
		fits: mayBeNumber,
		least: 6,
		// `N.º: G26/530`
		bonus: (one) =>
			isNumberSign(one.header) && one.header !== '#' && one.texts.every(isCode) ? 6 : 0,
	});
	yield;
	yield* pickDates(choice);
	yield;
	for (const { name } of exactOnly) yield* choice.pick(name);
	yield* choice.pick('discountPercentage', { fits: (one) => one.is('number', 'percent') });
	yield;
	yield* pickMoney(choice);
	yield;
	yield* pickTexts(choice);
	// In the order of a printed reading, so that its cells mean the same once it is confirmed.
	const fields = sheetFields.flatMap(({ name }): Array<[string, Column[]]> => {
		const columns = choice.fields.get(name);
		return columns ? [[name, columns]] : [];
	});
	const { guessed, settled, restOfName } = choice;
	return { guessed, settled, restOfName, fields: new Map(fields) };
}

/** Codes may stand in small letters if the header says that they are currencies. */
const isCurrencyColumn = (one: Column) =>
	one.is('currency') ||
	one.texts.every((text) => {
		const read = readCurrency(isNamed('currency', one.header) ? text.toUpperCase() : text);
		return 'value' in read && /^[A-Z]{3}$/.test(String(read.value));
	});

/** `Rechnung: ja` asks whether there is to be one. */
const mayBeNumber = (one: Column) =>
	one.is('text', 'number', 'id') &&
	one.filled.every((look) => !look.isMoney) &&
	!one.texts.every((text) => !/^\d+$/.test(text) && (saysYes(text) || saysNo(text)));

const isCode = (text: string) => /\d/.test(text) && /[\p{L}/-]/u.test(text);

/** Fields of the API that a sheet fills only under their own names, because no language has others. */
const exactOnly = sheetFields.filter(
	({ property, name }) => property !== undefined && headersFor(name).flat().length === 0,
);

/** The name of the item, a title and a note. Of texts without a name for it, a long one in every row is the item. */
function* pickTexts(choice: Choice): Generator<void> {
	const isText = (one: Column) => one.share('text') > 0.5;
	const isItem = ({ header }: Column) => isNamed('itemName', header);
	/** Characters, on average. */
	const length = (one: Column) =>
		one.filled.reduce((sum, { text }) => sum + Math.min(text.length, 60), 0) / one.filled.length;
	yield* choice.pick('itemName', {
		fits: (one) =>
			(isText(one) || (isItem(one) && !one.is('number'))) && !isNamed('note', one.header),
		// Items that are called like their columns have names already.
		least: choice.fields.has(itemsField) ? 8 : 1.5,
		bonus: (one) =>
			isItem(one) ? one.fullness * 2 - 2 : Math.min(2, length(one) / 8) + one.fullness,
	});
	yield* choice.pick('title', { fits: (one) => one.texts.every((text) => text.length <= 50) });
	yield* choice.pick('note', { fits: isText });
}
