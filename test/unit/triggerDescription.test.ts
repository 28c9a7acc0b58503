import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { endpoints } from '../../contract';
import { InvoicingPayments, InvoicingPaymentsTrigger } from '../../index';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import type { RuledField } from '../../nodes/shared/fields/field';

const { description } = new InvoicingPaymentsTrigger();
const { properties } = description;
/** What is shown for an event. */
const shownFor = (event: string) =>
	properties.filter(({ displayOptions: { show } = {} }) => show?.event?.includes(event) ?? true);
const named = (event: string, name: string) =>
	shownFor(event).find((property) => property.name === name) as INodeProperties;
const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodeProperties[];
const fields = properties.flatMap((property) =>
	property.type === 'collection' ? [property, ...optionsOf(property)] : [property],
);

const queries = {
	'/v1/charges': endpoints.listCharges.query.shape,
	'/v1/invoices': endpoints.listInvoices.query.shape,
	'/v1/members': {},
};

test.each(events)(
	'$name: filters are those of the spec, without what it decides itself',
	(event) => {
		const query = queries[event.list.path as keyof typeof queries];
		const own = ['page', 'page_size', ...(event.value === 'newCharge' ? [] : ['status'])];
		const wanted = Object.keys(query).filter((name) => !own.includes(name));
		const filters = optionsOf(named(event.value, 'filters'));
		const sent = filters.map(({ routing }) => routing?.send);
		expect(sent.map((send) => send?.property).sort()).toEqual(wanted.sort());
		expect(sent.every((send) => send?.type === 'query')).toBe(true);
		// The same as those of the node, which another test compares with the spec in detail.
		const ofNode = new InvoicingPayments().description.properties.find(
			({ name, displayOptions }) =>
				name === 'filters' &&
				displayOptions?.show?.resource?.includes(event.list.noun.replace(/s$/, '')),
		);
		const namesOf = (all: Array<{ name: string }> = []) => all.map(({ name }) => name);
		expect(namesOf(optionsOf(ofNode))).toEqual(expect.arrayContaining(namesOf(filters)));
	},
);

test.each(events)('$name: every field is there once', ({ value }) => {
	const names = shownFor(value).map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names).toEqual(expect.arrayContaining(['event', 'startWith', 'options']));
	expect(optionsOf(named(value, 'options')).map(({ name }) => name)).toContain('maxPerRun');
});

test('every field and every choice says what it is for', () => {
	for (const { type, displayName, description: words } of fields) {
		if (type === 'notice' || words === undefined) continue;
		expect([displayName, words]).toEqual([displayName, expect.stringMatching(/.{20}/)]);
	}
	const silent = fields.filter(({ description: words }) => words === undefined);
	expect(new Set(silent.map(({ name }) => name))).toEqual(new Set(['declinedNotice', 'options']));
	const choices = properties.filter(({ name }) => ['event', 'startWith'].includes(name));
	for (const choice of choices.flatMap(({ options }) => options as INodePropertyOptions[])) {
		expect([choice.name, choice.description]).toEqual([
			choice.name,
			expect.stringMatching(/.{20}/),
		]);
	}
});

test('events stand in the order of their names, each with a sentence for the list of nodes', () => {
	const names = events.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
	for (const { action, name } of events) {
		expect(action).toBe(`On ${name.toLowerCase()}`);
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
