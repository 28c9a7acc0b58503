/** What the user may choose for a sheet. The first of each is the default. */

/** What makes rows one invoice. */
export const groupings = ['invoiceNumber', 'column', 'row'] as const;
export type Grouping = (typeof groupings)[number];

/** What a column that is called just Amount is. */
export const amountMeanings = ['unitPrice', 'lineTotal'] as const;
export type AmountMeaning = (typeof amountMeanings)[number];

/** What becomes of quantities such as 1.5, which the service does not take (spec 2.4). */
export const fractionChoices = ['refuse', 'intoPrice'] as const;
export type FractionChoice = (typeof fractionChoices)[number];

/** Where invoice numbers come from that no column has. */
export const numberSources = ['fromContent', 'fromSheet'] as const;
export type NumberSource = (typeof numberSources)[number];

/** By what customers are found. */
export const customerMatchings = ['id', 'idOrEmail', 'idEmailOrName'] as const;
export type CustomerMatching = (typeof customerMatchings)[number];

/** What becomes of columns whose figures no field takes. */
export const otherColumnsChoices = ['stop', 'ignore'] as const;
export type OtherColumns = (typeof otherColumnsChoices)[number];

/** What becomes of rows that look like the sum of others, or take something away. */
export const totalRowsChoices = ['stop', 'bill', 'skip'] as const;
export type TotalRows = (typeof totalRowsChoices)[number];

/** What becomes of rows that a column says are not to be billed. */
export const notBillableChoices = ['stop', 'skip'] as const;
export type NotBillable = (typeof notBillableChoices)[number];
