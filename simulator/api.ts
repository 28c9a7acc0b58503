import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { z } from 'zod/v4';
import type { Charge, InvoiceRequest } from '../contract';
import { endpoints, uuid } from '../contract';
import type { Refusal } from './failures';
import { refusalsOf, refuse } from './failures';
import type { Settings } from './settings';
import type { World } from './world';

/** A page, and how many results there are in all. */
interface Found {
	count: number;
	results: object[];
}

type EndpointName = keyof typeof endpoints;

/** Why an object cannot be made. */
const noRefusals = (): Refusal[] => [];

/** spec 4 */
export function registerApi(app: FastifyInstance, world: World): void {
	const fail = (reply: FastifyReply, status: number, ...refusals: Refusal[]) =>
		refuse(reply, world.settings.errorBody, status, refusals);
	const invalid = (reply: FastifyReply, refusals: Refusal[]) =>
		fail(reply, world.settings.invalidStatus, ...refusals);

	/** How each endpoint of the contract answers. */
	const handlers: Record<EndpointName, RouteHandlerMethod> = {
		createInvoice: makes(
			endpoints.createInvoice,
			(body) => world.account.createInvoice(body, world.now(), world.settings.storedNumbers).full,
			(body) => invoiceRefusals(body, world),
		),
		listInvoices: list(endpoints.listInvoices, (query, page, size) =>
			world.account.listInvoices(query, page, size, world.settings, world.now()),
		),
		listCharges: list(endpoints.listCharges, (query, page, size) => {
			const { order, timestampTies } = world.settings;
			const found = world.account.listCharges(query, page, size, order, timestampTies);
			return {
				count: found.count,
				results: found.results.map((charge) => withCardData(charge, world.settings)),
			};
		}),
		getPaymentLink: gives(endpoints.getPaymentLink, 'payment link'),
		createMember: makes(endpoints.createMember, (body) => world.account.createMember(body)),
		getMember: gives(endpoints.getMember, 'member'),
		listMembers: givesAll(endpoints.listMembers),
	};
	for (const [name, { method, path }] of Object.entries(endpoints))
		app.route({
			method,
			url: path.replace(/\{(\w+)\}/g, ':$1'),
			handler: handlers[name as EndpointName],
		});

	/** Makes an object of a body. Refuses unknown fields. */
	function makes<B extends z.ZodObject>(
		{ body, result }: { body: B; result: z.ZodObject },
		make: (body: z.infer<B>) => object,
		refusalsFor: (body: z.infer<B>) => Refusal[] = noRefusals,
	): RouteHandlerMethod {
		const strict = z.strictObject(body.shape);
		return (request, reply) => {
			const parsed = strict.safeParse(request.body);
			if (!parsed.success) return invalid(reply, refusalsOf(parsed.error));
			const data = parsed.data as z.infer<B>;
			const refusals = refusalsFor(data);
			if (refusals.length) return invalid(reply, refusals);
			const made = shown(make(data), result, world.settings);
			return reply.code(world.settings.createdStatus).send(made);
		};
	}

	/** Gives the object with the ID of the path. */
	function gives(
		{ path, result }: { path: string; result: z.ZodObject },
		noun: string,
	): RouteHandlerMethod {
		return (request, reply) => {
			const { id } = request.params as { id: string };
			if (!uuid.safeParse(id).success) {
				return invalid(reply, [{ field: 'id', message: `id: not a UUID: ${id}` }]);
			}
			const found = world.account.at(path).find((one) => one.id === id);
			if (!found) return fail(reply, 404, { message: `No ${noun} has the id ${id}` });
			return reply.send(shown(found, result, world.settings));
		};
	}

	/** Gives a list without pages. */
	function givesAll({ path, result }: { path: string; result: z.ZodObject }): RouteHandlerMethod {
		return (_request, reply) =>
			reply.send(world.account.at(path).map((one) => shown(one, result, world.settings)));
	}

	/** A page of what the account has, for a list without filters. */
	function ofAccount(path: string): (query: unknown, page: number, size: number) => Found {
		return (_query, page, size) => {
			const all = world.account.at(path);
			return { count: all.length, results: all.slice((page - 1) * size, page * size) };
		};
	}

	/** Gives a page of a list. Refuses unknown filters. */
	function list<Q extends z.ZodObject>(
		{ path, query: querySchema }: { path: string; query: Q },
		read: (query: z.infer<Q>, page: number, size: number) => Found = ofAccount(path),
	): RouteHandlerMethod {
		const strict = z.strictObject(querySchema.shape);
		return (request, reply) => {
			const { settings } = world;
			const parsed = strict.safeParse(typedQuery(strict, request.query as Record<string, unknown>));
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
			const query = withoutIgnoredFilters(parsed.data as z.infer<Q>, settings);
			const { count, results } = onlyPromised(read(query, page, size), settings);
			if (results.length === 0 && page > 1 && settings.pastTheEnd === 'notFound') {
				return fail(reply, 404, { message: 'Invalid page.' });
			}
			return reply.send({
				count: shownCount(count, results.length, settings),
				next: page * size < count ? pageAddress(request, page + 1) : null,
				previous: page > 1 ? pageAddress(request, page - 1) : null,
				results,
			});
		};
	}

	function pageAddress(request: FastifyRequest, page: number): string {
		const address = new URL(request.url, `http://${request.host}`);
		address.searchParams.set('page', String(page));
		if (world.settings.next === 'relative') return `${address.pathname}${address.search}`;
		if (world.settings.next === 'otherHost') address.host = 'backend.internal.example:8443';
		return address.href;
	}
}

/** What the contract leaves to the service (spec 8). */
function invoiceRefusals({ items, customer }: InvoiceRequest, world: World): Refusal[] {
	const refusals: Refusal[] = [];
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
		const message = `customer: no customer has the id ${customer}`;
		refusals.push({ field: 'customer', message });
	}
	return refusals;
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

const withoutIgnoredFilters = <Q extends object>(query: Q, { idMatch }: Settings): Q =>
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
