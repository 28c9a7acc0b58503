import type { CreatedInvoice, NamedInvoice } from '../helpers/service/ledgers';
import {
	chargeProblems,
	doubleProblems,
	doublesOf,
	handedOver,
	invoiceProblems,
} from '../helpers/service/ledgers';

describe('charges', () => {
	const paid = ['a', 'b', 'c'];
	const runs = [
		{ id: '1', charges: ['a', 'b'] },
		{ id: '2', charges: ['c'] },
	];
	const nothing = new Set<string>();

	test('accepts each charge in one execution', () =>
		expect(chargeProblems(paid, runs, nothing)).toEqual([]));

	test('reports a lost charge', () => {
		const emptied = [runs[0], { id: '2', charges: [] }];
		expect(chargeProblems(paid, emptied, nothing)).toEqual([
			'Charge c is in no readable execution, and not in the log',
		]);
		expect(chargeProblems(paid, emptied, new Set(['c']))).toEqual([]);
	});

	test('counts only charges that the log says were handed over', () => {
		const id = (digit: number) => `${digit}c9e6679-7425-40de-944b-e07fc1f90ae7`;
		const log = [
			`Trigger in workflow "${id(1)}" (ID x): New Charge, 2 handed over, created a to b, IDs 1 to 2: ${id(2)}, ${id(3)}`,
			`Trigger: charge ${id(4)} could not be read`,
		];
		expect(handedOver(log.join('\n'))).toEqual(new Set([id(2), id(3)]));
		expect(handedOver('')).toEqual(nothing);
	});

	test('reports a charge that comes twice', () => {
		const again = [...runs, { id: '3', charges: ['b'] }];
		expect(chargeProblems(paid, again, nothing)).toEqual(['Charge b came twice: in 1 and 3']);
		const inOne = [runs[0], { id: '2', charges: ['c', 'c'] }];
		expect(chargeProblems(paid, inOne, nothing)).toEqual(['Charge c came twice: in 2 and 2']);
	});

	test('reports a charge that nobody paid', () => {
		const strange = [...runs, { id: '3', charges: ['d'] }];
		expect(chargeProblems(paid, strange, nothing)).toEqual(['Charge d came and was never paid']);
	});
});

describe('invoices', () => {
	test('accepts each invoice once', () =>
		expect(invoiceProblems(['1', '2'], ['2', '1'])).toEqual([]));

	test('reports duplicate, missing and unexpected invoices', () => {
		expect(invoiceProblems(['1', '2'], ['1', '1', '3'])).toEqual([
			'Invoice 2 was not created',
			'Invoice 1 was created 2 times',
			'Invoice 3 was created and is in no sheet',
		]);
	});
});

describe('duplicate invoices', () => {
	const created: CreatedInvoice[] = [
		{ id: 'old', number: '1' },
		{ id: 'new', number: '1' },
		{ id: 'only', number: '2' },
	];
	const duplicates = ['old', 'new'];
	const of = (id: string, more: Partial<NamedInvoice> = {}): NamedInvoice => ({
		...{ id, invoice_number: id === 'only' ? '2' : '1' },
		...more,
	});
	const newIsTooMany = of('new', { duplicates, duplicateOf: 'old' });
	const told = [of('old', { duplicates }), newIsTooMany, of('only'), of('only')];

	test('finds the numbers with several invoices', () =>
		expect([...doublesOf(created).keys()]).toEqual(['1']));

	test('accepts one result that names the duplicates', () => {
		expect(doubleProblems(created, told)).toEqual([]);
		expect(doubleProblems(created, [of('old'), newIsTooMany, of('only')])).toEqual([]);
	});

	test('accepts two duplicates of the same invoice', () => {
		const three = [...created, { id: 'third', number: '1' }];
		const all = { duplicates: ['old', 'new', 'third'], duplicateOf: 'old' };
		expect(doubleProblems(three, [of('new', all), of('third', all)])).toEqual([]);
		const two = of('new', { duplicates, duplicateOf: 'old' });
		expect(doubleProblems(three, [two])).toEqual([
			'1 has 3 invoices, and no result names them all',
		]);
	});

	test('reports duplicates that no result names', () => {
		const silent = ['1 has 2 invoices, and no result names them all'];
		expect(doubleProblems(created, [of('old'), of('new'), of('only')])).toEqual(silent);
		const half = of('new', { duplicates: ['new'], duplicateOf: 'old' });
		expect(doubleProblems(created, [half])).toEqual(silent);
	});

	test('reports a result that does not say which one is the duplicate', () => {
		const neither = [of('old', { duplicates }), of('new', { duplicates })];
		expect(doubleProblems(created, neither)).toEqual([
			'1: new is named as a duplicate of undefined',
		]);
	});

	test('reports two results that keep different invoices', () => {
		const both = [newIsTooMany, of('old', { duplicates: ['new', 'old'], duplicateOf: 'new' })];
		expect(doubleProblems(created, both)).toEqual(['1: old and new are both to be kept']);
	});

	test('reports a duplicate of an invoice with another number', () => {
		const other = of('new', { duplicates, duplicateOf: 'only' });
		expect(doubleProblems(created, [other])).toEqual(['1: new is named as a duplicate of only']);
	});

	test('reports a duplicate that does not exist', () => {
		const wrong = of('only', { duplicates: ['only', 'x'] });
		expect(doubleProblems(created, [...told, wrong])).toEqual([
			'2 is told to exist twice, and does not',
		]);
	});
});
