import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSimulator } from '../../simulator/server';
import { accountOf } from '../../nodes/shared/transport/account';
import { fs, path, projectFolder } from '../../tools/node';
import { executeNode } from '../helpers/n8n/engine';
import { continues, outcomes, textOf, useNode } from '../helpers/n8n/nodeRuns';

/** What an attack once broke, by what it aims at: look-alike numbers, secrets, HTML, formulas, names of one service. */
const { service, run, fault, posts, create, runNumbers, row, fromRows, confirmRows } = useNode();

const returnExisting = (change: object = {}) => create('returnExisting', change);
const unseen = {
	'a soft hyphen': '\u00ad',
	'a left-to-right mark': '\u200e',
	'a right-to-left mark': '\u200f',
	'a zero-width space': '\u200b',
	'a zero-width joiner': '\u200d',
	'a word joiner': '\u2060',
	'an isolate': '\u2066',
	'an end of isolates': '\u2069',
	'a byte order mark': '\ufeff',
	'a variation selector': '\ufe0f',
	'a variation selector of the second plane': '\u{e0101}',
	'a grapheme joiner': '\u034f',
	'a Hangul filler': '\u3164',
	'a Mongolian vowel separator': '\u180e',
	'a tag': '\u{e0041}',
	NUL: '\u0000',
	'a control character': '\u0007',
	'an invisible times': '\u2062',
	'an Arabic letter mark': '\u061c',
};
const lookAlikes: Record<string, string> = {
	...Object.fromEntries(Object.entries(unseen).map(([name, char]) => [name, `INV-${char}7`])),
	'an en dash': 'INV\u20137',
	'a non-breaking hyphen': 'INV\u20117',
	'a minus sign': 'INV\u22127',
	'a space that does not break': 'INV-7\u00a0A',
};

describe('an invoice number that looks like another', () => {
	test.each(Object.entries(lookAlikes))('with %s is not sent, and the error says where', async (_name, number) => {
		await runNumbers(returnExisting(), ['INV-7', 'INV-7 A']);
		const { json, error } = await runNumbers(returnExisting(), [number]);
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/^Invoice Number has an? .*\(U\+[0-9A-F]{4,5}\)\. (?:Delete|Write)/);
		expect(service.created).toHaveLength(2);
	}); // prettier-ignore

	test.each(Object.entries(lookAlikes))('with %s is what it looks like in a sheet', async (_name, number) => {
		const items = [row('INV-7'), row('INV-7 A')];
		await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, items);
		const again = [row(number)];
		const { json } = await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, again);
		expect(outcomes(json)).toEqual(['found']);
		expect(service.created).toHaveLength(2);
	}); // prettier-ignore

	test.each(['ＩＮＶ-7', 'inv-7', 'INV - 7', 'ІNV-7'])('%s counts as the one that exists', async (number) => {
		await runNumbers(returnExisting(), ['INV-7']);
		const { json } = await runNumbers(returnExisting(), [number]);
		expect(outcomes(json)).toEqual(['found']);
		expect(service.created).toHaveLength(1);
	}); // prettier-ignore
});

describe('the API key', () => {
	const key = () => String(service.world.settings.apiKey);
	const forms: Record<string, (key: string) => string> = {
		plain: (text) => text,
		'in capitals': (text) => text.toUpperCase(),
		'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
		'in capital hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
		reversed: (text) => [...text].reverse().join(''),
		'in Base64': (text) => Buffer.from(text).toString('base64'),
		'in Base64 with a user': (text) => Buffer.from(`user:${text}`).toString('base64'),
		'in Base64 with more': (text) => Buffer.from(`ab${text}cde`).toString('base64'),
		'in Base64 for URLs': (text) => Buffer.from(`?~${text}`).toString('base64url'),
		'escaped for JSON': (text) => text.replace(/-/g, '\\u002d'),
		'escaped for URLs': (text) => text.replace(/-/g, '%2D'),
		'escaped for HTML': (text) => text.replace(/-/g, '&#45;'),
	};
	const spelt = Object.entries(forms);
	const shown = (...parts: unknown[]) => JSON.stringify(parts);

	test.each(spelt)('%s is in no field of a successful response', async (_name, form) => {
		const invoice = { id: 'a', title: '', currency: 'EUR', url: 'https://x.example' };
		const body = JSON.stringify({ ...invoice, note: 'KEY', KEY: 1 }).replaceAll('KEY', form(key()));
		fault({ kind: 'raw', body }, { method: 'POST' });
		const { json, hints, stored } = await run(service.invoice({ simplify: false }));
		expect(json).toMatchObject([
			{ outcome: 'created', note: expect.stringContaining('(API key)') },
		]);
		expect(shown(json, hints, stored)).not.toContain(form(key()));
	});

	test.each(spelt)('%s is in no error, wherever the text is cut', async (_name, form) => {
		for (const before of [0, 1990, 9_980, 99_966, 99_990]) {
			const body = `${' '.repeat(before)}${form(key())} is no key`;
			fault({ kind: 'raw', status: 400, body }, { method: 'POST' });
			const result = await run(service.invoice());
			expect(result.error?.message).toContain('(status 400)');
			for (const part of [form(key()), key().slice(0, 12)])
				expect(shown(textOf(result), result.stored)).not.toContain(part);
		}
	});

	test('is neither sent in a field nor shown by its error', async () => {
		const { error } = await run(service.invoice({ additionalFields: { title: key() } }));
		expect(error?.message).toContain('it contains the API key of the credential');
		const quoted = await run(service.invoice({ currency: key() }));
		expect(textOf(quoted)).toContain('(API key)');
		const long = await run(service.invoice({ additionalFields: { invoiceNumber: `${key()} ${'x'.repeat(30)}` } }), { node: continues }); // prettier-ignore
		expect(long.json[0].error).toContain('(API key)');
		expect(shown(textOf({ error }), textOf(quoted), long.json)).not.toContain(key());
		expect(posts()).toEqual([]);
	});

	test('as the title of an existing invoice is in no hint', async () => {
		const existing = { id: 'a', invoice_number: 'A', title: key() };
		fault({ kind: 'json', body: { count: 1, next: null, results: [existing] } });
		const additionalFields = { invoiceNumber: 'A', title: 'Two' };
		const { hints, json } = await run(returnExisting({ additionalFields }));
		expect(json).toMatchObject([{ outcome: 'found' }]);
		expect(hints.join()).toContain('title: (API key) in the service');
	});

	test('goes through no proxy in clear text', async () => {
		const proxy = await startSimulator();
		try {
			const requestOptions = { proxy: proxy.url };
			// This machine is reached without a proxy.
			expect((await run(service.invoice({ requestOptions }))).json).toHaveLength(1);
			const credential = { apiKey: 'your-key-123', baseUrl: 'http://service.example', allowUnencryptedHttp: true }; // prettier-ignore
			const { error } = await run(service.invoice({ requestOptions }), { credential });
			expect(error?.message).toContain('The proxy would see the API key');
			expect(proxy.world.traffic.requests).toEqual([]);
		} finally {
			await proxy.close();
		}
	});
});

describe('card data', () => {
	const digits = '4242424242424242';
	const groups = (separator: string) => (digits.match(/.{4}/g) ?? []).join(separator);
	const written = [
		...['\t', '\n', '\u2009', '/', '_', ',', ':', '–', ' ', '-', '.', '\u00a0', ' - '.trim()],
	]
		.map(groups)
		.concat(digits, [...digits].join(' '), [...digits].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')); // prettier-ignore
	const isShown = (text: string) => /4242/.test(text.normalize('NFKC'));

	test.each(written.map((text) => [JSON.stringify(text), text]))('%s is in no error and no output', async (_name, text) => {
		fault({ kind: 'raw', status: 400, body: JSON.stringify({ message: `Card ${text} declined` }) });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		fault({ kind: 'raw', status: 400, body: `<h1>Card ${text} declined</h1>` });
		expect(isShown(textOf(await run(service.invoice())))).toBe(false);
		const charge = { id: 'c', total: '1.00', note: `Card ${text}`, source: { card: { card_number: digits, cvv_code: '123' }, card_holder_name: text } }; // prettier-ignore
		fault({ kind: 'json', body: { count: 1, next: null, results: [charge] } });
		const { json } = await run({ resource: 'charge', operation: 'getAll', simplify: false });
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
		const { json } = await run({ resource: 'charge', operation: 'getAll', simplify: false });
		expect(json).toEqual([charge]);
	});
});

describe('text is never HTML', () => {
	const evil = '<!-- <b onclick=x>&';
	test('in the hints of a sheet and of an existing invoice', async () => {
		const items = [row('A', { [`${evil} fee`]: '12.00' })];
		const { seen } = await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, items);
		const currency = `${evil}`;
		service.created.forEach(({ full }) => Object.assign(full, { title: evil, currency }));
		const again = await fromRows({ ifInvoiceNumberExists: 'returnExisting' }, [row('A', { Title: 'x' })]);
		const texts = [...seen.hints, ...again.hints, again.error?.description ?? ''].join('\n');
		expect(texts).toContain('&lt;!-- &lt;b onclick=x&gt;&amp;');
		expect(texts).not.toContain('<!--');
		expect(texts).not.toContain('<b');
	}); // prettier-ignore

	test('in the pages of the examples', () => {
		const folder = path.join(projectFolder, 'examples');
		const open = fs
			.readdirSync(folder)
			.filter((file) => file.endsWith('.json'))
			.flatMap((file) => {
				const { nodes } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as {
					nodes: Array<{ parameters: IDataObject }>;
				};
				return nodes.flatMap(({ parameters: { options = {} } }) => {
					const { formDescription = '' } = options as { formDescription?: string };
					const isSafe = !formDescription.includes('{{') || formDescription.includes('&lt;');
					return isSafe ? [] : [`${file}: ${formDescription}`];
				});
			});
		expect(open).toEqual([]);
	});
});

test.each(['=HYPERLINK("https://x.example")', '+1', '@SUM(A1)', '-1'])(
	'an ID and an address that begin like a formula go back into a sheet as text: %s',
	async (formula) => {
		const body = { id: formula, url: formula, currency: 'EUR', invoice_number: 'A' };
		fault({ kind: 'json', body }, { method: 'POST' });
		const { json } = await confirmRows({ options: { returnRows: true } }, [row('A')]);
		expect(json).toMatchObject([{ 'Invoice ID': `'${formula}`, 'Payment Page': `'${formula}` }]);
	},
);

test('all names of a service on this machine are one account', () => {
	const accounts = ['localhost', '127.0.0.1', '[::1]', 'localhost.', '127.1.2.3'].map((host) =>
		accountOf(new URL(`http://${host}:4010`).origin, 'a key'),
	);
	const others = ['https://api.example', 'https://api.example.', 'https://api.example:443'].map(
		(url) => accountOf(new URL(url).origin, 'a key'),
	);
	expect([new Set(accounts).size, new Set(others).size]).toEqual([1, 1]);
});

test('the wrong server is told by its address', async () => {
	fault({ kind: 'raw', status: 404, body: '<title>Error</title>' }, { times: null });
	const { error } = await run({ resource: 'charge', operation: 'getAll' });
	expect(error?.message).toBe(
		"The service found nothing at /v1/charges: Error. Check the 'Base URL' in the credential",
	);
});

describe('an item that cannot be read', () => {
	const cyclic: IDataObject = {};
	cyclic.self = cyclic;
	const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as IDataObject;
	const throwing = Object.defineProperty({}, 'toString', { value: () => { throw new TypeError('no'); } }) as IDataObject; // prettier-ignore
	const fields = ['title', 'invoiceNumber', 'note'];
	test.each(
		Object.entries({ cyclic, deep, throwing }).flatMap(([name, value]) =>
			fields.map((field) => [name, field, value] as const),
		),
	)('is an error that names it: %s in %s', async (_name, field, value) => {
		const additionalFields = { [field]: '={{ $json.value }}' };
		const items = [{ value: 'fine' }, { value }] as IDataObject[];
		const parameters = service.invoice({ additionalFields }) as INodeParameters;
		const { credential } = service;
		const { message } = await executeNode({ credential, parameters, items }).then(
			() => new Error('No error'),
			(error: Error) => error,
		);
		expect(message).toMatch(/must be text|cannot be read/);
		expect(message).toContain('[item 2]');
		expect(posts()).toEqual([]);
	});
});
