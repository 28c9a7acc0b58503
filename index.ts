export { InvoicingPaymentsApi } from './credentials/InvoicingPaymentsApi.credentials';
export { InvoicingPayments } from './nodes/InvoicingPayments/InvoicingPayments.node';
export { InvoicingPaymentsTrigger } from './nodes/InvoicingPaymentsTrigger/InvoicingPaymentsTrigger.node';
