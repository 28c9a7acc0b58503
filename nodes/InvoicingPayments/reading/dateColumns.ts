import { readDate, toTermDays } from './cells/dates';
import type { Choice } from './choice';
import { isNamedOtherwise } from './choice';
import { isNamed, timeUnitOf } from './names';
import type { Column } from './profile';

/** The due date, the terms and the invoice date that they count from, and the start. A date ahead without a name may be the due date. */
export function* pickDates(choice: Choice): Generator<void> {
	const { today, zone, defaults } = choice.settings;
	const { order } = choice.profile.dates;
	/** Below a name of these fields, other cells are mistakes that a person corrects. */
	const isCalledDate = ({ header }: Column) =>
		['dueDate', 'invoiceDate', 'startsAt'].some((field) => isNamed(field, header));
	const isDate = (one: Column) =>
		one.filled.filter(({ kind, mayBeDate }) => kind === 'date' || mayBeDate).length >=
		one.filled.length * (isCalledDate(one) ? 0.5 : 0.8);
	/** `Term (months)` and `Terms accepted` are no days until an invoice is due. */
	const isTerms = (one: Column) =>
		(timeUnitOf(one.header) ?? 'day') === 'day' &&
		one.texts.every((text) => 'value' in toTermDays(text)) &&
		(isNamed('terms', one.header) || !one.texts.every((text) => /^[01]$/.test(text)));
	/** A day that has passed is hardly a due date, unless the column is called so. */
	const isAhead = (one: Column) =>
		one.texts.every((text) => {
			const read = readDate(text, order, zone);
			return 'problem' in read || read.value >= today;
		});
	yield* choice.pick('dueDate', {
		// Days may stand below Terms.
		names: ['dueDate', 'terms'],
		fits: (one) => isDate(one) && (isNamed('dueDate', one.header) || isAhead(one)),
		least: 2.5,
	});
	if (choice.has('dueDate')) yield* choice.pick('terms');
	else
		yield* choice.pick('terms', {
			// People write `Net 30` under Due Date.
			names: ['terms', 'dueDate'],
			fits: (one) => isTerms(one) && !(one.is('number') && isNamed('dueDate', one.header)),
			least: 3,
			// `30 días` says what it is.
			bonus: (one) => (/\p{L}/u.test(one.texts.join('')) ? 3 : 0),
		});
	// Terms count from a date.
	const least = choice.has('terms') && !choice.has('dueDate') ? 1 : 3;
	yield* choice.pick('invoiceDate', { fits: isDate, least });
	yield* choice.pick('startsAt', { fits: (one) => isDate(one) && isOfInvoices(one, choice) });
	if (choice.has('dueDate') || choice.has('terms') || defaults.dueInDays !== undefined) return;
	const others = choice.freeColumns(
		(one) =>
			one.is('date') &&
			one.fullness > 0.5 &&
			isAhead(one) &&
			!isNamedOtherwise('dueDate', one.header),
	);
	if (others.length === 1) choice.use('dueDate', others[0], { isGuess: true });
	choice.pickNamed('dueDate');
}

/** Whether an invoice has one value in all its rows. `Start Date` of a time report is a date of each row. */
function isOfInvoices({ looks }: Column, choice: Choice): boolean {
	const byInvoice = new Map<string, string | undefined>();
	return choice.invoicesOfLines().every((invoice, at) => {
		const text = looks[at]?.text;
		const isSame = !byInvoice.has(invoice) || byInvoice.get(invoice) === text;
		byInvoice.set(invoice, text);
		return isSame;
	});
}
