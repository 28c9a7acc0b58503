import { withoutCardData } from '../../nodes/shared/redact';
import { hideSecrets, readAnswer } from '../../nodes/shared/answer';

test.each([
	['Invalid key your+example/key', 'Invalid key (API key)'],
	['{"message":"Invalid key your+example\\/key"}', '{"message":"Invalid key (API key)"}'],
	[
		'{"source":{"card_data":{"card_number":"4", "more":{"a":1}},"last4":"1"}}',
		'{"source":{"last4":"1"}}',
	],
	[
		'{"message":"Bad {\\"card_data\\":{\\"card_number\\":\\"4\\"}}","id":1}',
		'{"message":"Bad {\\"card_data (hidden)","id":1}',
	],
	['{"card_data": {"card_number":"42', '{"card_data (hidden)'],
	['nothing to hide', 'nothing to hide'],
])('%s', (text, shown) => expect(hideSecrets(text, ' your+example/key ')).toBe(shown));

test('no key, nothing replaced', () => expect(hideSecrets('abc', '')).toBe('abc'));

test('card data is removed however deep, and nothing else is touched', () => {
	const charge = {
		id: '1',
		source: { last4: '1', card_data: { card_number: '4' } },
		items: [{ a: null }],
	};
	expect(withoutCardData(charge)).toEqual({
		id: '1',
		source: { last4: '1' },
		items: [{ a: null }],
	});
	expect(withoutCardData({ source: [{ card_data: {} }, 1] })).toEqual({ source: [{}, 1] });
	expect(charge.source).toHaveProperty('card_data');
	const plain = { id: '1', list: [1, null, { b: 'c' }] };
	expect(withoutCardData(plain)).toBe(plain);
});

test('a web page with the key in its title', () => {
	const response = {
		statusCode: 200,
		headers: {},
		body: '<title>No rights for a-dummy-key</title>',
	};
	expect(readAnswer(response, { method: 'GET', path: '/v1/charges' }, 'a-dummy-key')).toMatchObject(
		{
			failure: { kind: 'notJson', reason: '"No rights for (API key)"' },
		},
	);
});
