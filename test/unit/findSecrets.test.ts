import { formsOf, SecretFinder, wordsOf } from '../../tools/host/findSecrets';
import { fs, os, path } from '../../tools/node';

const value = ['dummy', 'k3y+with/signs&more=', '7Q'].join('-');
const finder = new SecretFinder([{ name: 'key 1', value }], new Set(['4000123412341234']));
const search = (text: string | Buffer) => finder.search(Buffer.from(text as string), 'somewhere');
const around = (text: string | Buffer) =>
	Buffer.concat([Buffer.from('xx{"a":"'), Buffer.from(text as string), Buffer.from('","b":1}')]);

const forms: Array<[string, string | Buffer]> = [
	['plain', value],
	['in capitals', value.toUpperCase()],
	['encoded for addresses', encodeURIComponent(value)],
	['encoded for addresses twice', encodeURIComponent(encodeURIComponent(value))],
	['every byte encoded', [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join('')],
	...[0, 1, 2].flatMap((offset): Array<[string, string]> => [
		[`Base64 after ${offset} bytes`, Buffer.from(`${'u:x'.slice(0, offset)}${value} and more`).toString('base64')],
		[`Base64 for addresses after ${offset} bytes`, Buffer.from(`${'u:x'.slice(0, offset)}${value}`).toString('base64url')],
	]),
	['hexadecimal', Buffer.from(value).toString('hex')],
	['hexadecimal in capitals', Buffer.from(value).toString('hex').toUpperCase()],
	['escaped as Unicode', [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
	['with escaped slashes', value.replace('/', '\\/')],
	['escaped for HTML', value.replace('&', '&amp;')],
	['reversed', [...value].reverse().join('')],
	['its beginning', value.slice(0, 9)],
	['its middle', value.slice(8, 17)],
	['its end', value.slice(-9)],
	['UTF-16', Buffer.from(value, 'utf16le')],
	['a card number', '4000123412341234'],
	['a card number in groups', '4000 1234-1234 1234'],
	['a card number among digits', '99400012341234123499'],
]; // prettier-ignore

test.each(forms)('%s is found', (_name, text) => {
	for (const bytes of [around(text), Buffer.from(text as string)]) {
		const found = search(bytes);
		expect(found.length).toBeGreaterThan(0);
		expect(found.map(wordsOf).join()).not.toContain('k3y');
	}
});

test('nothing is found where nothing is', () => {
	for (const text of [
		'',
		'abc',
		'dummy-key with signs',
		value.slice(0, 8),
		value.slice(-8),
		'4000123412341235',
		'400012341234123',
		Buffer.alloc(10_000, 1),
		JSON.stringify({ key: '(API key)', last4: '1234' }),
	]) {
		expect(search(text)).toEqual([]);
	}
});

test('words that anybody writes are no part of a key', () => {
	const plain = new SecretFinder([{ name: 'key 2', value: 'your-simulator-key' }]);
	expect(plain.search(Buffer.from('the simulator-key of your-simulator'), 'x')).toEqual([]);
	expect(plain.search(Buffer.from('"your-simulator-key"'), 'x')).toHaveLength(1);
});

test('every form is long enough to be found', () => {
	for (const all of formsOf(value).values()) {
		for (const form of all) expect(form.length).toBeGreaterThanOrEqual(9);
	}
});

test('a folder is looked through, but for installed packages', () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'find-secrets-'));
	fs.mkdirSync(path.join(folder, '.n8n', 'node_modules'), { recursive: true });
	fs.writeFileSync(path.join(folder, 'n8n.log'), `all is well\nkey: ${value}\n`);
	fs.writeFileSync(
		path.join(folder, '.n8n', 'database.sqlite-wal'),
		Buffer.from(value).toString('base64'),
	);
	fs.writeFileSync(path.join(folder, '.n8n', 'node_modules', 'x'), value);
	fs.writeFileSync(path.join(folder, '.n8n', 'clean'), 'nothing');
	const { findings, files, bytes } = finder.searchFolder(folder);
	fs.rmSync(folder, { recursive: true });
	expect(new Set(findings.map(({ place }) => place))).toEqual(
		new Set(['n8n.log', path.join('.n8n', 'database.sqlite-wal')]),
	);
	expect(files).toBe(3);
	expect(bytes).toBeGreaterThan(40);
});
