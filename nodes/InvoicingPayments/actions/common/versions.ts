import type { IDisplayOptions } from 'n8n-workflow';
import type { Field } from '../../../shared/fields/field';

/** Nodes that were saved as version 1 keep its panel: what it calls a field, where it stands and what it begins with. */
const shownIf =
	(show: NonNullable<IDisplayOptions['show']>) =>
	(field: Field): Field => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
	});

const version1 = { '@version': [1] };
const version11 = { '@version': [{ _cnd: { gte: 1.1 } }] };
const tool = { '@tool': [true] };

/** A field, or an option, of nodes of version 1 alone. */
export const inVersion1 = shownIf(version1);

/** A field, or an option, since version 1.1. */
export const sinceVersion11 = shownIf(version11);

/** A field for AI agents alone, since version 1.1. */
export const forAgents = shownIf({ ...version11, ...tool });

/** A field that agents do not have. */
export const hiddenFromAgents = (field: Field): Field => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: tool },
});

/** A field that agents had in version 1 alone. */
export const inVersion1Agents = shownIf({ ...version1, ...tool });

/** A field that begins with another value for AI agents, since version 1.1. */
export const withAgentDefault = (field: Field, value: Field['default']): Field[] => [
	hiddenFromAgents(field),
	inVersion1Agents(field),
	forAgents({ ...field, default: value }),
];
