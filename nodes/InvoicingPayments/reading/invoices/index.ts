export type { Draft, ReadyDraft } from './invoices';
export { customersOf, differingTexts, isReady, withProblem } from './invoices';
export type { Directory, Invoices, InvoicesSettings } from './readInvoices';
export { readInvoices } from './readInvoices';
