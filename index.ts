export { InvoicingPaymentsApi } from './credentials/InvoicingPaymentsApi.credentials';
export { InvoicingPayments } from './nodes/InvoicingPayments/InvoicingPayments.node';
