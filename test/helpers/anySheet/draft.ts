import type { INodeParameters } from 'n8n-workflow';
import { currencies, numberText, typedNumber } from './cells';
import type { InvoiceChoice, SheetChoice } from './choices';
import type { Dice } from './dice';
import { diceOf } from './dice';
import type { ColumnField } from './headers';
import { headerWriter } from './headers';
import type { KnownInvoice, KnownItem } from './known';
import { knownInvoices } from './known';

export type Cell = string | number | null | undefined;

/** A row of an invoice. */
export interface Line {
	invoice: KnownInvoice;
	invoiceIndex: number;
	item: KnownItem;
	choice: InvoiceChoice;
	/** The row with the values that an invoice has once. */
	isLead: boolean;
}

export interface Column {
	field: ColumnField | 'money' | 'group' | 'extra';
	header: string;
	/** The value is the same for the whole invoice, so other rows may leave it out. */
	isOfInvoice: boolean;
	/** One per line. */
	cells: Cell[];
}

/** An unfinished sheet with its settings. */
export class Draft {
	readonly dice: Dice;
	readonly expected: KnownInvoice[];
	readonly lines: Line[];
	readonly columns: Column[] = [];
	readonly headers: ReturnType<typeof headerWriter>;
	/** Numbers written as text, without currency. */
	readonly texts: string[] = [];
	readonly options: INodeParameters = {};
	readonly defaults: INodeParameters = {};

	constructor(readonly choice: SheetChoice) {
		const { seed, headersOf, headerCase, isInterleaved, oddity } = choice;
		this.dice = diceOf(seed);
		this.headers = headerWriter(this.dice, { of: headersOf, how: headerCase });
		this.expected = knownInvoices(choice, this.dice);
		const together = this.expected.flatMap((invoice, invoiceIndex) =>
			invoice.items.map((item) => ({
				...{ invoice, invoiceIndex, item, isLead: false },
				choice: choice.invoices[invoiceIndex],
			})),
		);
		this.lines = isInterleaved ? this.dice.shuffle(together) : together;
		for (const invoice of this.expected) {
			const own = this.lines.filter((line) => line.invoice === invoice);
			invoice.items = own.map(({ item }) => item);
			// A row without a number might belong to the invoice below it.
			const isFirst =
				(oddity === 'numberOnlyInFirstRow' && this.dice.chance(50)) || this.dice.chance(80);
			own[isFirst ? 0 : this.dice.int(0, own.length - 1)].isLead = true;
		}
	}

	/** Marks an invoice that must not be billed. */
	flaw(invoice: KnownInvoice, reason: string): void {
		invoice.flaw ??= reason;
	}

	flawAll(reason: string): void {
		this.expected.forEach((invoice) => this.flaw(invoice, reason));
	}

	add(
		field: Column['field'],
		header: string,
		cell: (line: Line) => Cell,
		isOfInvoice = false,
	): Column {
		const isNoted = this.choice.hasNotes && field !== 'money' && this.dice.chance(30);
		const notes = ['(required)', '(optional)', '(see below)', '[text]'];
		const column = {
			field,
			header: isNoted ? `${header} ${this.dice.pick(notes)}` : header,
			isOfInvoice,
			cells: this.lines.map(cell),
		};
		this.columns.push(column);
		return column;
	}

	find(...fields: Array<Column['field']>): Column | undefined {
		return this.columns.find(({ field }) => fields.includes(field));
	}

	/** The first invoice and its lead row. */
	get lead(): { invoice: KnownInvoice; row: number; line: Line } {
		const [invoice] = this.expected;
		const row = this.lines.findIndex((line) => line.invoice === invoice && line.isLead);
		return { invoice, row, line: this.lines[row] };
	}

	/** A number, sometimes with the rounding noise of doubles. */
	typed(units: bigint, digits: number): number {
		const isNoisy = this.choice.isNoisy && this.dice.chance(60);
		return typedNumber(units, digits, isNoisy ? this.dice.pick([1, -1, 2]) : 0);
	}

	/** An amount in units of 10^-digits. */
	money(units: bigint, digits: number, currency?: string): Cell {
		const { choice, dice } = this;
		const { style, typed, shownCurrency } = choice;
		if (typed === 'all' || (typed === 'some' && dice.chance(50))) return this.typed(units, digits);
		const text = numberText(units, digits, style);
		this.texts.push(text);
		if (shownCurrency === 'none' || !currency) return text;
		if (shownCurrency === 'sign') {
			return numberText(units, digits, style, currencies[currency].sign);
		}
		// Codes need a space.
		const isBefore = style.currency === 'before' || style.currency === 'beforeWithSpace';
		const place = isBefore ? 'beforeWithSpace' : 'afterWithSpace';
		return numberText(units, digits, { ...style, currency: place }, currency);
	}

	/** An amount with its currency, if the sheet shows it. */
	price(units: bigint, digits: number, { invoice }: Line): Cell {
		return this.money(units, digits, invoice.currency);
	}
}
