import { rule } from '../../shared/fields/rules';
import type { Parsed } from '../../shared/fields/text';
import { toText, toUuid } from '../../shared/fields/text';

/** Identifies an invoice. */
export interface InvoiceReference {
	by: 'id' | 'number';
	value: string;
}

/** An invoice by ID or number. Without a mode (from an expression), a value that looks like an ID is one. */
export const invoiceReference = rule(
	{ kind: 'text' },
	(value, _zone, _label, mode): Parsed<InvoiceReference> => {
		const id = toUuid(value);
		if ('value' in id && mode !== 'number') return { value: { by: 'id', value: id.value } };
		if (mode === 'id' && 'problem' in id) {
			return { problem: `${id.problem}. To find an invoice by its number, choose 'By Number'` };
		}
		const number = toText(value);
		return 'problem' in number ? number : { value: { by: 'number', value: number.value } };
	},
);
