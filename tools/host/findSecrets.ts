import { fs, path } from '../node';
import type { N8nApi } from './api';

/** `name` is shown, `value` never. */
export interface Secret {
	name: string;
	value: string;
}

/** Never contains the secret itself. */
export interface Finding {
	secret: string;
	form: string;
	place: string;
	/** Bytes. */
	at: number;
}

export interface Searched {
	findings: Finding[];
	bytes: number;
	files: number;
}

/** Shorter parts may occur by chance. */
const shortestPart = 9;

/** Encodings of a secret, by name. */
export function formsOf(secret: string): Map<string, Buffer[]> {
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	const each = (write: (char: string) => string) => [...secret].map(write).join('');
	const code = (char: string, length: number) =>
		char.charCodeAt(0).toString(16).padStart(length, '0');
	const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
	const unicode = each((char) => `\\u${code(char, 4)}`);
	const inJson = JSON.stringify(secret).slice(1, -1);
	const encoded = encodeURIComponent(secret);
	const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
	const forms: Record<string, string[]> = {
		plain: [secret, secret.toUpperCase(), secret.toLowerCase()],
		'encoded for addresses': [encoded, lowerPercent(encoded), percent, percent.toUpperCase(), encodeURIComponent(encoded)],
		'Base64': base64,
		'Base64 for addresses': base64.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_')),
		hexadecimal: [hex, hex.toUpperCase()],
		'escaped for JSON': [inJson, JSON.stringify(inJson).slice(1, -1), inJson.replace(/\//g, '\\/')],
		'escaped as Unicode': [unicode, unicode.replace(/[\da-f]{4}/g, (one) => one.toUpperCase()), unicode.replace(/\\/g, '\\\\'), each((char) => `\\x${code(char, 2)}`)],
		'escaped for HTML': [
			each((char) => `&#${char.charCodeAt(0)};`),
			each((char) => `&#x${code(char, 1)};`),
			secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;'),
		],
		reversed: [[...secret].reverse().join('')],
		'in part': partsOf(secret),
	}; // prettier-ignore
	const found = new Map(
		Object.entries(forms).map(([form, texts]) => [form, texts.map((text) => Buffer.from(text))]),
	);
	return found.set('UTF-16', [
		Buffer.from(secret, 'utf16le'),
		Buffer.from(secret, 'utf16le').swap16(),
	]);
}

const lowerPercent = (text: string) => text.replace(/%[\dA-F]{2}/g, (one) => one.toLowerCase());

/** Base64 of the bytes after `offset` others, without the ends that depend on neighbors. */
function base64At(bytes: Buffer, offset: number): string {
	const text = Buffer.concat([Buffer.alloc(offset), bytes])
		.toString('base64')
		.replace(/=+$/, '');
	const first = Math.ceil((offset * 8) / 6);
	const last = Math.floor(((offset + bytes.length) * 8) / 6);
	return text.slice(first, last);
}

/** Parts that cannot occur by chance. Words alone can. */
function partsOf(secret: string): string[] {
	const parts: string[] = [];
	for (let at = 0; at + shortestPart <= secret.length; at++) {
		const part = secret.slice(at, at + shortestPart);
		if (!/^[a-z-]+$/i.test(part)) parts.push(part);
	}
	return parts;
}

interface Pattern {
	secret: string;
	form: string;
	bytes: Buffer;
}

/** Searches for many secrets, in all encodings, in one pass. */
export class SecretFinder {
	private readonly byStart = new Map<number, Pattern[]>();
	/** First two bytes of all patterns: they rule out most positions. */
	private readonly starts = new Uint8Array(65_536);

	/** `cards`: 16 digits each. */
	constructor(
		secrets: Secret[],
		private readonly cards: ReadonlySet<string> = new Set(),
	) {
		for (const { name, value } of secrets) {
			for (const [form, all] of formsOf(value)) {
				for (const bytes of all) this.add({ secret: name, form, bytes });
			}
		}
	}

	private add(pattern: Pattern): void {
		const { bytes } = pattern;
		if (bytes.length < 4) return;
		const start = bytes.readUInt32BE(0);
		this.starts[bytes.readUInt16BE(0)] = 1;
		const known = this.byStart.get(start) ?? [];
		if (!known.some((one) => one.bytes.equals(bytes))) this.byStart.set(start, [...known, pattern]);
	}

	/** The first match of each secret and encoding. */
	search(bytes: Buffer, place: string): Finding[] {
		const found = new Map<string, Finding>();
		const note = (secret: string, form: string, at: number) => {
			const key = `${secret} ${form}`;
			if (!found.has(key)) found.set(key, { secret, form, place, at });
		};
		for (let at = 0; at + 4 <= bytes.length; at++) {
			if (this.starts[(bytes[at] << 8) | bytes[at + 1]] === 0) continue;
			for (const one of this.byStart.get(bytes.readUInt32BE(at)) ?? []) {
				const end = at + one.bytes.length;
				if (bytes.subarray(at, end).equals(one.bytes)) note(one.secret, one.form, at);
			}
		}
		if (this.cards.size) this.searchCards(bytes, note);
		return [...found.values()];
	}

	private searchCards(
		bytes: Buffer,
		note: (secret: string, form: string, at: number) => void,
	): void {
		const text = bytes.toString('latin1');
		for (const { 0: row, index } of text.matchAll(/\d(?:[ .-]?\d){15,}/g)) {
			const digits = row.replace(/\D/g, '');
			for (let at = 0; at + 16 <= digits.length; at++) {
				if (this.cards.has(digits.slice(at, at + 16))) note('a card number', 'digits', index);
			}
		}
	}

	searchFolder(folder: string): Searched {
		const searched: Searched = { findings: [], bytes: 0, files: 0 };
		for (const file of filesIn(folder)) {
			const place = path.relative(folder, file);
			const bytes = readFile(file);
			searched.files += 1;
			searched.bytes += bytes.length;
			searched.findings.push(
				...this.search(bytes, place),
				...this.search(Buffer.from(place), `the name of ${path.dirname(place)}/…`),
			);
		}
		return searched;
	}
}

/** Unpacked by n8n: packages, and the editor. */
const ownFolders = ['node_modules', path.join('.cache', 'n8n', 'public')];

function filesIn(folder: string): string[] {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const file = path.join(folder, entry.name);
		if (entry.isDirectory())
			return ownFolders.some((own) => file.endsWith(path.sep + own)) ? [] : filesIn(file);
		return entry.isFile() ? [file] : [];
	});
}

/** Empty if n8n has just removed the file. */
function readFile(file: string): Buffer {
	try {
		return fs.readFileSync(file);
	} catch {
		return Buffer.alloc(0);
	}
}

export const describeFinding = ({ secret, form, place, at }: Finding): string =>
	`${secret} (${form}) in ${place}, byte ${at}`;

export async function searchExecutions(
	api: N8nApi,
	finders: SecretFinder[],
): Promise<Array<Searched & { executions: number }>> {
	const found = finders.map(() => ({
		findings: [] as Finding[],
		bytes: 0,
		files: 0,
		executions: 0,
	}));
	const newest = await api.call<{ results: Array<{ id: string }> }>('get', '/executions?limit=1');
	// IDs are numbers. Some may have been deleted.
	for (let id = Number(newest.results[0]?.id ?? 0); id > 0; id--) {
		const { status, data } = await api.try('get', `/executions/${id}`);
		const { data: stored } = (data ?? {}) as { data?: { data?: unknown } };
		if (status !== 200 || !stored?.data) continue;
		const text = Buffer.from(JSON.stringify(await api.execution(String(id))));
		finders.forEach((finder, at) => {
			found[at].executions += 1;
			found[at].bytes += text.length;
			found[at].findings.push(...finder.search(text, `execution ${id}, decoded`));
		});
	}
	return found;
}
