import { describeFinding, formsOf, SecretFinder } from '../../../tools/host/findSecrets';
import { checkServices } from '../../../tools/host/services';
import { fs, nodeProcess, os, path } from '../../../tools/node';

describe('the search for secrets in n8n data', () => {
	const value = ['dummy', 'k3y+with/signs&more=', '7Q'].join('-');
	const card = '4000123412341234';
	const finder = new SecretFinder([{ name: 'key 1', value }], new Set([card]));
	const search = (text: string | Buffer) => finder.search(Buffer.from(text as string), 'somewhere');

	const bytes = [...Buffer.from(value)].map((byte) => byte.toString(16));
	const codes = [...value].map((char) => char.charCodeAt(0).toString(16).padStart(4, '0'));
	const after = (start: string, end: string) => Buffer.from(`${start}${value}${end}`);
	const forms: Array<[string, string | Buffer]> = [
		['plain', value],
		['in capitals', value.toUpperCase()],
		['encoded for addresses', encodeURIComponent(value)],
		['encoded for addresses twice', encodeURIComponent(encodeURIComponent(value))],
		['every byte encoded', bytes.map((byte) => `%${byte}`).join('')],
		...['', 'u', 'u:'].flatMap(
			(start): Array<[string, string]> => [
				[`Base64 after "${start}"`, after(start, ' and more').toString('base64')],
				[`Base64 for addresses after "${start}"`, after(start, '').toString('base64url')],
			],
		),
		['hexadecimal', bytes.join('')],
		['hexadecimal in capitals', bytes.join('').toUpperCase()],
		['escaped as Unicode', codes.map((code) => `\\u${code}`).join('')],
		['with escaped slashes', value.replace('/', '\\/')],
		['escaped for HTML', value.replace('&', '&amp;')],
		['reversed', [...value].reverse().join('')],
		['its beginning', value.slice(0, 9)],
		['its middle', value.slice(8, 17)],
		['its end', value.slice(-9)],
		['UTF-16', Buffer.from(value, 'utf16le')],
		['a card number', card],
		['a card number in groups', '4000 1234-1234 1234'],
		['a card number among digits', `99${card}99`],
	];

	test.each(forms)('finds a secret: %s', (_name, text) => {
		const form = Buffer.from(text as string);
		const among = Buffer.concat([Buffer.from('xx{"a":"'), form, Buffer.from('","b":1}')]);
		for (const found of [among, form].map(search)) {
			expect(found.length).toBeGreaterThan(0);
			expect(found.map(describeFinding).join()).not.toContain('k3y');
		}
	});

	test.each<[string, string | Buffer]>([
		['nothing', ''],
		['words', 'abc'],
		['part of the words of a key', 'dummy-key with signs'],
		['too little of a beginning', value.slice(0, 8)],
		['too little of an end', value.slice(-8)],
		['another card', '4000123412341235'],
		['a card without its last digit', card.slice(0, -1)],
		['binary data', Buffer.alloc(10_000, 1)],
		['what is hidden', JSON.stringify({ key: '(API key)', last4: '1234' })],
	])('ignores %s', (_name, text) => expect(search(text)).toEqual([]));

	test('ignores common words of a key', () => {
		const plain = new SecretFinder([{ name: 'key 2', value: 'your-simulator-key' }]);
		expect(plain.search(Buffer.from('the simulator-key of your-simulator'), 'x')).toEqual([]);
		expect(plain.search(Buffer.from('"your-simulator-key"'), 'x')).toHaveLength(1);
	});

	test('searches for no form shorter than nine characters', () => {
		const lengths = [...formsOf(value).values()].flatMap((all) =>
			[...all].map(({ length }) => length),
		);
		expect(Math.min(...lengths)).toBeGreaterThanOrEqual(9);
	});

	test('searches a folder, except installed packages', () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'find-secrets-'));
		const database = path.join('.n8n', 'database.sqlite-wal');
		fs.mkdirSync(path.join(folder, '.n8n', 'node_modules'), { recursive: true });
		for (const [file, text] of [
			['n8n.log', `all is well\nkey: ${value}\n`],
			[database, Buffer.from(value).toString('base64')],
			[path.join('.n8n', 'node_modules', 'x'), value],
			[path.join('.n8n', 'clean'), 'nothing'],
		])
			fs.writeFileSync(path.join(folder, file), text);
		const { findings, files, bytes: read } = finder.searchFolder(folder);
		fs.rmSync(folder, { recursive: true });
		expect(new Set(findings.map(({ place }) => place))).toEqual(new Set(['n8n.log', database]));
		expect(files).toBe(3);
		expect(read).toBeGreaterThan(40);
	});
});

test('the error says what to install if a server is missing', () => {
	const { PATH } = nodeProcess.env;
	nodeProcess.env.PATH = '/nowhere';
	try {
		expect(checkServices).toThrow(
			/^(redis-server|initdb) was not found\. On Debian: apt-get install postgresql redis-server$/,
		);
	} finally {
		nodeProcess.env.PATH = PATH;
	}
});
