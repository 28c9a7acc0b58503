import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { previewedAs } from '../../../tools/previewed';

/** Parameters of Create From Rows that creates at once. With `columns` (a mapping), the columns are mapped by hand. */
export const fromRowsParameters = (change: object = {}): INodeParameters => ({
	resource: 'invoice',
	operation: 'createFromRows',
	previewOnly: false,
	...('columns' in change && { columnsMode: 'manual' }),
	...change,
});

/** Changes of these parameters for a preview with all fields. */
export const preview = (change: { options?: IDataObject } & object = {}) => ({
	...change,
	previewOnly: true,
	options: { ...change.options, simplify: false },
});

/** The parameter `columns` with a column, an expression or a value for each field. */
export const mapping = (value: object) => ({
	columns: { mappingMode: 'defineBelow', value },
});

/** The parameter `reading` with this text. */
export const reading = (text: string) => ({ reading: { __rl: true, mode: 'text', value: text } });

/** One whose preview somebody has chosen. */
export const confirmedReading = (text: string) => reading(previewedAs(text));

/** A reading that nobody has confirmed by its preview. */
export const typedReading = (text: string) => ({
	reading: { ...reading(text).reading, typed: true },
});

const columns =
	'Customer = Customer ID; Currency = Currency; Due Date = Due Date; Item Name = Item; Unit Price = Unit Price';
/** Says that each row is an invoice. `more`: statements about further columns of `row`. */
export const perRow = (...more: string[]) =>
	reading([columns, 'one invoice per row', ...more].join('; '));
export const per = (header: string) => reading(`${columns}; one invoice per ${header}`);
