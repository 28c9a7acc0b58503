import fc from 'fast-check';
import { withoutCardData } from '../../../nodes/shared/secrets/cardData';
import { hideSecrets } from '../../../nodes/shared/transport/errorText';
import { readResponse } from '../../../nodes/shared/transport/response';

const key = 'sk+live/a_B=9&x';
const request = { method: 'GET', path: '/v1/charges' };

test('[R11] removes card data at any depth, and nothing else', () => {
	const items = [{ a: null }];
	const source = { last4: '1', card_data: { card_number: '4' } };
	const charge = { id: '1', source, items };
	expect(withoutCardData(charge)).toEqual({ id: '1', source: { last4: '1' }, items });
	expect(withoutCardData({ source: [{ card_data: {} }, 1] })).toEqual({ source: [{}, 1] });
	expect(charge.source).toHaveProperty('card_data');
	const plain = { id: '1', list: [1, null, { b: 'c' }] };
	expect(withoutCardData(plain)).toBe(plain);
});

test('replaces nothing without a key', () => expect(hideSecrets('abc', '')).toBe('abc'));

test.each([
	['Invalid key your+example/key', 'Invalid key (API key)'],
	['{"message":"Invalid key your+example\\/key"}', '{"message":"Invalid key (API key)"}'],
	['{"s":{"card_data":{"card_number":"4", "more":{"a":1}},"last4":"1"}}', '{"s":{"last4":"1"}}'],
	['{"m":"Bad {\\"card_data\\":{\\"a\\":\\"4\\"}}","id":1}', '{"m":"Bad {\\"card_data (hidden)","id":1}'],
	['{"card_data": {"card_number":"42', '{"card_data (hidden)'],
	['{"card-data": 42', '{"card-data (hidden)'],
	['nothing to hide', 'nothing to hide'],
	['Card 4111111111111111 declined', 'Card (card number) declined'],
	['no 4111 1111 1111 1111, 12 of 20', 'no (card number), 12 of 20'],
	['12 4111-1111-1111-1111', '12 (card number)'],
	['amex 378282246310005.', 'amex (card number).'],
	['{"pan":"4111111111111111","last4":"1111"}', '{"last4":"1111"}'],
	['{"cardData":{"a":1},"note":"x"}', '{"note":"x"}'],
	['{"source":{"card_number":4111111111111111}}', '{"source":{}}'],
	['{"number":4111111111111111}', '{"number":"(card number)"}'],
	['{"number":6304000000000000000}', '{"number":"(card number)"}'],
	['{"security_code":"123","securityCode":9,"CVV2":"1","cvc":"2"}', '{}'],
	['the cvv: 123 is wrong', 'the cvv: (hidden) is wrong'],
	['{"m":"{\\"security_code\\":\\"123\\"}"}', '{"m":"{\\"security_code\\":\\"(hidden)\\"}"}'],
	['cvv&quot;:&quot;123&quot;', 'cvv&quot;:&quot;(hidden)&quot;'],
	['order 1234567890123456', 'order 1234567890123456'],
	['no 00000000-0000-4000-8000-000000000000', 'no 00000000-0000-4000-8000-000000000000'],
])('hides secrets in %s', (text, shown) => expect(hideSecrets(text, ' your+example/key ')).toBe(shown)); // prettier-ignore

describe('[R10] hides the key', () => {
	const hex = (char: string, length: number) =>
		char.charCodeAt(0).toString(16).padStart(length, '0');
	const spellings: Record<string, (char: string) => string> = {
		plain: (char) => char,
		'escaped as in .NET': (char) => (/\w/.test(char) ? char : `\\u${hex(char, 4).toUpperCase()}`),
		'escaped twice': (char) => `\\\\u${hex(char, 4)}`,
		'escaped for HTML': (char) => ({ '&': '&amp;', '+': '&plus;', '=': '&#61;' })[char] ?? char,
		'escaped twice for HTML': (char) => (char === '&' ? '&amp;amp;' : `&amp;#x${hex(char, 1)};`),
		'escaped twice for HTML, by number': (char) => `&#x26;#${String(char.codePointAt(0))};`,
		'escaped for URLs': encodeURIComponent,
		'escaped twice for URLs': (char) => encodeURIComponent(encodeURIComponent(char)),
		'with a backslash': (char) => (char === '/' ? '\\/' : char),
		'in hexadecimal': (char) => `\\x${hex(char, 2)}`,
		'in capitals': (char) => char.toUpperCase(),
	};

	test.each(Object.entries(spellings))('%s', (_name, spell) => {
		const spelt = [...key].map(spell).join('');
		for (const text of [`Bad ${spelt}.`, `{"message":"Bad ${spelt}."}`, `<p>${spelt}</p>`]) {
			const shown = hideSecrets(text, key);
			expect(shown).toContain('(API key)');
			expect(shown).not.toContain('live');
		}
	});

	test('with each character escaped differently', () => {
		const anySpelling = fc.constantFrom(...Object.values(spellings));
		const { length } = key;
		fc.assert(
			fc.property(fc.array(anySpelling, { minLength: length, maxLength: length }), (choice) => {
				const spelt = [...key].map((char, at) => choice[at](char)).join('');
				const shown = hideSecrets(`Bad ${spelt} here`, key);
				expect(shown).toMatch(/API key/);
				expect(shown).not.toContain(spelt);
			}),
		);
	});

	test('in Base64 and in field names', () => {
		expect(hideSecrets(`Got ${Buffer.from(key).toString('base64')}`, key)).toBe('Got (API key)');
		expect(hideSecrets(JSON.stringify({ [key]: 1 }), key)).toBe('{"(API key)":1}');
	});

	const location = `https://x.example/${encodeURIComponent(key)}/login?a=${key}`;
	test.each([
		['redirect', 302, { location }, '', 'https://x.example/(API key)/login'],
		['notJson', 200, {}, `<title>No rights for ${key}</title>`, '"No rights for (API key)"'],
	])('in a response of the kind %s', (kind, statusCode, headers, body, reason) => {
		const outcome = readResponse({ statusCode, headers, body }, request, key);
		expect(outcome).toMatchObject({ failure: { kind, reason } });
	});
});
