import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { InvoicingPayments, InvoicingPaymentsTrigger } from '../../index';
import type { RuledField } from '../../nodes/shared/fields/field';

const { description } = new InvoicingPaymentsTrigger();
const named = (name: string): INodeProperties =>
	description.properties.find((property) => property.name === name) as INodeProperties;
const optionsOf = (name: string) => (named(name).options ?? []) as INodeProperties[];
const fields = description.properties.flatMap((property) =>
	property.type === 'collection' ? optionsOf(property.name) : [property],
);

test('filters are those of the spec, without what chooses the page', () => {
	const { page, page_size: size, ...filters } = endpoints.listCharges.query.shape;
	expect([page, size]).not.toContain(undefined);
	const sent = optionsOf('filters').map(({ routing }) => routing?.send);
	expect(sent.map((send) => send?.property).sort()).toEqual(Object.keys(filters).sort());
	expect(new Set(sent.map((send) => send?.type))).toEqual(new Set(['query']));
	// The same as those of the node, which another test compares with the spec in detail.
	const ofNode = new InvoicingPayments().description.properties.find(
		({ name, displayOptions }) =>
			name === 'filters' && displayOptions?.show?.resource?.includes('charge'),
	);
	const namesOf = (all: Array<{ name: string }> = []) => all.map(({ name }) => name);
	expect(namesOf(optionsOf('filters'))).toEqual(
		namesOf(ofNode?.options as Array<{ name: string }>),
	);
});

test('every field and every choice says what it is for', () => {
	for (const { displayName, description: words } of [...fields, named('filters')]) {
		expect([displayName, words]).toEqual([displayName, expect.stringMatching(/.{20}/)]);
	}
	for (const name of ['event', 'startWith']) {
		for (const choice of named(name).options as INodePropertyOptions[]) {
			expect([choice.name, choice.description]).toEqual([
				choice.name,
				expect.stringMatching(/.{20}/),
			]);
		}
	}
});

test('the editor has the limits that are checked', () => {
	for (const { displayName, type, typeOptions, rule } of fields as RuledField[]) {
		if (type !== 'number') continue;
		const { min, max } = rule.limits;
		expect([displayName, typeOptions?.minValue, typeOptions?.maxValue]).toEqual([
			displayName,
			min,
			max,
		]);
	}
});
