import { startSimulator } from '../../simulator/server';
import { continues, oneTry, textOf, useNode } from '../helpers/n8n/nodeRuns';
import { spellings } from '../helpers/service/spellings';

/** The API key and card numbers are in no error, hint or output, however the service spells them, and what only looks like them stays. */
const { service, run, posts, fault, create } = useNode();

const charges = { resource: 'charge', operation: 'getAll', simplify: false, ...oneTry };

describe('the API key', () => {
	const ownKey = () => String(service.world.settings.apiKey);
	const shown = (...parts: unknown[]) => JSON.stringify(parts);

	test.each(Object.entries(spellings))(
		'is in no field of a successful response: %s',
		async (_name, spell) => {
			const invoice = { id: 'a', title: '', currency: 'EUR', url: 'https://x.example' };
			const body = JSON.stringify({ ...invoice, note: 'KEY', KEY: 1 }).replaceAll(
				'KEY',
				spell(ownKey()),
			);
			fault({ kind: 'raw', body }, { method: 'POST' });
			const { json, hints, stored } = await run(service.invoice({ simplify: false }));
			expect(json).toMatchObject([
				{ outcome: 'created', note: expect.stringContaining('(API key)') },
			]);
			expect(shown(json, hints, stored)).not.toContain(spell(ownKey()));
		},
	);

	test.each(Object.entries(spellings))(
		'is in no error, wherever the text is cut: %s',
		async (_name, spell) => {
			for (const before of [0, 1990, 9_980, 99_966, 99_990]) {
				const body = `${' '.repeat(before)}${spell(ownKey())} is no key`;
				fault({ kind: 'raw', status: 400, body }, { method: 'POST' });
				const result = await run(service.invoice());
				expect(result.error?.message).toContain('(status 400)');
				for (const part of [spell(ownKey()), ownKey().slice(0, 12)])
					expect(shown(textOf(result), result.stored)).not.toContain(part);
			}
		},
	);

	test('is neither sent in a field nor shown by its error', async () => {
		const { error } = await run(service.invoice({ additionalFields: { title: ownKey() } }));
		expect(error?.message).toContain('it contains the API key of the credential');
		const quoted = await run(service.invoice({ currency: ownKey() }));
		expect(textOf(quoted)).toContain('(API key)');
		const long = await run(service.invoice({ additionalFields: { invoiceNumber: `${ownKey()} ${'x'.repeat(30)}` } }), { node: continues }); // prettier-ignore
		expect(long.json[0].error).toContain('(API key)');
		expect(shown(textOf({ error }), textOf(quoted), long.json)).not.toContain(ownKey());
		expect(posts()).toEqual([]);
	});

	test('as the title of an existing invoice is in no hint', async () => {
		const existing = { id: 'a', invoice_number: 'A', title: ownKey() };
		fault({ kind: 'json', body: { count: 1, next: null, results: [existing] } });
		const additionalFields = { invoiceNumber: 'A', title: 'Two' };
		const { hints, json } = await run(create('returnExisting', { additionalFields }));
		expect(json).toMatchObject([{ outcome: 'found' }]);
		expect(hints.join()).toContain('title: (API key) in the service');
	});

	test('goes through no proxy in clear text', async () => {
		const proxy = await startSimulator();
		try {
			const requestOptions = { proxy: proxy.url };
			const other = { apiKey: 'your-key-123', baseUrl: 'http://service.example', allowUnencryptedHttp: true }; // prettier-ignore
			for (const credential of [service.credential, other]) {
				const { error } = await run(service.invoice({ requestOptions }), { credential });
				expect(error?.message).toContain('The proxy would see the API key');
			}
			expect(proxy.world.traffic.requests).toEqual([]);
		} finally {
			await proxy.close();
		}
	});
});

describe('card data', () => {
	const digits = '4242424242424242';
	const groups = (separator: string) => (digits.match(/.{4}/g) ?? []).join(separator);
	const separators = ['', '\t', '\n', '\u2009', '/', '_', ',', ':', '–', ' ', '-', '.', '\u00a0'];
	const wide = (digit: string) => String.fromCodePoint(0xff10 + Number(digit));
	const written = [
		...separators.map(groups),
		[...digits].join(' '),
		[...digits].map(wide).join(''),
	];
	const isShown = (text: string) => /4242/.test(text.normalize('NFKC'));

	test.each(written.map((text) => [JSON.stringify(text), text]))('%s is in no error and no output', async (_name, text) => {
		fault({ kind: 'raw', status: 400, body: JSON.stringify({ message: `Card ${text} declined` }) });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		fault({ kind: 'raw', status: 400, body: `<h1>Card ${text} declined</h1>` });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		const charge = { id: 'c', total: '1.00', note: `Card ${text}`, source: { card: { card_number: digits, cvv_code: '123' }, card_holder_name: text } }; // prettier-ignore
		fault({ kind: 'json', body: { count: 1, next: null, results: [charge] } });
		const { json } = await run(charges);
		expect(json).toMatchObject([{ id: 'c', note: 'Card (card number)', source: { card: {} } }]);
		expect(isShown(JSON.stringify(json)) || JSON.stringify(json).includes('123')).toBe(false);
	}); // prettier-ignore

	test('stays out of an output where numbers only look like it', async () => {
		const charge = {
			id: digits,
			reference_id: digits,
			created: '2026-01-31 09:00:00.000000',
			note: 'IBAN DE44 5001 0517 5407 3249 31, phones +4915112345673, +62 812 3456 7892',
			paid: '2026-06-30 09:00:00.000001',
			total: '4222222222.222',
			url: `https://x.example/${digits}`,
		};
		fault({ kind: 'json', body: { count: 1, next: null, results: [charge] } });
		const { json } = await run(charges);
		expect(json).toEqual([charge]);
	});
});

describe('an error of the service', () => {
	const refused = async (detail: string) => {
		const body = JSON.stringify({ detail });
		fault({ kind: 'raw', body, status: 400 }, { times: null });
		return (await run(charges)).error?.message;
	};

	test('shows IDs and dates unchanged', async () => {
		const detail = 'No customer 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d on 2026-12-31';
		expect(await refused(detail)).toContain(detail);
	});

	test('does not block n8n with a long list of dates', async () => {
		const days = Array.from({ length: 600 }, (_, at) => `2026-0${1 + (at % 9)}-1${at % 10}`);
		const begin = performance.now();
		expect(await refused(`Not open on ${days.join(' ')}`)).toContain('Not open on');
		// Six kilobytes take some milliseconds, and block n8n meanwhile.
		expect(performance.now() - begin).toBeLessThan(10_000);
	});
});
