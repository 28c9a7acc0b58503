/**
 * A plan that somebody approves, and whether what would be sent now is still that.
 *
 * The fingerprint is a hash of the account (Base URL and API key) and of each invoice: its number (or its rows), the hash of its
 * whole request, and, unless its action is `create` or `exists`, the action and the hash of what was found in the service. The
 * request is hashed with the names and values of all fields, sorted by name, and the items in their order. A due date that is relative
 * to today counts as its number of days. Behind the hash stands how many invoices exist. So nothing can be exchanged for something else
 * under the same fingerprint.
 */
import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { hexOf } from '../../shared/hash';
import { comparableNumber } from '../invoices/comparableNumber';
import type { Action, Comparison, PlannedInvoice } from './plannedInvoice';
import { contentOf, plannedLabel } from './plannedInvoice';

interface PlanEntry {
	invoice: string;
	action: Action;
	total: string;
	currency: string;
	customer: string;
	due_date: string;
	/** Set if the due date is relative to today. */
	due_in_days?: number;
	/** Hash of the request. */
	content: string;
	/** Hash of the existing invoice and its differences. */
	found?: string;
}

/** `invoices`: missing if only the fingerprint was given. */
export interface ApprovedPlan {
	fingerprint: string;
	/** A hash of the URL and the API key. */
	account?: string;
	/** Shown to the person who approved. */
	summary?: string;
	invoices?: PlanEntry[];
	/** What the sheet gave to look at. */
	warnings?: string[];
}

export interface PlanLine {
	planned: PlannedInvoice;
	comparison: Comparison;
}

/** Hexadecimal. 128 bits, so that nobody can make another plan with the same fingerprint. */
const digits = { hash: 32, count: 4 };

export function entryOf({ planned, comparison }: PlanLine): PlanEntry {
	const { body, total, dueInDays } = planned;
	const { existing, action, differences } = comparison;
	return {
		invoice: body.invoice_number ?? planned.rows,
		action,
		total,
		currency: body.currency,
		customer: body.customer,
		due_date: body.due_date ?? '',
		...(dueInDays !== undefined && { due_in_days: dueInDays }),
		content: hexOf(contentOf(planned), digits.hash),
		...(existing && {
			found: hexOf(
				JSON.stringify([existing.id, existing.amount, existing.status, differences]),
				digits.hash,
			),
		}),
	};
}

/** Executing a plan turns `create` into `exists`. The hash does not tell them apart, so that a stopped run can continue. */
const isCreateOrExists = (action: Action) => action === 'create' || action === 'exists';

/** 32 hex digits for the invoices, in any order, and 4 for how many exist. Continuing a stopped run only increases that count. */
export function fingerprintOf(entries: PlanEntry[], account = ''): string {
	const lines = entries.map(({ invoice, action, content, found = '' }) =>
		JSON.stringify([invoice, content, ...(isCreateOrExists(action) ? [] : [action, found])]),
	);
	const existing = entries.filter(({ action }) => action === 'exists').length;
	const count = Math.min(existing, 0xffff).toString(16).padStart(digits.count, '0');
	return `${hexOf(JSON.stringify([account, lines.sort()]), digits.hash)}${count}`;
}

/** Accepts a fingerprint, with or without its summary, or a whole plan. */
export function toApprovedPlan(value: unknown): Parsed<ApprovedPlan> {
	const plan = typeof value === 'string' && value.trim().startsWith('{') ? fromJson(value) : value;
	const fields: Partial<Record<keyof ApprovedPlan, unknown>> = isObject(plan)
		? plan
		: { fingerprint: plan };
	const fingerprint = String(fields.fingerprint).trim().toLowerCase();
	if (!/^[0-9a-f]{36}$/.test(fingerprint)) {
		return { problem: `must be the fingerprint of a plan, or a plan, got ${quote(value)}` };
	}
	const { invoices, account, summary, warnings } = fields;
	const areEntries = Array.isArray(invoices) && invoices.every(isEntry);
	return {
		value: {
			fingerprint,
			...(areEntries && { invoices, account: String(account ?? '') }),
			...(Array.isArray(warnings) && {
				warnings: warnings.filter((one): one is string => typeof one === 'string'),
			}),
			...(typeof summary === 'string' && { summary: summary.trim() }),
		},
	};
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isEntry = (value: unknown): value is PlanEntry => {
	const { invoice, action, content } = (value ?? {}) as Partial<PlanEntry>;
	return [invoice, action, content].every((one) => typeof one === 'string');
};

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/**
 * Describes what changed since the approval. Without `invoices`, a given summary must match exactly, because a person may have
 * approved it.
 */
export function changesSince(
	{ fingerprint, account: approvedAccount = '', summary, invoices, warnings }: ApprovedPlan,
	now: { lines: PlanLine[]; account: string; summary: string; warnings: string[] },
): string[] {
	const { lines, account } = now;
	if (!invoices) {
		if (!isSameOrContinued(fingerprint, fingerprintOf(lines.map(entryOf), account)))
			return ['the invoices to send, or the existing ones, differ from those approved'];
		const isSame = summary === undefined || summary === now.summary;
		return isSame ? [] : ['its summary is different now'];
	}
	if (approvedAccount !== account) return ['it was made with another Base URL or API key'];
	if (fingerprint !== fingerprintOf(invoices, approvedAccount)) return [editedMessage];
	const approvedByNumber = new Map(
		invoices.map((entry) => [comparableNumber(entry.invoice), entry]),
	);
	const remaining = new Map(approvedByNumber);
	const changes = lines.flatMap((line) => {
		const entry = entryOf(line);
		const name = plannedLabel(line.planned);
		const number = comparableNumber(entry.invoice);
		remaining.delete(number);
		const approved = approvedByNumber.get(number);
		return approved ? changesOf(approved, entry, name) : [`not planned: ${name}`];
	});
	const missing = [...remaining.values()].map(
		({ invoice }) => `not in the sheet any more: ${invoice}`,
	);
	const news = warnings ? now.warnings.filter((one) => !warnings.includes(one)) : [];
	return [...changes, ...missing, ...news.map((one) => `new to look at: ${one}`)];
}

const editedMessage = 'it was edited after it was made';

function isSameOrContinued(approved: string, now: string): boolean {
	const contentDigits = (fingerprint: string) => fingerprint.slice(0, digits.hash);
	const countOf = (fingerprint: string) => parseInt(fingerprint.slice(digits.hash), 16);
	return contentDigits(approved) === contentDigits(now) && countOf(now) >= countOf(approved);
}

function changesOf(approved: PlanEntry, now: PlanEntry, name: string): string[] {
	const changed = (['total', 'currency', 'customer', 'due_date'] as const).filter(
		(field) => approved[field] !== now[field],
	);
	if (approved.content !== now.content) {
		const texts = changed.map(
			(field) => `${field.replace('_', ' ')} ${now[field]} instead of ${approved[field]}`,
		);
		return [`${name} has ${texts.join(', ') || 'different items or texts'}`];
	}
	// With the same content, only a due date that is relative to today may differ.
	const mayChange = (field: string) => field === 'due_date' && now.due_in_days !== undefined;
	if (!changed.every(mayChange)) return [editedMessage];
	if (approved.action === now.action) {
		const isSame = isCreateOrExists(now.action) || approved.found === now.found;
		return isSame ? [] : [`${name} has since changed in the service`];
	}
	const isDone = approved.action === 'create' && ['exists', 'exists, paid'].includes(now.action);
	if (isDone) return [];
	if (now.action === 'create') return [`${name} no longer exists`];
	const became: Partial<Record<Action, string>> = {
		'exists, paid': 'has since been paid',
		'exists, cancelled': 'has since been cancelled',
		'exists, differs': 'now differs from the invoice in the service',
	};
	return [`${name} ${became[now.action] ?? `is "${now.action}" instead of "${approved.action}"`}`];
}
