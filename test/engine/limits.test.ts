import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import type { Field, RuledField } from '../../nodes/shared/fields/field';
import { fieldsIn, isRuled } from '../../nodes/shared/fields/field';
import { useNode } from '../helpers/n8n/nodeRuns';
import { operations } from '../helpers/n8n/operations';

/** Every field of every operation refuses what is beyond its limits, in words that name the field and the limit, before anything is sent. */
const { run, service } = useNode();

/** A value that is not allowed, and what the error says of it besides the field's name. */
type Beyond = [value: NodeParameterValueType, says: string];

/** What is beyond the limits of a rule. n8n itself keeps to the options of a field, so only an expression can give another one. */
function beyond({ limits }: RuledField['rule']): Beyond[] {
	const { kind, minLength, maxLength, min, max, options } = limits;
	const expression = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
	if (kind === 'integer')
		return [
			[expression(1.5), 'whole number'],
			...[min === undefined ? [] : min - 1, max === undefined ? [] : max + 1]
				.flat()
				.map((value): Beyond => [expression(value), String(value)]),
		];
	if (kind === 'text')
		return [
			...(maxLength ? [['x'.repeat(maxLength + 1), String(maxLength)] as Beyond] : []),
			...(minLength && minLength > 1
				? [['x'.repeat(minLength - 1), String(minLength)] as Beyond]
				: []),
		];
	if (kind === 'list') return max === undefined ? [] : [[tooMany(max), String(max)]];
	const words: Partial<Record<typeof kind, string>> = {
		option: options?.[0],
		boolean: 'true or false',
		uuid: 'UUID',
		email: 'email',
		uri: 'https://',
		currency: '3 letters',
		date: 'YYYY-MM-DD',
		amount: 'an amount such as',
	};
	const says = words[kind];
	return says === undefined ? [] : [[expression('nonsense'), says]];
}

const tooMany = (max: number) => ({
	field: Array.from({ length: max + 1 }, (_, at) => ({ name: `Field ${at}` })),
});

/** The parameters of an operation with a value in a field, which may stand in a collection. */
function parametersWith(
	required: INodeParameters,
	{ field, collection }: { field: RuledField; collection?: Field },
	value: NodeParameterValueType,
): INodeParameters {
	const given =
		field.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: String(value) } : value;
	if (!collection) return { ...required, [field.name]: given as NodeParameterValueType };
	const inside = (required[collection.name] ?? {}) as INodeParameters;
	return {
		...required,
		[collection.name]: { ...inside, [field.name]: given as NodeParameterValueType },
	};
}

/** Fields that only some choice of another one shows, and that choice. */
const shownWith = ({ displayOptions }: Field): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) =>
			['resource', 'operation'].includes(name) || !values ? [] : [[name, values[0]]],
		),
	) as INodeParameters;

const isOfTools = ({ displayOptions }: Field) => '@tool' in (displayOptions?.show ?? {});

const cases = operations.flatMap(({ key, operation, required }) => {
	const all = operation.fields.flatMap(
		(field): Array<{ field: Field; collection?: Field }> =>
			field.type === 'collection'
				? fieldsIn(field).map((one) => ({ field: one, collection: field }))
				: [{ field }],
	);
	return all.flatMap(({ field, collection }) =>
		isRuled(field) && !isOfTools(field)
			? beyond(field.rule).map(([value, says]) => ({
					title: `${key}: ${field.displayName} = ${JSON.stringify(value).slice(0, 40)}`,
					parameters: parametersWith(
						{ ...required, ...shownWith(field) },
						{ field, collection },
						value,
					),
					name: field.displayName,
					says,
				}))
			: [],
	);
});

test.each(cases.map((one) => [one.title, one] as const))('%s', async (_title, one) => {
	const { error } = await run(one.parameters);
	expect(error?.message).toContain(one.name);
	expect(error?.message).toContain(one.says);
	expect(service.requests).toEqual([]);
});

test('there are cases for each operation', () => {
	for (const { key } of operations)
		expect(cases.filter(({ title }) => title.startsWith(`${key}:`)).length).toBeGreaterThan(0);
});
