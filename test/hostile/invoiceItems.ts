import type { IDataObject } from 'n8n-workflow';

/** Items of invoices for one customer with different titles. */
export const invoiceItems = (
	customer: string,
	titles: string[],
	hasNumber: boolean,
): IDataObject[] =>
	titles.map((title) => ({
		customer,
		currency: 'EUR',
		due_date: '2026-12-31',
		item: 'Consulting',
		amount: '19.99',
		title,
		...(hasNumber && { invoice_number: `N-${title}` }),
	}));
