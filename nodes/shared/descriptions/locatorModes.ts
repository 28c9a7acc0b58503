import type {
	INodeProperties,
	INodePropertyMode,
	INodePropertyModeTypeOptions,
} from 'n8n-workflow';

/** A mode of a resource locator for typed text. Modes, unlike fields, have no default. */
export const textMode = (
	displayName: string,
	name: string,
	placeholder: string,
): INodePropertyMode => ({ displayName, name, ...({ type: 'string', placeholder } as const) });

/** The modes of a resource locator: a searchable list, By ID, and others. */
export const locatorModes = (
	placeholder: string,
	list: INodePropertyModeTypeOptions,
	others: INodePropertyMode[] = [],
): Pick<INodeProperties, 'modes'> => ({
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder,
			typeOptions: { searchable: true, ...list },
		},
		textMode('By ID', 'id', 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d'),
		...others,
	],
});
