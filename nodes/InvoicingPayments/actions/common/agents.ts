import type { Field } from '../../../shared/fields/field';

/** n8n's condition for a node that an AI agent uses as a tool. */
const tool = { '@tool': [true] };

export const forAgents = (field: Field): Field => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...tool, ...field.displayOptions?.show } },
});

export const hiddenFromAgents = (field: Field): Field => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: tool },
});

/** Gives AI agents another default. */
export const withAgentDefault = (field: Field, value: Field['default']): Field[] => [
	hiddenFromAgents(field),
	forAgents({ ...field, default: value }),
];
