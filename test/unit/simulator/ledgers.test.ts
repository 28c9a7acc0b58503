import type {
	Balance,
	CreatedInvoice,
	Interruption,
	NamedInvoice,
	Start,
} from '../../helpers/service/ledgers';
import {
	doubleProblems,
	doublesOf,
	handedOver,
	invoiceProblems,
	settle,
} from '../../helpers/service/ledgers';

describe('what starts a workflow', () => {
	const ids = ['a', 'b', 'c'];
	const duties = ids.map((id, index) => ({
		...{ trigger: 'Charge', id, must: true, shownAt: [1000 * index] },
	}));
	const starts = ids.map((id, index): Start => ({ trigger: 'Charge', id, at: 1000 * index + 10 }));
	const twice = [...starts, { ...starts[1], at: 9000 }];
	const killed = (from: number, trigger = 'Charge'): Interruption[] => [
		{ kind: 'n8n killed', triggers: [trigger], from, to: from + 100 },
	];

	test.each<[string, Start[], Interruption[], Partial<Balance>]>([
		['accepts what comes once each', starts, [], {}],
		['reports what is lost', starts.slice(1), [], { came: 2, lost: ['Charge a'] }],
		['reports what comes twice', twice, [], { twice: ['Charge b'] }],
		[
			'reports what nobody made',
			[...starts, { ...starts[0], id: 'x' }],
			[],
			{ strange: ['Charge x'] },
		],
		[
			'excuses a duplicate right before a kill',
			twice,
			killed(1020),
			{ excused: { 'n8n killed: twice': 1 } },
		],
		['reports a duplicate long before a kill', twice, killed(1070), { twice: ['Charge b'] }],
		[
			'reports a duplicate before a kill of another trigger',
			twice,
			killed(1020, 'Paid'),
			{ twice: ['Charge b'] },
		],
		[
			'excuses a loss right before a kill',
			starts.slice(1),
			killed(20),
			{ came: 2, excused: { 'n8n killed: lost': 1 } },
		],
		[
			'reports a loss long before a kill',
			starts.slice(1),
			killed(2000),
			{ came: 2, lost: ['Charge a'] },
		],
	])('%s', (_name, started, interruptions, wanted) => {
		const right = { came: 3, excused: {}, lost: [], twice: [], strange: [] };
		expect(settle(duties, started, interruptions, 50)).toEqual({ ...right, ...wanted });
	});

	test('accepts what may come if it comes once or never', () => {
		const may = [{ ...duties[0], must: false }];
		expect(settle(may, [], [], 50)).toMatchObject({ came: 0, lost: [] });
		expect(settle(may, [starts[0], starts[0]], [], 50).twice).toEqual(['Charge a']);
	});

	test('counts only charges that the log says were handed over', () => {
		const id = (digit: number) => `${digit}c9e6679-7425-40de-944b-e07fc1f90ae7`;
		const log = [
			`Trigger in workflow "${id(1)}" (ID x): New Charge, 2 handed over, created a to b, IDs 1 to 2: ${id(2)}, ${id(3)}`,
			`Trigger: charge ${id(4)} could not be read`,
		];
		expect(handedOver(log.join('\n'))).toEqual(new Set([id(2), id(3)]));
		expect(handedOver('')).toEqual(new Set());
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
