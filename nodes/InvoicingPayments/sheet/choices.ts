/** Choices for a sheet. The first of each list is the default. */

/** How rows are grouped into invoices. */
export const groupings = ['invoiceNumber', 'column', 'row'] as const;
export type Grouping = (typeof groupings)[number];

/** How to read a column called just Amount. */
export const amountMeanings = ['unitPrice', 'lineTotal'] as const;
export type AmountMeaning = (typeof amountMeanings)[number];

/** What to do with quantities such as 1.5, which the service rejects (spec 2.4). */
export const fractionChoices = ['refuse', 'intoPrice'] as const;
export type FractionChoice = (typeof fractionChoices)[number];

/** Where invoice numbers come from if no column has them. */
export const numberSources = ['fromContent', 'fromSheet'] as const;
export type NumberSource = (typeof numberSources)[number];

export const customerMatchings = ['id', 'idOrEmail', 'idEmailOrName'] as const;
export type CustomerMatching = (typeof customerMatchings)[number];

export const otherColumnsChoices = ['stop', 'ignore'] as const;
export type OtherColumns = (typeof otherColumnsChoices)[number];

/** What to do with rows that look like a sum or a deduction. */
export const totalRowsChoices = ['stop', 'bill', 'skip'] as const;
export type TotalRows = (typeof totalRowsChoices)[number];

export const notBillableChoices = ['stop', 'skip'] as const;
export type NotBillable = (typeof notBillableChoices)[number];
