import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import type { Charge } from '../contract';
import { endpoints, invoice, invoiceRequest, member, memberRequest, uuid } from '../contract';
import type { Refusal } from './failures';
import { refusalsOf, refuse } from './failures';
import type { Settings } from './settings';
import type { World } from './world';

/** Refuse unknown fields. Made once, because Zod compiles each. */
const strict = {
	invoice: z.strictObject(invoiceRequest.shape),
	member: z.strictObject(memberRequest.shape),
	invoices: z.strictObject(endpoints.listInvoices.query.shape),
	charges: z.strictObject(endpoints.listCharges.query.shape),
};

/** spec 4 */
export function registerApi(app: FastifyInstance, world: World): void {
	const fail = (reply: FastifyReply, status: number, ...refusals: Refusal[]) =>
		refuse(reply, world.settings.errorBody, status, refusals);
	const invalid = (reply: FastifyReply, refusals: Refusal[]) =>
		fail(reply, world.settings.invalidStatus, ...refusals);

	app.post('/v1/invoices', (request, reply) => {
		const parsed = strict.invoice.safeParse(request.body);
		const refusals = parsed.success ? [] : refusalsOf(parsed.error);
		if (parsed.success) {
			const { items, customer } = parsed.data;
			if (items.length === 0) refusals.push({ field: 'items', message: 'items: at least one' });
			items.forEach((item, index) => {
				for (const field of world.settings.requiredItemFields) {
					if (item[field] === undefined) {
						refusals.push({ field: 'items', message: `items.${index}.${field}: required` });
					}
				}
				if (item.amount !== undefined && !/^-?\d{1,10}(\.\d{1,3})?$/.test(item.amount)) {
					refusals.push({ field: 'items', message: `items.${index}.amount: not a decimal` });
				}
			});
			const known = world.account.customers.some(({ id }) => id === customer);
			if (!known && world.settings.unknownCustomer === 'reject') {
				refusals.push({
					field: 'customer',
					message: `customer: no customer has the id ${customer}`,
				});
			}
		}
		if (!parsed.success || refusals.length) return invalid(reply, refusals);
		const { full } = world.account.createInvoice(
			parsed.data,
			world.now(),
			world.settings.storedNumbers,
		);
		return reply.code(world.settings.createdStatus).send(shown(full, invoice, world.settings));
	});

	app.get('/v1/invoices', (request, reply) =>
		list(request, reply, strict.invoices, (query, page, size) =>
			onlyPromised(
				world.account.listInvoices(
					withoutIgnoredFilters(query, world.settings),
					page,
					size,
					world.settings,
					world.now(),
				),
				world.settings,
			),
		),
	);

	app.get('/v1/charges', (request, reply) =>
		list(request, reply, strict.charges, (query, page, size) => {
			const { order, timestampTies } = world.settings;
			const filters = withoutIgnoredFilters(query, world.settings);
			const { count, results } = world.account.listCharges(
				filters,
				page,
				size,
				order,
				timestampTies,
			);
			const shownCharges = results.map((charge) => withCardData(charge, world.settings));
			return onlyPromised({ count, results: shownCharges }, world.settings);
		}),
	);

	app.get('/v1/links/:id', (request, reply) =>
		getById(request, reply, 'payment link', world.account.links),
	);

	app.post('/v1/members', (request, reply) => {
		const parsed = strict.member.safeParse(request.body);
		if (!parsed.success) return invalid(reply, refusalsOf(parsed.error));
		const made = world.account.createMember(parsed.data);
		return reply.code(world.settings.createdStatus).send(shown(made, member, world.settings));
	});

	app.get('/v1/members/:id', (request, reply) =>
		getById(request, reply, 'member', world.account.members),
	);

	app.get('/v1/members', (_request, reply) =>
		reply.send(world.account.members.map((one) => shown(one, member, world.settings))),
	);

	function getById(
		request: FastifyRequest,
		reply: FastifyReply,
		kind: string,
		all: Array<{ id: string }>,
	) {
		const { id } = request.params as { id: string };
		if (!uuid.safeParse(id).success) {
			return invalid(reply, [{ field: 'id', message: `id: not a UUID: ${id}` }]);
		}
		const found = all.find((one) => one.id === id);
		if (!found) return fail(reply, 404, { message: `No ${kind} has the id ${id}` });
		return reply.send(kind === 'member' ? shown(found, member, world.settings) : found);
	}

	function list<Q extends z.ZodObject>(
		request: FastifyRequest,
		reply: FastifyReply,
		querySchema: Q,
		read: (query: z.infer<Q>, page: number, size: number) => { count: number; results: unknown[] },
	) {
		const { settings } = world;
		const parsed = querySchema.safeParse(
			typedQuery(querySchema, request.query as Record<string, unknown>),
		);
		if (!parsed.success) return invalid(reply, refusalsOf(parsed.error));
		const defaultSize = Math.min(settings.defaultPageSize, settings.maxPageSize);
		const { page = 1, page_size: wanted = defaultSize } = parsed.data as {
			page?: number;
			page_size?: number;
		};
		const tooLarge = wanted > settings.maxPageSize && settings.overMaxPageSize === 'reject';
		if (page < 1 || wanted < 1 || tooLarge) {
			const message = tooLarge
				? `page_size: at most ${settings.maxPageSize}`
				: 'page and page_size start at 1';
			return invalid(reply, [{ field: 'page_size', message }]);
		}
		const size = Math.min(wanted, settings.maxPageSize);
		if (settings.maxResults !== null && page * size > settings.maxResults) {
			const message = `Result window is too large: at most ${settings.maxResults} results`;
			return fail(reply, settings.beyondMaxResults, { field: 'page', message });
		}
		const { count, results } = read(parsed.data as z.infer<Q>, page, size);
		if (results.length === 0 && page > 1 && settings.pastTheEnd === 'notFound') {
			return fail(reply, 404, { message: 'Invalid page.' });
		}
		return reply.send({
			count: shownCount(count, results.length, settings),
			next: page * size < count ? pageAddress(request, page + 1) : null,
			previous: page > 1 ? pageAddress(request, page - 1) : null,
			results,
		});
	}

	function pageAddress(request: FastifyRequest, page: number): string {
		const address = new URL(request.url, `http://${request.host}`);
		address.searchParams.set('page', String(page));
		if (world.settings.next === 'relative') return `${address.pathname}${address.search}`;
		if (world.settings.next === 'otherHost') address.host = 'backend.internal.example:8443';
		return address.href;
	}
}

/** Query values arrive as text. Converts `"2"` and `"true"` if the contract does not accept the text itself. */
function typedQuery(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
	const typed = Object.entries(query).map(([name, text]) => {
		const field = schema.shape[name] as z.ZodType | undefined;
		if (!field || field.safeParse(text).success || typeof text !== 'string') return [name, text];
		const value = /^-?\d+$/.test(text)
			? Number(text)
			: text === 'true' || (text === 'false' ? false : text);
		return [name, value];
	});
	return Object.fromEntries(typed) as Record<string, unknown>;
}

const withoutIgnoredFilters = <Q extends { id?: string }>(query: Q, { idMatch }: Settings): Q =>
	idMatch === 'ignored' ? { ...query, id: undefined } : query;

function shownCount(right: number, pageLength: number, settings: Settings): number | undefined {
	const counts: Record<Settings['count'], number | undefined> = {
		right,
		missing: undefined,
		pageLength,
		zero: 0,
		cappedAt100: Math.min(right, 100),
		oneTooMany: right + 1,
	};
	return counts[settings.count];
}

function shown(object: object, schema: z.ZodObject, { optionalFields }: Settings) {
	if (optionalFields === 'present') return object;
	const promised = Object.entries(object).filter(
		([name]) => !(schema.shape[name] instanceof z.ZodOptional),
	);
	return Object.fromEntries(promised) as object;
}

function withCardData(charge: Charge, { cardData }: Settings): Charge {
	if (cardData === 'present') return charge;
	return { ...charge, source: { ...charge.source, card_data: undefined } };
}

/** The spec promises no fields in list results. Keeps only those that the tests need. */
function onlyPromised(
	{ count, results }: { count: number; results: object[] },
	{ optionalFields }: Settings,
): { count: number; results: object[] } {
	if (optionalFields === 'present') return { count, results };
	const kept = ['id', 'created', 'total', 'amount', 'currency'];
	const few = results.map((result) =>
		Object.fromEntries(Object.entries(result).filter(([name]) => kept.includes(name))),
	);
	return { count, results: few };
}
