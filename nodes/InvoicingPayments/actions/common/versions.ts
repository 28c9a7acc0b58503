import type { IDisplayOptions } from 'n8n-workflow';
import type { Field } from '../../../shared/fields/field';

/** Nodes that were saved as version 1 keep its panel: what it calls a field, and where it stands. */
const shownIn =
	(version: NonNullable<IDisplayOptions['show']>['@version']) =>
	(field: Field): Field => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { '@version': version, ...field.displayOptions?.show },
		},
	});

/** A field, or an option, of nodes of version 1 alone. */
export const inVersion1 = shownIn([1]);

/** A field, or an option, since version 1.1. */
export const sinceVersion11 = shownIn([{ _cnd: { gte: 1.1 } }]);
