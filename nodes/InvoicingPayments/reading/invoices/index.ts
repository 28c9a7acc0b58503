export type { Grouped } from './grouping';
export { groupingOf, withNeighbours, withoutKey } from './grouping';
export type { Draft, InvoiceSettings } from './invoices';
export {
	customersOf,
	differingTexts,
	draftOf,
	isReady,
	withNumberProblems,
	withProblem,
} from './invoices';
export type { Directory, Invoices, InvoicesSettings } from './readInvoices';
export { readInvoices } from './readInvoices';
