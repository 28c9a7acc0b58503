import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { InvoicingPayments } from '../../index';
import { plainValue } from '../../nodes/shared/fields/plainValue';
import { contextOf } from '../helpers/n8n/engine';
import { useSimulator } from '../helpers/service/useSimulator';

/** References to fields are read without n8n's evaluator, but have to give the same values. */
const service = useSimulator();

const names = [
	...['Amount', 'Due Date', 'a', '_b2', 'Größe', 'toString', '__proto__', 'constructor', 'x"y', ''],
];
const name = fc.constantFrom(...names);
const expression = name.chain((one) =>
	fc.constantFrom(
		`={{ $json.${one} }}`,
		`={{$json["${one}"]}}`,
		`={{ $json['${one}'] }}`,
		`= {{ $json.${one} }}`,
		`={{ $json.${one} }} `,
		`={{ $json.${one} + 1 }}`,
		`={{ $json.${one}?.length }}`,
		`=${one}`,
		`{{ $json.${one} }}`,
	),
);
const value = fc.oneof(
	fc.constantFrom<unknown>(null, 0, -0, 1.5, true, '', '={{ 1 }}', ' text ', '2026-12-31', 'é\u0000'), // prettier-ignore
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.string(),
	fc.constant({ Amount: 1 }),
	fc.constant([1, 'a']),
);
const item = fc.dictionary(name, value, { noNullPrototype: true });
const parameter = fc.oneof(
	{ weight: 4, arbitrary: expression },
	fc.string(),
	fc.integer(),
	fc.boolean(),
	fc.record({ mode: fc.constant('id'), __rl: fc.constant(true), value: expression }),
	fc.record({ item: fc.array(fc.record({ name: expression, quantity: expression }), { maxLength: 3 }) }),
); // prettier-ignore

/** The value from n8n-core's context, or that it throws. */
function evaluated(parameters: INodeParameters, items: IDataObject[], index: number): unknown {
	try {
		const context = contextOf({ credential: service.credential, parameters, items });
		return { value: context.getNodeParameter('firstName', index, '') };
	} catch {
		return 'an error';
	}
}

const member = { resource: 'member', operation: 'create' };

test('values without the evaluator equal those of the evaluator', () => {
	let read = 0;
	fc.assert(
		fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), parameter, (items, note) => {
			const all = items as IDataObject[];
			all.forEach((json, index) => {
				const plain = plainValue(note, json);
				if (!plain) return;
				read++;
				expect(plain).toEqual(
					evaluated({ ...member, firstName: note } as INodeParameters, all, index),
				);
			});
		}),
		{ seed: 2026, numRuns: 300 },
	);
	expect(read).toBeGreaterThan(100);
});

test('no property asks n8n to convert its value, because that is not done here', () => {
	const { properties } = new InvoicingPayments().description;
	expect(JSON.stringify(properties)).not.toContain('validateType');
});
