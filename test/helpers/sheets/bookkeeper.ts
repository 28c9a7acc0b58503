import type { Draft } from '../../../nodes/InvoicingPayments/reading/invoices/invoices';
import type { Row } from '../../../nodes/InvoicingPayments/reading/rows/rows';
import { headerOf } from '../../../nodes/InvoicingPayments/reading/table/table';
import { fs, path, projectFolder } from '../../../tools/node';
import { emailOf, itemsOf, people, programSheets } from './programSheets';
import type { KnownCustomer, ReadRows } from './readRows';
import { customerId, readRows } from './readRows';

/**
 * A judge of readings, as a bookkeeper would be: not only the sums, but what the customer reads. The sheets were labelled by people who had
 * not seen the engine.
 */

/**
 * What the items may be called: the cells of a column, each of several columns of amounts, or any of these texts if no column says it.
 */
type Words = string | { eachOf: string[] } | { texts: string[] };

export interface LabelledSheet {
	name: string;
	language?: string;
	rows: Array<Record<string, unknown>>;
	customers: KnownCustomer[];
	/** What a person sets because the sheet does not say it. `customer`: an email. */
	settings?: {
		currency?: string;
		dueInDays?: number;
		customer?: string;
		itemName?: string;
		itemAmount?: string;
	};
	/** YYYY-MM-DD */
	today?: string;
	/** The invoices that a careful bookkeeper would create. `due`: days between `|`, of which any is right. */
	right: Array<{ customer: string; currency: string; total: string; due?: string }>;
	/** Acceptable ways to call the items, the best first. */
	words?: Words[];
}

export const points = ['customers', 'invoices', 'total', 'due', 'words'] as const;
export type Point = (typeof points)[number];

export const sheetsOf = <T = LabelledSheet>(name: string): T[] =>
	JSON.parse(
		fs.readFileSync(path.join(projectFolder, 'test/fixtures/freshSheets', `${name}.json`), 'utf8'),
	) as T[];

/** The exports of programs, as n8n reads them from a CSV file. */
export const labelledPrograms = (): LabelledSheet[] =>
	programSheets.flatMap((sheet) => {
		const { name, invoices, words, set } = sheet;
		if (!invoices || !words) return [];
		const listed = JSON.parse(set?.options?.customerList ?? '[]') as KnownCustomer[];
		const customers = people.map(({ id, name: own, email }) => ({
			...{ id, name: own, email: String(email) },
			...listed.find((one) => one.id === id),
		}));
		const right = invoices.map(({ due_date: due, ...one }) => ({ ...one, due }));
		const settings = set?.defaults ?? {};
		const today = '2026-06-15';
		return [{ name, rows: itemsOf(sheet, 'csv'), customers, settings, today, right, words }];
	});

/** Reads a labelled sheet. `confirmed`: the text of a reading. */
export function readLabelled(sheet: LabelledSheet, confirmed?: string): ReadRows {
	const { rows, customers, settings = {}, today } = sheet;
	const { customer, ...defaults } = settings;
	const at = customers.findIndex(({ email }) => email === customer);
	return readRows(rows, customers, {
		defaults: { ...defaults, ...(at >= 0 && { customerId: customerId(at) }) },
		...(today !== undefined && { today }),
		confirmed,
	});
}

const sorted = (texts: Array<string | undefined>) => JSON.stringify(texts.map(String).sort());

/** The points in which a reading is wrong. Empty: a bookkeeper would create these invoices. */
export function wrongPoints(sheet: LabelledSheet, { invoices, reading }: ReadRows): Point[] {
	const { right } = sheet;
	const wrong = new Set<Point>();
	const made = invoices.map((one) => ({ ...one, isReady: one.problems.length === 0 }));
	const owners = (all: Array<{ customer?: string }>) =>
		sorted([...new Set(all.map(({ customer }) => customer))]);
	if (owners(made) !== owners(right)) wrong.add('customers');
	if (made.length !== right.length) wrong.add('invoices');
	const rest = [...made];
	for (const one of right) {
		const isSame = (other: (typeof made)[0]) =>
			other.isReady &&
			other.customer === one.customer &&
			other.currency === one.currency &&
			other.total === Number(one.total).toFixed(2);
		const isDue = ({ due }: (typeof made)[0]) => !one.due || one.due.split('|').includes(due ?? '');
		const best = rest.find((other) => isSame(other) && isDue(other)) ?? rest.find(isSame);
		if (!best) {
			wrong.add('total');
			continue;
		}
		if (!isDue(best)) wrong.add('due');
		rest.splice(rest.indexOf(best), 1);
	}
	if (rest.length) wrong.add('total');
	if (!reading.drafts.every((draft) => areCalledRight(sheet, draft, reading))) wrong.add('words');
	return points.filter((point) => wrong.has(point));
}

const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
const beginsLike = (name: string, text: string) => text !== '' && plain(name).startsWith(text);

function areCalledRight(
	{ words }: LabelledSheet,
	{ rows }: Draft,
	{ profile }: ReadRows['reading'],
): boolean {
	if (!words) return true;
	const cellOf = (header: string, { at }: Row) =>
		plain(profile.byHeader.get(headerOf(header))?.looks[at]?.text ?? '').slice(0, 60);
	const isCalled = (name: string, row: Row) =>
		words.some((answer) => {
			if (typeof answer === 'string') return beginsLike(name, cellOf(answer, row));
			const texts = 'eachOf' in answer ? answer.eachOf : answer.texts;
			return texts.some((text) => beginsLike(name, plain(text)));
		});
	return rows.every(({ items = [], ...row }) => {
		const called = items.filter(({ name }) => isCalled(name, row));
		// Beside what is sold, an extra is called like its column.
		const isExtra = ({ header, name }: (typeof items)[0]) =>
			header !== undefined && called.length > 0 && beginsLike(name, plain(header));
		return items.every((one) => called.includes(one) || isExtra(one));
	});
}

export const customerOf = emailOf;

/** All labelled sheets. */
export const labelledSheets = (): LabelledSheet[] => [
	...sheetsOf('clear'),
	...sheetsOf('offices'),
	...sheetsOf('moreOffices'),
	...labelledPrograms(),
];

/**
 * How many other readings a person has to pick until the invoices are right: 0 if the first preview shows them. `undefined`: more than `most`.
 */
export function clicksToRight(
	sheet: LabelledSheet,
	most = 1,
	read = readLabelled(sheet),
): number | undefined {
	if (wrongPoints(sheet, read).length === 0) return 0;
	if (most === 0) return undefined;
	const clicks = read
		.others()
		.map(({ text }) => clicksToRight(sheet, most - 1, readLabelled(sheet, text)))
		.filter((one) => one !== undefined);
	return clicks.length ? 1 + Math.min(...clicks) : undefined;
}
