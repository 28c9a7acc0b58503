import { baseUrlOf } from '../../nodes/shared/transport/baseUrl';

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['  https://api.example.com/ ', 'https://api.example.com'],
	['https://api.example.com///', 'https://api.example.com'],
	['https://api.example.com/v1/', 'https://api.example.com'],
	['https://example.com/payments/v1', 'https://example.com/payments'],
	['HTTPS://API.Example.com:8443/x/', 'https://api.example.com:8443/x'],
	['http://localhost:4010', 'http://localhost:4010'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://[::1]:4010', 'http://[::1]:4010'],
])('%p -> %p', (baseUrl, value) => expect(baseUrlOf({ baseUrl })).toEqual({ value }));

test.each([
	['', 'empty'],
	['  ', 'empty'],
	['api.example.com', 'must be a complete address that starts with https://'],
	['api.example.com:443', 'must start with https://'],
	['ftp://api.example.com', 'must start with https://'],
	['http://api.example.com', 'Allow Unencrypted HTTP'],
	['http://127.0.0.1.example.com', 'Allow Unencrypted HTTP'],
	['http://localhost.example.com', 'Allow Unencrypted HTTP'],
	['https://user:secret@api.example.com', 'must not contain a user name'],
	['https://api.example.com?x=1', 'must not contain'],
	['https://api.example.com#x', 'must not contain'],
])('%p is refused: %s', (baseUrl, problem) =>
	expect(baseUrlOf({ baseUrl })).toEqual({ problem: expect.stringContaining(problem) as string }),
);

test('http to another machine is allowed by the switch', () => {
	expect(baseUrlOf({ baseUrl: 'http://10.0.0.5:8080', allowUnencryptedHttp: true })).toEqual({
		value: 'http://10.0.0.5:8080',
	});
});

test('what was entered is not repeated: it may be the key', () => {
	expect(JSON.stringify(baseUrlOf({ baseUrl: 'dummy-example-key' }))).not.toContain('dummy');
});
