/** The credential: n8n's test of it, and where its key is sent. */

import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { InvoicingPayments, InvoicingPaymentsApi } from '../../index';
import { useSimulator } from '../helpers/service/useSimulator';

const service = useSimulator();

const { testCredential } = new InvoicingPayments().methods.credentialTest;

async function testWith(change: object) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const data = { ...service.credential, ...change };
	const credential = { id: '1', name: 'Test', type: 'invoicingPaymentsApi', data };
	return await testCredential.call(context, credential);
}

describe('the credential test', () => {
	test('accepts a good key, also with spaces and a trailing slash', async () => {
		const { apiKey, baseUrl } = service.credential;
		for (const change of [
			{},
			{ apiKey: ` ${String(apiKey)}\n`, baseUrl: ` ${String(baseUrl)}/v1/ ` },
		]) {
			expect(await testWith(change)).toEqual({
				status: 'OK',
				message: 'The service accepted the API key',
			});
		}
		expect(service.requests).toMatchObject([
			{ path: '/v1/charges', query: { page_size: '1' }, authorised: true },
			{},
		]);
	});

	test.each([401, 403])('refuses a wrong key (%i)', async (badKeyStatus) => {
		service.world.set({ badKeyStatus });
		const { status, message } = await testWith({ apiKey: 'not-the-key' });
		expect([status, message]).toEqual([
			'Error',
			expect.stringMatching(/API key: The API key is missing or not valid$/),
		]);
	});

	test.each([
		['no key', { apiKey: '  ' }, 'API Key is empty'],
		['a key with a space', { apiKey: 'a b' }, 'API Key contains a space'],
		['no base URL', { baseUrl: '' }, 'Base URL is empty'],
		['no scheme', { baseUrl: 'api.example.com' }, 'starts with https://'],
		['http to elsewhere', { baseUrl: 'http://api.example.com' }, 'Allow Unencrypted HTTP'],
		['no server', { baseUrl: 'http://127.0.0.1:1' }, 'Nothing responds at 127.0.0.1:1'],
		['no such host', { baseUrl: 'https://service.invalid' }, 'service.invalid'],
	])('refuses a credential with %s', async (_name, change, words) => {
		expect(await testWith(change)).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
		expect(service.requests).toEqual([]);
	});

	test.each([
		['a web page', { kind: 'html' }, 'returned "Welcome" instead of JSON'],
		['another API', { kind: 'json', body: { ok: true } }, 'no page with "results"'],
		['a redirect', { kind: 'redirect', location: 'https://other.example/login?x=1' }, 'redirect to https://other.example/login.'],
		['too many requests', { kind: 'status', status: 429 }, 'too many requests'],
		['a service that fails', { kind: 'status', status: 503 }, 'The service failed (status 503)'],
		['another path', { kind: 'status', status: 404 }, 'found nothing at /v1/charges'],
		['a broken connection', { kind: 'reset' }, 'was closed before the whole response arrived'],
	] as const)('reports %s', async (_name, action, words) => {
		service.world.faults.add({ action });
		expect(await testWith({})).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
	}); // prettier-ignore
});

describe('[R10] the key is only sent to the origin of the base URL', () => {
	const { authenticate } = new InvoicingPaymentsApi();
	const credential = { apiKey: ' your-example-key ', baseUrl: 'https://api.example.com/pay' };
	const send = async (url: string, baseURL?: string) => {
		if (typeof authenticate !== 'function') throw new Error('authenticate has to be a function');
		return await authenticate(credential, { url, baseURL });
	};

	test.each([
		['/v1/charges', 'https://api.example.com/pay'],
		['https://api.example.com/anything', undefined],
	])('is sent to %s', async (url, baseURL) => {
		expect(await send(url, baseURL)).toMatchObject({
			headers: { 'X-API-KEY': 'your-example-key' },
			disableFollowRedirect: true,
			maxRedirects: 0,
		});
	});

	test.each([
		'https://api.example.com.evil.example/v1',
		'http://api.example.com/v1',
		'https://api.example.com:444/v1',
		'//evil.example/v1',
	])('is not sent to %s', async (url) => {
		await expect(send(url, 'https://api.example.com/pay')).rejects.toThrow(
			'only sent to https://api.example.com',
		);
	});
});
