import { comparableText } from '../../shared/fields/lookAlikes';

/** Numbers that look the same are the same, apart from case and spaces as well: `inv-7` must not be billed again as `INV-7`. */
export const comparableNumber = (number: unknown): string => comparableText(String(number ?? ''));
