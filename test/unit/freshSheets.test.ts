import { fs, path, projectFolder } from '../../tools/node';
import type { KnownCustomer, ReadRows } from '../helpers/sheets/readRows';
import { customerId, readRows } from '../helpers/sheets/readRows';

/** A sheet that somebody wrote who had not seen the engine: an export of a program, or the list of an office. */
interface FreshSheet {
	name: string;
	language: string;
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
	/** The invoices that a careful bookkeeper would create. */
	right: Array<{ customer: string; currency: string; total: string; due?: string }>;
	/** What would be billed wrong, and the cells by which a person notices. */
	trap?: string;
	visible?: string[];
}

const sheetsOf = (name: string) =>
	JSON.parse(
		fs.readFileSync(path.join(projectFolder, 'test/fixtures/freshSheets', `${name}.json`), 'utf8'),
	) as FreshSheet[];

const previews = new Map<FreshSheet, ReadRows>();
/** The first preview of a sheet. */
function preview(sheet: FreshSheet): ReadRows {
	const outcome = previews.get(sheet) ?? read(sheet);
	previews.set(sheet, outcome);
	return outcome;
}

function read({ rows, customers, settings = {} }: FreshSheet, confirmed?: string): ReadRows {
	const { customer, ...defaults } = settings;
	const at = customers.findIndex(({ email }) => email === customer);
	return readRows(rows, customers, {
		defaults: { ...defaults, ...(at >= 0 && { customerId: customerId(at) }) },
		confirmed,
	});
}

/** Whether the invoices are the right ones, in any order. */
function isRight({ right }: FreshSheet, { invoices }: ReadRows): boolean {
	const rest = [...invoices];
	const matches = right.every((wanted) => {
		const at = rest.findIndex(
			({ customer, currency, total, due, problems }) =>
				problems.length === 0 &&
				customer === wanted.customer &&
				currency === wanted.currency &&
				total === Number(wanted.total).toFixed(2) &&
				(wanted.due === undefined || due === wanted.due),
		);
		if (at >= 0) rest.splice(at, 1);
		return at >= 0;
	});
	return matches && rest.length === 0;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** What the box and the table of a preview show besides the sums. */
function shownBy({ reading, text, findings, invoices }: ReadRows): string {
	const { leftOut, rows, table, unbilled } = reading;
	return plain(
		[
			text,
			...findings.map((finding) => finding.text),
			...table.above,
			...leftOut.map(({ name }) => name),
			...invoices.flatMap(({ problems }) => problems),
			...rows.flatMap((row) => [
				...(row.items ?? []).map(({ name }) => name),
				String(row.values.get('note') ?? ''),
				...unbilled.map(({ header, looks }) => `${header}: ${looks[row.at]?.text ?? ''}`),
			]),
		].join('\n'),
	);
}

const clear = sheetsOf('clear');
const traps = sheetsOf('traps');

test('of 260 clear sheets, the first preview shows the right invoices in at least 95 %', () => {
	expect(clear).toHaveLength(260);
	const wrong = clear.filter((sheet) => !isRight(sheet, preview(sheet))).map(({ name }) => name);
	expect(wrong.length > 0.05 * clear.length ? wrong : []).toEqual([]);
});

test('clear sheets are billed as the preview shows once its reading is confirmed', () => {
	const refused = clear.flatMap((sheet) => {
		const { text, invoices } = preview(sheet);
		const confirmed = read(sheet, text);
		expect([sheet.name, confirmed.invoices]).toEqual([sheet.name, invoices]);
		const isReady = invoices.every(({ problems }) => problems.length === 0);
		return isReady && confirmed.refusal !== undefined
			? [`${sheet.name}: ${confirmed.refusal}`]
			: [];
	});
	expect(refused).toEqual([]);
});

test('of all these sheets, none is billed without a confirmed reading', () => {
	const billed = [...clear, ...traps].filter((sheet) => preview(sheet).refusal === undefined);
	expect(billed.map(({ name }) => name)).toEqual([]);
});

test('the traps of 260 sheets are avoided or visible in the preview', () => {
	expect(traps).toHaveLength(260);
	const shown = traps.filter((sheet) => {
		const outcome = preview(sheet);
		const text = shownBy(outcome);
		const { visible = [] } = sheet;
		const isVisible = visible.some((cell) => text.includes(plain(cell).slice(0, 60)));
		return isVisible || isRight(sheet, outcome);
	});
	expect(shown.length).toBeGreaterThanOrEqual(0.98 * traps.length);
});
