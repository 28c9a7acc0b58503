import { until } from '../../tools/until';

/** The user and the password of a form. */
export interface FormUser {
	user: string;
	password: string;
}

/** The last page of a form, and its file. */
export interface FormPage {
	title: string;
	text: string;
	file?: { name: string; content: Buffer };
}

const basic = ({ user, password }: FormUser) =>
	`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Posts a file as the page of n8n's form does. */
export async function postForm(
	url: string,
	name: string,
	content: Buffer | string,
	who: FormUser,
): Promise<Response> {
	const body = new FormData();
	body.append('field-0', new Blob([new Uint8Array(Buffer.from(content))]), name);
	const headers = { authorization: basic(who) };
	return await fetch(url, { method: 'POST', body, headers });
}

/** Sends a file to a form and waits for its last page, as a browser does. */
export async function sendForm(...args: Parameters<typeof postForm>): Promise<FormPage> {
	const response = await postForm(...args);
	const { formWaitingUrl: waiting } = (await response.json()) as { formWaitingUrl: string };
	// n8n calls itself "localhost" here and listens on 127.0.0.1.
	const page = new URL(waiting);
	page.hostname = new URL(args[0]).hostname;
	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	const ended = await until(
		async () => {
			const text = (await (await fetch(status)).text()).trim();
			return !['new', 'running'].includes(text) && text;
		},
		() => 'The form has not ended',
	);
	if (ended !== 'form-waiting') throw new Error(`The form ended with: ${ended}`);
	const html = await (await fetch(page)).text();
	// This ends the execution, as the page does.
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

/** The file in the page, which its script lets the browser download. */
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
