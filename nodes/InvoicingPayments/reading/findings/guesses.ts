import { columnsOf, dateFields, itemsField, sheetField } from '../columns';
import { shorten } from '../../../shared/fields/text';
import { isHourBeforeMidnight, plural } from '../cells';
import type { Finding, StatedSheet } from './findings';

/** What nobody has said or proved. */
export function guessesOf(sheet: StatedSheet): Finding[] {
	const { roles, written, statements, said, grouped, calledLike, hasName } = sheet;
	const guesses: Finding[] = [];
	const guess = (text: string) => guesses.push({ kind: 'guess', text, rows: [], money: 0 });
	for (const field of roles.guessed) {
		const isIdle = roles.fields.has('dueDate') && ['terms', 'invoiceDate'].includes(field);
		const header = roles.fields.get(field)?.[0].header;
		if (!isIdle) guess(`${sheetField(field).displayName} = ${header}`);
	}
	for (const column of columnsOf(roles, ...dateFields)) {
		const late = column.filled.find(({ number = 0 }) => isHourBeforeMidnight(number));
		if (late && !said)
			guess(`${late.text} in ${column.header} is the day after, an hour before midnight`);
	}
	const parts = roles.fields.get(itemsField);
	if (parts && !said) guess(`Items = ${parts.map(({ header }) => header).join(', ')}`);
	if (roles.settled.length)
		guess(
			`without ${roles.settled.map(({ header }) => header).join(', ')}, as settled or taken off already`,
		);
	if (calledLike !== undefined && !hasName && !said) guess(`items called ${calledLike}`);
	for (const [{ header }, { printed, isGuess }] of written)
		if (isGuess) guess(`${header} (${printed[printed.length - 1]})`);
	const { grouping, other: otherCount } = grouped;
	const by = grouping.by === 'column' ? grouping.header : 'customer';
	if (otherCount !== undefined && !said?.grouping)
		guess(`one invoice per ${by} (otherwise ${plural(otherCount, 'invoice')})`);
	if (statements.isFilledFromAbove && !said?.isFilledFromAbove) guess('cells filled from above');
	if (statements.rowsLeftOut && !said?.rowsLeftOut) guess('rows left out: totals');
	for (const { line, name, amount = 0 } of said
		? []
		: sheet.leftOut.filter((one) => one.isBelowAll))
		guess(
			`row ${line.number} (${shorten(name, 40)}, ${amount.toFixed(2)}) stands below a total and names no customer: not billed`,
		);
	for (const { header, leaveOut } of statements.values)
		if (leaveOut.length && !said?.values.some((one) => one.header === header))
			guess(`which rows are billed, by ${header}`);
	const { dollars, sign } = sheet.foundCurrency;
	if (dollars && sheet.drafts.some(({ body }) => body.currency === 'USD')) guess('$ is USD');
	if (sign !== undefined && sheet.rows.some(({ currencies }) => currencies.length === 0))
		guess(`prices without a currency are in ${sign}`);
	if (!said && sheet.profile.byHeader.get('')?.filled.length)
		guess('only one column has no name (n8n gives the last of several)');
	return guesses;
}
