import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { IDataObject } from 'n8n-workflow';
import { sharedN8n } from '../../../tools/host/sharedN8n';
import { fs } from '../../../tools/node';

type Cell = string | number;

/** Stands in for the services that the examples connect: n8n's own nodes for them talk to it. */
export interface OutsideServices {
	url: string;
	/** The only sheet of Google Sheets and of Excel 365, with its headers. */
	sheet: Cell[][];
	/** What was written into the sheet, e.g. `H2:K2`. */
	written: string[];
	/** Called when the sheet was read, so that a test can change it in between. */
	afterRead: () => void;
	/** Texts that were sent to Slack, and the buttons beside them. */
	messages: SlackMessage[];
	/** Orders of WooCommerce, as its API has them. */
	orders: IDataObject[];
	/** Time entries of Clockify's detailed report. */
	entries: IDataObject[];
	/** Queries of the last requests, by path. */
	asked: Array<{ path: string; query: IDataObject; body: unknown }>;
}

export interface SlackMessage {
	channel: string;
	text: string;
	buttons: Array<{ action_id: string; value: string }>;
}

const hosts = [
	'sheets.googleapis.com',
	'graph.microsoft.com',
	'slack.com',
	'reports.api.clockify.me',
];

export const slackSecret = 'dummy-signing-secret';

/** Data of n8n's credentials for these services, by node. */
export function outsideCredentials(url: string): Record<string, [type: string, data: object]> {
	const oauth = {
		...{ clientId: 'dummy', clientSecret: 'dummy' },
		oauthTokenData: { access_token: 'dummy', token_type: 'Bearer' },
	};
	const keys = { consumerKey: 'dummy', consumerSecret: 'dummy' };
	return {
		'n8n-nodes-base.googleSheets': ['googleSheetsOAuth2Api', oauth],
		'n8n-nodes-base.microsoftExcel': ['microsoftExcelOAuth2Api', oauth],
		'n8n-nodes-base.slack': ['slackApi', { accessToken: 'dummy', signatureSecret: slackSecret }],
		'n8n-nodes-base.httpRequest': ['clockifyApi', { apiKey: 'dummy' }],
		'n8n-nodes-base.wooCommerce': ['wooCommerceApi', { url, ...keys }],
	};
}

/** Column A is 0. */
const columnAt = (letters: string) =>
	[...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Listens on 127.0.0.1. The shared n8n sends there what is for these services. Call at the top level of a test file. */
export function useOutsideServices(): OutsideServices {
	const app = fastify();
	const nothing = () => ({
		...{ sheet: [], written: [], afterRead: () => {} },
		...{ messages: [], orders: [], entries: [], asked: [] },
	});
	const services: OutsideServices = { url: '', ...nothing() };
	beforeEach(() => void Object.assign(services, nothing()));
	app.addHook('preHandler', (request, _reply, done) => {
		const [at] = request.url.split('?');
		const query = request.query as IDataObject;
		services.asked.push({ path: at, query, body: request.body });
		done();
	});
	/** Writes a range such as `H2:K2` or `Invoices!H2`. */
	const write = (range: string, values: Cell[][]) => {
		const [, column, row] = /(?:^|!)([A-Z]+)(\d+)/.exec(range.replace(/'/g, '')) ?? [];
		if (!column) throw new Error(`No such range: ${range}`);
		services.written.push(range);
		values.forEach((cells, down) => {
			const line = (services.sheet[Number(row) - 1 + down] ??= []);
			cells.forEach((cell, right) => (line[columnAt(column) + right] = cell));
		});
	};
	const read = () => {
		const values = structuredClone(services.sheet);
		services.afterRead();
		return values;
	};
	addGoogle(app, read, write);
	addExcel(app, read, write);
	addSlack(app, services);
	app.get('/wp-json/wc/v3/orders', (_request, reply) =>
		reply.header('link', '<x>; rel="last"').send(services.orders),
	);
	app.post('/v1/workspaces/:workspace/reports/detailed', (request) => {
		const { detailedFilter: filter } = request.body as {
			detailedFilter: { page: number; pageSize: number };
		};
		const first = (filter.page - 1) * filter.pageSize;
		return { timeentries: services.entries.slice(first, first + filter.pageSize) };
	});
	const { outsideFile } = sharedN8n() ?? {};
	if (!outsideFile) throw new Error('The shared n8n has no file for other services');
	beforeAll(async () => {
		services.url = await app.listen({ host: '127.0.0.1', port: 0 });
		const port = Number(new URL(services.url).port);
		const ports = Object.fromEntries(hosts.map((host) => [host, port]));
		fs.writeFileSync(outsideFile, JSON.stringify(ports));
	});
	afterAll(async () => {
		fs.rmSync(outsideFile, { force: true });
		await app.close();
	});
	return services;
}

type Read = () => Cell[][];
type Write = (range: string, values: Cell[][]) => void;

function addGoogle(app: FastifyInstance, read: Read, write: Write): void {
	app.get('/v4/spreadsheets/:id', () => ({
		sheets: ['Invoices', 'Subscriptions'].map((title, sheetId) => ({
			properties: { sheetId, title, gridProperties: {} },
		})),
	}));
	app.get('/v4/spreadsheets/:id/values/:range', () => ({ values: read() }));
	app.post('/v4/spreadsheets/:id/values:batchUpdate', (request) => {
		const { data } = request.body as { data: Array<{ range: string; values: Cell[][] }> };
		for (const { range, values } of data) write(range, values);
		return {};
	});
}

function addExcel(app: FastifyInstance, read: Read, write: Write): void {
	const sheet = '/v1.0/me/drive/items/:book/workbook/worksheets/:sheet';
	const filled = (values: Cell[][]) => {
		const width = Math.max(...values.map(({ length }) => length));
		return values.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
	};
	app.get(`${sheet}/usedRange`, () => {
		const values = filled(read());
		return { address: `Invoices!A1:K${values.length}`, values };
	});
	app.patch(`${sheet}/:range`, (request) => {
		const { range } = request.params as { range: string };
		const { values } = request.body as { values: Cell[][] };
		const [, address = ''] = /address='([^']*)'/.exec(range) ?? [];
		write(address, values);
		return { address: `Invoices!${address}`, values };
	});
}

function addSlack(app: FastifyInstance, services: OutsideServices): void {
	app.post('/api/chat.postMessage', (request) => {
		const {
			channel,
			text = '',
			blocks = [],
		} = request.body as {
			channel: string;
			text?: string;
			blocks?: Array<{ text?: { text: string }; elements?: SlackMessage['buttons'] }>;
		};
		const texts = blocks.flatMap((block) => block.text?.text ?? []);
		const buttons = blocks.flatMap(({ elements }) => elements ?? []);
		services.messages.push({ channel, text: [text, ...texts].join('\n').trim(), buttons });
		return { ok: true, ts: `${services.messages.length}.0`, channel };
	});
	app.get('/api/users.info', () => ({
		ok: true,
		user: { profile: { email: 'head@office.example' } },
	}));
	app.post('/respond', () => 'ok');
}
