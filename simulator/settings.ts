import { z } from 'zod/v4';

/** In which shape errors come (the spec shows none, section 7). */
export const errorBodyShape = z.enum([
	'message',
	'error',
	'errorMessage',
	'detail',
	'problem',
	'errors',
	'errorStrings',
	'fields',
	'text',
	'html',
	'empty',
]);

/**
 * Every "not shown" of the spec as a switch. The defaults are one plausible service; the tests turn the switches to
 * prove that the node works whatever the answer is.
 */
export const settingsSchema = z.strictObject({
	/** Same seed, same ids and values. */
	seed: z.int().default(1),
	apiKey: z.string().min(1).default('your-simulator-key'),
	/** How many charges, invoices, links and members exist at the start. */
	charges: z.int().min(0).max(5_000_000).default(250),
	invoices: z.int().min(0).max(100_000).default(40),
	links: z.int().min(0).max(10_000).default(10),
	members: z.int().min(0).max(10_000).default(6),
	/** How many customers the invoices are for. */
	customers: z.int().min(1).max(100_000).default(12),
	/** What a customer holds besides its ID (spec 2.3, 2.5: not shown). */
	customerFields: z
		.enum(['nameAndEmail', 'company', 'person', 'nested', 'onlyName', 'onlyId'])
		.default('nameAndEmail'),
	/** The moment of the newest seeded object. */
	newest: z.iso.datetime().default('2026-06-01T09:00:00Z'),
	/** So many seeded charges were made at the same moment (above 1: a whole second). */
	chargesPerMoment: z.int().min(1).default(1),
	/** So many seeded invoices were made at the same moment (above 1: a whole second). */
	invoicesPerMoment: z.int().min(1).default(1),

	order: z.enum(['newestFirst', 'oldestFirst', 'none']).default('newestFirst'),
	/** Which comes first of those made at the same moment: always the same, anew for each page and size, or for each request. */
	equalMoments: z.enum(['stable', 'perPage', 'perRequest']).default('stable'),
	defaultPageSize: z.int().min(1).default(20),
	maxPageSize: z.int().min(1).default(100),
	overMaxPageSize: z.enum(['cap', 'reject']).default('cap'),
	pastTheEnd: z.enum(['empty', 'notFound']).default('empty'),
	next: z.enum(['absolute', 'relative', 'otherHost']).default('absolute'),
	/** What `count` says; `next` stays right. */
	count: z
		.enum(['right', 'missing', 'pageLength', 'zero', 'cappedAt100', 'oneTooMany'])
		.default('right'),
	/** Refuse a page that would reach beyond so many results; null: no page. */
	maxResults: z.int().min(1).nullable().default(null),
	/** The status of that refusal. */
	beyondMaxResults: z.int().min(400).max(599).default(400),
	/** Milliseconds until a created invoice shows up in the list. */
	listLagMs: z.int().min(0).default(0),
	createdStatus: z.union([z.literal(200), z.literal(201)]).default(201),

	errorBody: errorBodyShape.default('detail'),
	badKeyStatus: z.int().min(400).max(499).default(401),
	invalidStatus: z.int().min(400).max(499).default(400),

	/** Whether an invoice for a customer that does not exist is refused. */
	unknownCustomer: z.enum(['reject', 'accept']).default('reject'),
	/** Which fields of an invoice item the service insists on (spec 2.4: not shown). */
	requiredItemFields: z.array(z.enum(['name', 'amount', 'quantity'])).default(['name', 'amount']),
	/** Leave out every field that the spec does not promise. */
	optionalFields: z.enum(['present', 'missing']).default('present'),
	cardData: z.enum(['present', 'missing']).default('missing'),
	/** Whether the filter `id` of a list is heeded. */
	idMatch: z.enum(['exact', 'ignored']).default('exact'),
	invoiceNumberMatch: z.enum(['exact', 'contains', 'ignored']).default('exact'),
	/** What becomes of the invoice number that a creation sends. */
	storedNumbers: z
		.enum(['kept', 'upperCase', 'withoutSpaces', 'padded', 'nfc', 'truncated', 'numeric'])
		.default('kept'),

	/** Milliseconds before every answer of the API. */
	latency: z.int().min(0).max(600_000).default(0),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

/** The switches that can be turned while the simulator runs; the others decide what it starts with. */
export const liveSettingsSchema = settingsSchema
	.omit({
		seed: true,
		charges: true,
		invoices: true,
		links: true,
		members: true,
		customers: true,
		customerFields: true,
		newest: true,
		chargesPerMoment: true,
		invoicesPerMoment: true,
	})
	.partial();
