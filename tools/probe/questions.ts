import { creationTimeOf } from '../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import { orderOf } from '../../nodes/InvoicingPaymentsTrigger/watch/order';
import type { Asker, ProbedPage } from './asker';

/** How much what was seen says: it was seen as such, follows from little data, or cannot be seen here. */
export type Sureness = 'seen' | 'likely' | 'unknown';

export interface Finding {
	seen: string;
	sureness: Sureness;
}

/** Something that the interface leaves open, and how a service that is only read shows it. */
export interface Question {
	/** What is unknown, with the part of contract/README.md that says so. */
	unknown: string;
	/** Which code an answer speaks for, or against. */
	speaksFor: string;
	ask(asker: Asker): Promise<Finding> | Finding;
}

const charges = '/v1/charges';
const invoices = '/v1/invoices';
const hour = 3_600_000;
const notSeen = (seen: string): Finding => ({ seen, sureness: 'unknown' });
const seenAs = (seen: string): Finding => ({ seen, sureness: 'seen' });
const likely = (seen: string): Finding => ({ seen, sureness: 'likely' });
const idsOf = ({ results }: ProbedPage) => results.map(({ id }) => String(id));
/** The service's own page size may be below this. */
const size = 20;
const lastPageOf = async (asker: Asker, path: string): Promise<number> => {
	const { count = 0 } = await asker.page(path, { page: 1, page_size: size });
	return Math.max(1, Math.ceil(count / size));
};

/** Pages spread over a list that has a count. */
async function samples(asker: Asker, path: string): Promise<ProbedPage[]> {
	const last = await lastPageOf(asker, path);
	const numbers = [1, 2, Math.ceil(last / 4), Math.ceil(last / 2), last - 1, last];
	const pages: ProbedPage[] = [];
	for (const page of [...new Set(numbers)].filter((one) => one >= 1).sort((a, b) => a - b))
		pages.push(await asker.page(path, { page, page_size: size }));
	return pages;
}

async function order(asker: Asker): Promise<Finding> {
	const pages = await samples(asker, charges);
	const times = pages.map(({ results }) => results.map((one) => creationTimeOf(one)));
	if (times.flat().length < size) return notSeen('too few charges');
	if (times.flat().includes(undefined)) return seenAs('a charge without a date that can be read');
	const { direction, slack } = orderOf(times as number[][], hour);
	const by = slack > 0 ? `, up to ${Math.ceil(slack / 1000)} s out of order` : '';
	return likely(direction === 'none' ? 'in no order' : `${direction}${by}`);
}

/** Reads the first pages twice, and with another page size. */
const isStable =
	(path: string) =>
	async (asker: Asker): Promise<Finding> => {
		const first = await asker.page(path, { page: 1, page_size: size });
		if (first.results.length < size) return notSeen('too few entries');
		const read = async (round: number) => [
			...idsOf(await asker.page(path, { page: 1, page_size: size }, round)),
			...idsOf(await asker.page(path, { page: 2, page_size: size }, round)),
		];
		const [once, twice] = [await read(0), await read(1)];
		if (once.join() !== twice.join()) return likely('another order in each response');
		const pages = [1, 2, 3].map(async (page) => await asker.page(path, { page, page_size: 13 }));
		const others = (await Promise.all(pages)).flatMap(idsOf).slice(0, once.length);
		const isSame = others.every((id, at) => id === once[at]);
		return likely(isSame ? 'the same in each response' : 'another order for each page size');
	};

async function defaultSize(asker: Asker): Promise<Finding> {
	const { results, next } = await asker.page(invoices);
	return next ? seenAs(String(results.length)) : notSeen(`at least ${results.length}`);
}

async function maxSize(asker: Asker): Promise<Finding> {
	for (const wanted of [1000, 100]) {
		const { status, results, next } = await asker.page(charges, { page: 1, page_size: wanted });
		if (status >= 400) {
			if (wanted === 100) return seenAs(`100 is refused with ${status}`);
			continue;
		}
		if (!next) return notSeen(`at least ${results.length}`);
		if (results.length < wanted) return seenAs(`${results.length}, larger ones are cut`);
		if (wanted === 1000) return seenAs('at least 1000');
		return seenAs(`at least ${wanted}, but 1000 is refused`);
	}
	return notSeen('');
}

async function pastTheEnd(asker: Asker): Promise<Finding> {
	const page = (await lastPageOf(asker, invoices)) + 1000;
	const { status, results } = await asker.page(invoices, { page, page_size: size });
	if (status >= 400) return seenAs(`status ${status}`);
	return seenAs(results.length ? 'repeats results' : 'an empty page');
}

async function nextLinks(asker: Asker): Promise<Finding> {
	const { next } = await asker.page(charges, { page: 1, page_size: size });
	if (!next) return notSeen('there is one page');
	if (next.startsWith('/')) return seenAs('relative');
	return seenAs(asker.isOwn(next) ? 'absolute' : 'on another host');
}

/** Compares the count with where the list ends. */
async function count(asker: Asker): Promise<Finding> {
	const first = await asker.page(charges, { page: 1, page_size: size });
	if (first.count === undefined) return seenAs('missing');
	const last = Math.max(1, Math.ceil(first.count / size));
	const end = await asker.page(charges, { page: last, page_size: size });
	const after = await asker.page(charges, { page: last + 1, page_size: size });
	const isNow = first.count === end.count;
	if (!isNow && end.count !== undefined && end.results.length === end.count)
		return likely('the length of the page');
	if (!isNow) return notSeen('it changes meanwhile');
	if (after.results.length > 0 || end.next)
		return seenAs(`${first.count}, but more results follow`);
	const listed = (last - 1) * size + end.results.length;
	return seenAs(listed === first.count ? 'right' : `${first.count}, but ${listed} are listed`);
}

async function depth(asker: Asker): Promise<Finding> {
	const last = await lastPageOf(asker, charges);
	if (last * size < 1000) return notSeen(`there are fewer than ${last * size} charges`);
	const { status } = await asker.page(charges, { page: last, page_size: size });
	return seenAs(status >= 400 ? `refused with ${status}` : `the first ${last * size} are listed`);
}

async function idFilter(asker: Asker): Promise<Finding> {
	const { results } = await asker.page(charges, { page: 1, page_size: size });
	const { id } = results[1] ?? {};
	if (id === undefined) return notSeen('too few charges');
	const found = await asker.page(charges, { id: String(id), page: 1, page_size: size });
	if (found.status >= 400) return seenAs(`refused with ${found.status}`);
	const isExact = found.results.length === 1 && found.results[0].id === id;
	return seenAs(isExact ? 'exact' : 'ignored');
}

async function numberFilter(asker: Asker): Promise<Finding> {
	const pages = await samples(asker, invoices);
	const numbers = pages.flatMap(({ results }) =>
		results.flatMap(({ invoice_number: one }) => (typeof one === 'string' && one ? [one] : [])),
	);
	const number = numbers.find((one) => one.length > 2);
	if (number === undefined) return notSeen('no invoice has a number');
	const search = async (text: string) =>
		await asker.page(invoices, { invoice_number: text, page: 1, page_size: size });
	const none = await search('probe-no-such-number');
	if (none.results.length > 0) return seenAs('ignored');
	const part = await search(number.slice(0, -1));
	const isPart = part.results.some(({ invoice_number: one }) => one === number);
	return seenAs(isPart ? 'contains' : 'exact');
}

async function statusFilter(asker: Asker): Promise<Finding> {
	const { results } = await asker.page(invoices, { status: 'paid', page: 1, page_size: size });
	if (results.length === 0) return notSeen('no invoice is paid');
	const others = results.filter(({ status }) => status !== 'paid');
	return seenAs(others.length ? `also ${String(others[0].status)}` : 'exact');
}

async function ties(asker: Asker): Promise<Finding> {
	const pages = await samples(asker, charges);
	const times = pages.flatMap(({ results }) => results.map(creationTimeOf));
	const isFine = times.some((time = 0) => time % 1000 !== 0);
	const together = times.length - new Set(times).size;
	const precision = isFine ? 'milliseconds' : 'whole seconds';
	return likely(`${precision}, ${together} of ${times.length} share a moment with another one`);
}

async function errorBody(asker: Asker): Promise<Finding> {
	const { status, body } = await asker.get(invoices, { page: 'probe' });
	if (status < 400) return notSeen('page=probe is accepted');
	const kind =
		typeof body === 'object' && body !== null ? Object.keys(body).join(', ') : typeof body;
	return seenAs(`status ${status}, ${body === '' ? 'empty' : kind}`);
}

/** Names of fields, never their values. */
const fieldsOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? Object.keys(value).sort().join(', ') : typeof value;

async function customerFields(asker: Asker): Promise<Finding> {
	const { results } = await asker.page(invoices, { page: 1, page_size: size });
	return results[0] ? seenAs(fieldsOf(results[0].customer)) : notSeen('there are no invoices');
}

interface CardSource {
	card_data?: unknown;
}

async function chargeFields(asker: Asker): Promise<Finding> {
	const { results } = await asker.page(charges, { page: 1, page_size: size });
	if (!results[0]) return notSeen('there are no charges');
	const hasCard = results.some(({ source }) => (source as CardSource | undefined)?.card_data);
	return seenAs(hasCard ? 'with card data' : 'without card data');
}

const limits = ({ limitHeaders }: Asker): Finding =>
	limitHeaders.size ? seenAs([...limitHeaders].join(', ')) : notSeen('no header speaks of a limit');

/** In the order in which they are asked. Later ones reuse what earlier ones have read. */
export const questions: Question[] = [
	{
		unknown: 'How charges are sorted (4.8)',
		speaksFor: 'watch/newest.ts; without an order, watch/sweep.ts',
		ask: order,
	},
	{
		unknown: 'Whether the order of charges stays (4.8)',
		speaksFor: 'watch/reading.ts reads again with other sizes',
		ask: isStable(charges),
	},
	{
		unknown: 'Whether the order of invoices stays (4.8)',
		speaksFor: 'pagination/readAll.ts reads across borders',
		ask: isStable(invoices),
	},
	{
		unknown: 'Precision of created, and charges of one moment (2.10)',
		speaksFor: 'watch/reading.ts, isWithin in watch/stretch.ts',
		ask: ties,
	},
	{ unknown: 'Default page size (8)', speaksFor: 'defaultPageSize', ask: defaultSize },
	{
		unknown: 'Largest page size (8)',
		speaksFor: 'pageFetcher falls back if a size is refused; ignoresSize',
		ask: maxSize,
	},
	{
		unknown: 'What count is (4.2)',
		speaksFor: 'ignoresCount in watch/; pagination compares what it read with it',
		ask: count,
	},
	{ unknown: 'The page after the last one (4.2)', speaksFor: 'isPastTheEnd', ask: pastTheEnd },
	{
		unknown: 'What next is (4.2)',
		speaksFor: 'pages are asked for by number, so no link is followed',
		ask: nextLinks,
	},
	{ unknown: 'Pages far back (4.2)', speaksFor: 'isDepthRefusal', ask: depth },
	{
		unknown: 'How the filter id matches (4.8)',
		speaksFor: 'Charge: Get, Invoice: Get search the whole list if it is ignored',
		ask: idFilter,
	},
	{
		unknown: 'How the filter invoice_number matches (4.8)',
		speaksFor: 'invoiceNumbers.ts compares numbers itself',
		ask: numberFilter,
	},
	{
		unknown: 'How the filter status matches (4.8)',
		speaksFor: 'isEntry in watchTask.ts',
		ask: statusFilter,
	},
	{
		unknown: 'Errors (7)',
		speaksFor: 'transport/response.ts finds the message in any shape',
		ask: errorBody,
	},
	{
		unknown: 'Fields of a customer (2.3, 2.5)',
		speaksFor: 'customers/ finds names and emails by their form',
		ask: customerFields,
	},
	{
		unknown: 'Card data of a charge (2.10)',
		speaksFor: 'Include Card Data; secrets/',
		ask: chargeFields,
	},
	{
		unknown: 'Rate limit (8)',
		speaksFor: 'transport/ waits for Retry-After, and slows down after a 429',
		ask: limits,
	},
];

/** What reading cannot show. */
export const unasked = [
	'Whether a create takes an idempotency key, how numbers are stored, success codes of creates, and how long lists lag: they need a create.',
	'The answer to a wrong key (5): trying one may lock the account.',
];
