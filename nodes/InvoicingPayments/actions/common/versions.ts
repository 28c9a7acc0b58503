import type { IDisplayOptions } from 'n8n-workflow';
import type { Field } from '../../../shared/fields/field';

/** Nodes saved as version 1 keep their panel, with its names, order and defaults. */
const shownIf =
	(show: NonNullable<IDisplayOptions['show']>) =>
	(field: Field): Field => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
	});

const version1 = { '@version': [1] };
const version11 = { '@version': [{ _cnd: { gte: 1.1 } }] };
const tool = { '@tool': [true] };

/** Shown in version 1 only. */
export const inVersion1 = shownIf(version1);

/** Shown since version 1.1. */
export const sinceVersion11 = shownIf(version11);

/** Shown to AI agents only, since version 1.1. */
export const forAgents = shownIf({ ...version11, ...tool });

/** Hidden from AI agents. */
export const hiddenFromAgents = (field: Field): Field => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: tool },
});

/** Shown to AI agents in version 1 only. */
export const inVersion1Agents = shownIf({ ...version1, ...tool });

/** Has another default for AI agents, since version 1.1. */
export const withAgentDefault = (field: Field, value: Field['default']): Field[] => [
	hiddenFromAgents(field),
	inVersion1Agents(field),
	forAgents({ ...field, default: value }),
];
