import { shorten } from '../../../shared/fields/text';
import type { Steps } from '../../../shared/steps';
import type { Column } from '../columns';
import { findCustomers } from '../columns';
import { rowsLabel } from '../cells';
import { customersOf } from '../invoices';
import { addSaying, naming } from '../statements';
import type { Raise, StatedSheet } from './findings';

/**
 * Customers besides those that are billed. A header that is one may be a first row. A column that names the customer of each row once more, such
 * as an ID beside a name, has to agree in later files: somebody may have sorted only one of them.
 */
export function* findOtherCustomers(sheet: StatedSheet, raise: Raise): Steps<void> {
	const { known, profile, unbilled, said } = sheet;
	if (!known) return;
	for (const { header } of said ? [] : profile.columns) {
		if (findCustomers(header, known).length === 0) continue;
		const text = `the header ${JSON.stringify(shorten(header, 60))} is a customer. If the sheet has no headers, turn 'Header Row' off in the node that reads it`;
		raise('words', [], text, { header, isStated: true });
	}
	for (const column of unbilled) {
		yield;
		compareCustomers(sheet, column, raise);
	}
}

function compareCustomers(
	{ known, rows, drafts, said, statements }: StatedSheet,
	{ header, looks, texts }: Column,
	raise: Raise,
): void {
	const isStated = said?.shapes.get(header)?.kinds.includes(naming) === true;
	if (!known || (said && !isStated)) return;
	const byText = new Map(texts.map((text) => [text, findCustomers(text, known)]));
	const customers = customersOf(drafts);
	const others = rows.filter((row) => {
		const found = byText.get(looks[row.at]?.text ?? '') ?? [];
		const customer = customers.get(row);
		if (customer === undefined || found.length === 0) return false;
		return !found.some(({ id }) => id.toLowerCase() === String(customer).toLowerCase());
	});
	const isNaming = texts.length > 0 && [...byText.values()].every(({ length }) => length > 0);
	if (!said && isNaming && others.length === 0) addSaying(statements.shapes.get(header), naming);
	if (!isStated || others.length === 0) return;
	const [{ at }] = others;
	const text = `${header} says ${shorten(looks[at]?.text ?? '', 60)} in ${rowsLabel(others)}, which is another customer than the one that is billed`;
	raise('words', others, text, { header });
}
