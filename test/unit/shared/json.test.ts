import fc from 'fast-check';
import { readJson, ResponseRejectedError } from '../../../nodes/shared/transport/json';

test.each([
	['9007199254740993', '9007199254740993'],
	['-9007199254740993', '-9007199254740993'],
	['9007199254740992', '9007199254740992'],
	['9007199254740991', 9007199254740991],
	['12345678901234567890', '12345678901234567890'],
	['0.12345678901234567890', '0.12345678901234567890'],
	['0.30000000000000004', 0.30000000000000004],
	['1.50000000000', 1.5],
	['1e21', 1e21],
	['1E400', '1E400'],
	['-0', -0],
	['1e-7', 1e-7],
])('reads the number %s as %p', (literal, value) => {
	expect(readJson(`{"id": ${literal},"all":[${literal} , "${literal}"]}`)).toEqual({
		id: value,
		all: [value, literal],
	});
});

test('leaves digits in texts and names alone', () => {
	const text = '{"a\\"9007199254740993":"\\\\\\"9007199254740993\\\\"}';
	expect(readJson(text)).toEqual(JSON.parse(text));
});

test('reads like JSON.parse', () => {
	fc.assert(
		fc.property(fc.jsonValue({ noUnicodeString: false }), fc.nat(4), (value, indent) => {
			const text = JSON.stringify(value, undefined, indent);
			const isSafe = !/\d{16}|"toString":/.test(text);
			fc.pre(isSafe);
			expect(readJson(text)).toEqual(JSON.parse(text));
		}),
	);
});

test('[O7] keeps all digits of whole numbers', () => {
	fc.assert(
		fc.property(fc.array(fc.bigInt()), (numbers) => {
			const read = readJson(`{"results":[${numbers.join(',')}]}`) as { results: unknown[] };
			expect(read.results.map(String)).toEqual(numbers.map(String));
		}),
	);
});

test.each(['', '{', '{"a":', '[1,]', '"open', '-', '1.2.3', '{"a":12345678901234567890'])(
	'refuses %p',
	(text) => expect(() => readJson(text)).toThrow(SyntaxError),
);

test('refuses deep nesting without recursion', () => {
	const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
	expect(readJson(nested(200))).toBeDefined();
	expect(() => readJson(nested(201))).toThrow(ResponseRejectedError);
	expect(() => readJson(`{"a":${nested(1_000_000)}}`)).toThrow(ResponseRejectedError);
	expect(readJson(JSON.stringify(nested(5000)))).toBe(nested(5000));
});

test.each(['{"toString":1}', '[{"a":[{"toString":null}]}]', '{"__proto__":{"toString":{}}}'])(
	'refuses %s, which String cannot turn into text',
	(text) => expect(() => readJson(text)).toThrow(ResponseRejectedError),
);

test('makes nothing that String cannot turn into text', () => {
	const name = fc.constantFrom('toString', 'valueOf', 'toJSON', 'constructor', 'a');
	const { value } = fc.letrec<{ value: unknown }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4 },
			fc.constantFrom(null, 1, 'x'),
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(name, tie('value'), { maxKeys: 3 }),
		),
	}));
	fc.assert(
		fc.property(value, (one) => {
			const text = JSON.stringify(one);
			const read = () => String(readJson(text));
			if (text.includes('"toString"')) expect(read).toThrow(ResponseRejectedError);
			else expect(read()).toBeDefined();
		}),
	);
});
