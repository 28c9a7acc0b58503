export type { Draft } from './invoices';
export { customersOf, differingTexts, isReady } from './invoices';
export type { Directory, Invoices, InvoicesSettings } from './readInvoices';
export { readInvoices } from './readInvoices';
