import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { withoutEnd } from '../fields/text';
import type { Parsed } from '../result';
import { notRead, ok } from '../result';

/** Without trailing slashes and `/v1`, because every path begins with `/v1` (spec 9). */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): Parsed<string> {
	const text = String(credential.baseUrl ?? '').trim();
	if (!text) {
		return notRead(
			'Base URL is empty. Enter the address of the service, e.g. https://api.example.com',
		);
	}
	// Never show the input. It may be the key, pasted into the wrong field.
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return notRead('Base URL must be a complete address that starts with https://');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return notRead('Base URL must start with https://');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !credential.allowUnencryptedHttp) {
		return notRead(
			`Base URL must start with https://. Over http:// your API key and data are sent unencrypted. To allow this, turn on 'Allow Unencrypted HTTP' in the credential`,
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		return notRead('Base URL must not contain a user name, password, query (?) or fragment (#)');
	}
	return ok(withoutEnd(`${url.origin}${url.pathname}`, '/').replace(/\/v1$/, ''));
}

/** Whether a host is this machine. `hostname`: of a URL. */
const isLoopback = (hostname: string): boolean =>
	/^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);

/** The same for all names of this machine: `localhost`, `127.0.0.1` and `[::1]`. `value`: of {@link baseUrlOf}. */
export function serviceOf(value: string): string {
	const url = new URL(value);
	if (isLoopback(url.hostname)) url.hostname = 'localhost';
	return url.href;
}
