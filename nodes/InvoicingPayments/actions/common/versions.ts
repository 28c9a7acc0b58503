import type { IDisplayOptions } from 'n8n-workflow';
import type { Field } from '../../../shared/fields/field';

const shownIf =
	(show: NonNullable<IDisplayOptions['show']>) =>
	(field: Field): Field => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
	});

// Nodes saved as version 1 keep their parameters, with the same names, order and defaults.
const version1 = { '@version': [1] };
const version11 = { '@version': [{ _cnd: { gte: 1.1 } }] };
const tool = { '@tool': [true] };

export const inVersion1 = shownIf(version1);
export const sinceVersion11 = shownIf(version11);

/** Since version 1.1. */
export const forAgents = shownIf({ ...version11, ...tool });

export const hiddenFromAgents = (field: Field): Field => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: tool },
});

export const inVersion1Agents = shownIf({ ...version1, ...tool });

/** Gives AI agents another default, since version 1.1. */
export const withAgentDefault = (field: Field, value: Field['default']): Field[] => [
	hiddenFromAgents(field),
	inVersion1Agents(field),
	forAgents({ ...field, default: value }),
];
