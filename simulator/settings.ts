import { z } from 'zod/v4';

/** The shape of errors (spec 7: not shown). */
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

/** A switch for everything that the spec does not show. The node must work with all of them. */
export const settingsSchema = z.strictObject({
	/** The same seed makes the same IDs and values. */
	seed: z.int().default(1),
	apiKey: z.string().min(1).default('your-simulator-key'),
	/** Objects at the start. */
	charges: z.int().min(0).max(5_000_000).default(250),
	invoices: z.int().min(0).max(100_000).default(40),
	links: z.int().min(0).max(10_000).default(10),
	members: z.int().min(0).max(10_000).default(6),
	customers: z.int().min(1).max(100_000).default(12),
	/** What a customer has besides the ID (spec 2.3, 2.5: not shown). */
	customerFields: z
		.enum(['nameAndEmail', 'company', 'person', 'nested', 'onlyName', 'onlyId'])
		.default('nameAndEmail'),
	/** When the newest seeded object was made. */
	newest: z.iso.datetime().default('2026-06-01T09:00:00Z'),
	/** Seeded charges with the same timestamp (above 1: a whole second). */
	chargesPerMoment: z.int().min(1).default(1),
	/** Seeded invoices with the same timestamp (above 1: a whole second). */
	invoicesPerMoment: z.int().min(1).default(1),

	order: z.enum(['newestFirst', 'oldestFirst', 'none']).default('newestFirst'),
	/** Order of objects with the same timestamp: always the same, random per page and size, or random per request. */
	timestampTies: z.enum(['stable', 'perPage', 'perRequest']).default('stable'),
	defaultPageSize: z.int().min(1).default(20),
	maxPageSize: z.int().min(1).default(100),
	overMaxPageSize: z.enum(['cap', 'reject']).default('cap'),
	pastTheEnd: z.enum(['empty', 'notFound']).default('empty'),
	next: z.enum(['absolute', 'relative', 'otherHost']).default('absolute'),
	/** What `count` returns. `next` stays right. */
	count: z
		.enum(['right', 'missing', 'pageLength', 'zero', 'cappedAt100', 'oneTooMany'])
		.default('right'),
	/** Refuses pages that would reach beyond this many results; null: none. */
	maxResults: z.int().min(1).nullable().default(null),
	beyondMaxResults: z.int().min(400).max(599).default(400),
	/** Milliseconds until a new invoice shows up in lists. */
	listLagMs: z.int().min(0).default(0),
	createdStatus: z.union([z.literal(200), z.literal(201)]).default(201),

	errorBody: errorBodyShape.default('detail'),
	badKeyStatus: z.int().min(400).max(499).default(401),
	invalidStatus: z.int().min(400).max(499).default(400),

	unknownCustomer: z.enum(['reject', 'accept']).default('reject'),
	/** spec 2.4: not shown */
	requiredItemFields: z.array(z.enum(['name', 'amount', 'quantity'])).default(['name', 'amount']),
	/** `missing`: removes every field that the spec does not promise. */
	optionalFields: z.enum(['present', 'missing']).default('present'),
	cardData: z.enum(['present', 'missing']).default('missing'),
	/** Whether lists filter by `id`. */
	idMatch: z.enum(['exact', 'ignored']).default('exact'),
	invoiceNumberMatch: z.enum(['exact', 'contains', 'ignored']).default('exact'),
	/** How the service changes the invoice numbers of requests. */
	storedNumbers: z
		.enum(['kept', 'upperCase', 'withoutSpaces', 'padded', 'nfc', 'truncated', 'numeric'])
		.default('kept'),

	/** Milliseconds before every response. */
	latency: z.int().min(0).max(600_000).default(0),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

/** Switches that can change while the simulator runs. */
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
