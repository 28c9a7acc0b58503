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

	const emptied = [runs[0], { id: '2', charges: [] }];
	test.each<[string, typeof runs, Set<string>, string[]]>([
		['accepts each charge in one execution', runs, nothing, []],
		['accepts a charge that only the log has', emptied, new Set(['c']), []],
		['reports a lost charge', emptied, nothing, ['Charge c is in no readable execution, and not in the log']],
		['reports a charge that comes again', [...runs, { id: '3', charges: ['b'] }], nothing, ['Charge b came twice: in 1 and 3']],
		['reports a charge that one execution has twice', [runs[0], { id: '2', charges: ['c', 'c'] }], nothing, ['Charge c came twice: in 2 and 2']],
		['reports a charge that nobody paid', [...runs, { id: '3', charges: ['d'] }], nothing, ['Charge d came and was never paid']],
	])('%s', (_title, found, logged, problems) => {
		expect(chargeProblems(paid, found, logged)).toEqual(problems);
	}); // prettier-ignore

	test('counts only charges that the log says were handed over', () => {
		const id = (digit: number) => `${digit}c9e6679-7425-40de-944b-e07fc1f90ae7`;
		const log = [
			`Trigger in workflow "${id(1)}" (ID x): New Charge, 2 handed over, created a to b, IDs 1 to 2: ${id(2)}, ${id(3)}`,
			`Trigger: charge ${id(4)} could not be read`,
		];
		expect(handedOver(log.join('\n'))).toEqual(new Set([id(2), id(3)]));
		expect(handedOver('')).toEqual(nothing);
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

	const silent = ['1 has 2 invoices, and no result names them all'];
	const half = of('new', { duplicates: ['new'], duplicateOf: 'old' });
	const neither = [of('old', { duplicates }), of('new', { duplicates })];
	const both = [newIsTooMany, of('old', { duplicates: ['new', 'old'], duplicateOf: 'new' })];
	const three = [...created, { id: 'third', number: '1' }];
	const all = { duplicates: ['old', 'new', 'third'], duplicateOf: 'old' };
	test.each<[string, CreatedInvoice[], NamedInvoice[], string[]]>([
		['accepts results that all name the duplicates', created, told, []],
		['accepts one result that names the duplicates', created, [of('old'), newIsTooMany, of('only')], []],
		['accepts two duplicates of the same invoice', three, [of('new', all), of('third', all)], []],
		['reports a duplicate that no result names beside others', three, [newIsTooMany], ['1 has 3 invoices, and no result names them all']],
		['reports duplicates that no result names', created, [of('old'), of('new'), of('only')], silent],
		['reports a result that names only one of them', created, [half], silent],
		['reports a result that does not say which one is the duplicate', created, neither, ['1: new is named as a duplicate of undefined']],
		['reports two results that keep different invoices', created, both, ['1: old and new are both to be kept']],
		['reports a duplicate of an invoice with another number', created, [of('new', { duplicates, duplicateOf: 'only' })], ['1: new is named as a duplicate of only']],
		['reports a duplicate that does not exist', created, [...told, of('only', { duplicates: ['only', 'x'] })], ['2 is told to exist twice, and does not']],
	])('%s', (_title, invoices, results, problems) => {
		expect(doubleProblems(invoices, results)).toEqual(problems);
	}); // prettier-ignore
});
