import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import { isNear, isSameSum, lineTotalOf } from './amounts';
import { columnsOf } from './columns';
import type { Raise, Sheet } from './hand';
import { amountOf, requestsByRow, sumOf } from './hand';
import { isTotalName, namesNoItem } from './marks';
import { isNamed } from './names';
import type { Column } from './profile';
import type { Row } from './rows';
import { isTaxed } from './sums';

/** Rows that are called a tax or a payment, or that are a sum of others, also with a tax on top. */
export function* totalHands(
	{ rows, roles, profile, drafts, statements }: Sheet,
	raise: Raise,
): Generator<void> {
	if (statements.rowsLeftOut === 'none') return;
	const names = columnsOf(roles, 'itemName');
	const owners = columnsOf(roles, 'customerId', 'customerEmail', 'invoiceNumber');
	for (const {
		rows: [whole, ...parts],
	} of drafts) {
		const sum = sumOf(parts);
		if (parts.length > 1 && sum > 0 && isNear(amountOf(whole), sum))
			raise('totals', [whole], `row ${whole.number} is the sum of the rows below it`);
	}
	const sumsOfInvoices = new Set(drafts.flatMap((draft) => sumsIn(draft.rows)));
	const sumsOfSheet = new Set(sumsIn(rows));
	const requests = requestsByRow(drafts);
	/** Customers of the rows above. A row of another one is no sum of them, unless it is the last. */
	const above = new Set<unknown>([undefined]);
	const sumOfSheet = sumOf(rows);
	let nameAbove = '';
	for (const [index, row] of rows.entries()) {
		if (index % 200 === 0) yield;
		const amount = amountOf(row);
		const customer = requests.get(row)?.customer;
		const textOf = ({ looks }: Column) => looks[row.at]?.text ?? '';
		const own = names.map(textOf);
		const first = profile.columns.map(textOf).find((text) => text !== '') ?? '';
		/** `Consulting Total` below `Consulting`. */
		const isSubtotal = (text: string) =>
			nameAbove !== '' && text.startsWith(nameAbove) && isTotalName(text.slice(nameAbove.length));
		const called = [...own, first].find((text) => namesNoItem(text) || isSubtotal(text));
		const isLast = row === rows[rows.length - 1] && rows.length > 1;
		const hasTax = isLast && rows.length > 2 && isTaxed(amount, sumOfSheet - amount);
		const isSum = sumsOfSheet.has(row) && (isLast || above.has(customer));
		const isOwnerless = isLast && owners.length > 0 && owners.every((one) => textOf(one) === '');
		nameAbove = own[0] ?? '';
		above.add(customer);
		if (amount <= 0) continue;
		const look = (text: string) => raise('totals', [row], `row ${row.number} ${text}`);
		const [shown, tax] = [amount.toFixed(2), hasTax ? ' with a tax' : ''];
		if (called !== undefined) look(`is called ${shorten(called, 60)} and is billed: ${shown}`);
		if (hasTax || isSum || sumsOfInvoices.has(row))
			look(`(${shown}) is the sum of the rows above it${tax}`);
		if (isOwnerless) look(`(${shown}), the last row, names no customer, so it may be a total`);
	}
}

/** Rows with the sum of at least two rows above them. */
function sumsIn(rows: readonly Row[]): Row[] {
	let sum = 0;
	return rows.filter((row, index) => {
		const amount = amountOf(row);
		sum += amount;
		return index > 1 && isNear(amount, sum - amount);
	});
}

/** What is stated before a discount is called so. */
const beforeDiscount =
	/sub|zwischen|sous|parcial|parziale|tussen|imponible|before|without|vor\b|voor\b|ohne|zonder|avant|sans|antes|sin\b|sem\b|prima|senza/i;

/** `Net Price`, `Amount Due`: the discount may be off already. */
const afterDiscount =
	/\bnet\b|nett?o|l[ií]quid|\bdue\b|after|final|nach|après|despu[eé]s|depois|dopo|zahlen|payer|pagar|betalen/i;

/** Stated totals that differ from the items, and discounts that may be taken off twice. */
export function sumHands({ drafts, rows: all, leftOut, roles }: Sheet, raise: Raise) {
	const discounted = drafts.filter(({ sums }) => Number(sums?.discount ?? 0) !== 0);
	const unproved = discounted.flatMap(({ rows }) => rows.filter(({ totals }) => !totals.length));
	const [price] = columnsOf(roles, 'itemAmount') as Array<Column | undefined>;
	for (const { header } of columnsOf(roles, 'itemAmount', 'itemTotal'))
		if (unproved.length && (!price || afterDiscount.test(header) || isNamed('amount', header)))
			raise(
				'sums',
				unproved,
				`${header} may already include the discount, which would be taken off twice`,
				{ header },
			);
	for (const { line, name, amount = 0, sum } of leftOut) {
		const says = `row ${line.number} (${shorten(name, 60)}) says ${amount.toFixed(2)}`;
		if (sum !== undefined)
			raise('sums', all, `${says}, the rows above it come to ${sum.toFixed(2)}`);
	}
	for (const { rows, sums, body } of drafts) {
		if (!sums) continue;
		const is = (exact: string, value: string) => isSameSum(exact, value, body.currency as string);
		const totals = new Map<string, Array<{ row: Row; value: string }>>();
		for (const row of rows)
			for (const { header, value } of row.totals) addTo(totals, header, { row, value });
		for (const [header, stated] of totals) {
			const isBefore = Number(sums.discount) === 0 || beforeDiscount.test(header);
			const areRows =
				isBefore &&
				stated.every(({ row, value }) => row.item && is(`${lineTotalOf(row.item)}`, value));
			const isOfInvoice = (value: string) =>
				is(sums.total, value) || (isBefore && is(sums.subtotal, value));
			const wrong = stated.find(({ value }) => !isOfInvoice(value));
			if (areRows || !wrong) continue;
			const says = `${header} says ${wrong.value} in row ${wrong.row.number}`;
			raise('sums', rows, `${says}, the items come to ${sums.total}`, { header });
		}
	}
}
