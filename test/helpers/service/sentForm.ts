import { until } from '../../../tools/until';

/** Basic-auth credentials for a form. */
export interface FormUser {
	user: string;
	password: string;
}

/** A form's final page and the file it offers for download. */
export interface FormPage {
	title: string;
	text: string;
	file?: { name: string; content: Buffer };
}

const basicAuth = ({ user, password }: FormUser) =>
	`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

async function postFields(url: string, body: FormData, user: FormUser): Promise<Response> {
	const headers = { authorization: basicAuth(user) };
	return await fetch(url, { method: 'POST', body, headers });
}

/** Posts a file the way n8n's form page does. */
export async function postForm(
	url: string,
	name: string,
	content: Buffer | string,
	user: FormUser,
): Promise<Response> {
	const body = new FormData();
	body.append('field-0', new Blob([new Uint8Array(Buffer.from(content))]), name);
	return await postFields(url, body, user);
}

/** The same with a text field. */
export async function postText(url: string, text: string, user: FormUser): Promise<Response> {
	const body = new FormData();
	body.append('field-0', text);
	return await postFields(url, body, user);
}

/** Posts a file and waits for the form's final page. */
export async function sendForm(...args: Parameters<typeof postForm>): Promise<FormPage> {
	const response = await postForm(...args);
	if (!response.ok) throw new Error(`The form answered with status ${response.status}`);
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
	// n8n calls itself "localhost" here and listens on 127.0.0.1.
	const page = new URL(formWaitingUrl);
	page.hostname = new URL(args[0]).hostname;
	const statusUrl = new URL(page);
	statusUrl.pathname += '/n8n-execution-status';
	const status = await until(
		async () => {
			const text = (await (await fetch(statusUrl)).text()).trim();
			return !['', 'new', 'running'].includes(text) && text;
		},
		() => 'The form has not ended',
	);
	if (status !== 'form-waiting') throw new Error(`The form ended with: ${status}`);
	const html = await (await fetch(page)).text();
	// Ends the execution, which n8n's page also does.
	await fetch(page, { method: 'POST' });
	return { ...pageOf(html), ...fileOf(html) };
}

const plain = (html: string) =>
	html
		.replace(/<br ?\/?>/g, '\n')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&amp;', '&');

function pageOf(html: string): Pick<FormPage, 'title' | 'text'> {
	const [, title] = /<h1>([\s\S]*?)<\/h1>/.exec(html) ?? [];
	const [, text] = /<p style="white-space: pre-line;">([\s\S]*?)<\/p>/.exec(html) ?? [];
	if (title === undefined || text === undefined) throw new Error(`Not the last page:\n${html}`);
	return { title: plain(title), text: plain(text) };
}

/** Finds the file in the page's script, which offers it for download. */
function fileOf(html: string): Pick<FormPage, 'file'> {
	const [, encoded = ''] = /decodeURIComponent\("([^"]+)"\)/.exec(html) ?? [];
	const files = JSON.parse(decodeURIComponent(encoded) || '[]') as Array<{
		fileName: string;
		data: string | { data: number[] };
	}>;
	if (!files.length) return {};
	const [{ fileName: name, data }] = files;
	const content = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data);
	return { file: { name, content } };
}
