import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { hexOf } from '../../shared/hash';
import { comparableNumber } from '../invoices/comparableNumber';
import type { Action, Outlook, PlannedInvoice } from './plannedInvoice';
import { contentOf } from './plannedInvoice';

interface PlanEntry {
	invoice: string;
	action: Action;
	total: string;
	currency: string;
	customer: string;
	due_date: string;
	/** If the due date is counted from today. */
	due_in_days?: number;
	/** Hash of what is sent. */
	content: string;
	/** Hash of the existing invoice. */
	found?: string;
}

/** `invoices`: missing if only the fingerprint was given. */
export interface ApprovedPlan {
	fingerprint: string;
	/** A hash. */
	account?: string;
	/** Shown to the person who approved. */
	summary?: string;
	invoices?: PlanEntry[];
}

export interface PlanLine {
	planned: PlannedInvoice;
	outlook: Outlook;
}

const digits = { content: 12, count: 4 };

export function entryOf({ planned, outlook }: PlanLine): PlanEntry {
	const { body, total, dueInDays } = planned;
	const { existing, action, differences } = outlook;
	return {
		invoice: body.invoice_number ?? planned.rows,
		action,
		total,
		currency: body.currency,
		customer: body.customer,
		due_date: body.due_date ?? '',
		...(dueInDays !== undefined && { due_in_days: dueInDays }),
		content: hexOf(contentOf(planned), digits.content),
		...(existing && {
			found: hexOf(
				JSON.stringify([existing.id, existing.amount, existing.status, differences]),
				digits.content,
			),
		}),
	};
}

/** A matching invoice counts as done, so that a stopped run can continue. */
const isOpen = (action: Action) => action === 'create' || action === 'exists';

/** Twelve digits for the invoices in any order, four for how many exist: a stopped run only increases these. */
export function fingerprintOf(entries: PlanEntry[], account = ''): string {
	const lines = entries.map(({ invoice, action, content, found = '' }) =>
		[invoice, content, ...(isOpen(action) ? [] : [action, found])].join(' '),
	);
	const done = entries.filter(({ action }) => action === 'exists').length;
	const count = Math.min(done, 0xffff).toString(16).padStart(digits.count, '0');
	return `${hexOf([account, ...lines.sort()].join('\n'), digits.content)}${count}`;
}

/** Reads a fingerprint, also with its summary, or a whole plan. */
export function toApprovedPlan(value: unknown): Parsed<ApprovedPlan> {
	const plan = typeof value === 'string' && value.trim().startsWith('{') ? fromJson(value) : value;
	const { fingerprint = plan, ...rest } = (typeof plan === 'object' && plan !== null ? plan : {}) as Partial<Record<keyof ApprovedPlan, unknown>>; // prettier-ignore
	const text = String(fingerprint).trim().toLowerCase();
	if (!/^[0-9a-f]{16}$/.test(text)) {
		return { problem: `must be the fingerprint of a plan, or a plan, got ${quote(value)}` };
	}
	const { invoices, account, summary } = rest;
	const isList = Array.isArray(invoices) && invoices.every(isEntry);
	return {
		value: {
			fingerprint: text,
			...(isList && { invoices, account: String(account ?? '') }),
			...(typeof summary === 'string' && { summary: summary.trim() }),
		},
	};
}

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
 * Empty: nothing changed. A summary without invoices must still be exact, because a person may have approved it; with
 * them, the invoices are compared.
 */
export function changesSince(
	{ fingerprint, account: before = '', summary, invoices }: ApprovedPlan,
	now: { entries: PlanEntry[]; names: string[]; account: string; summary: string },
): string[] {
	const { entries, names, account } = now;
	if (!invoices) {
		if (!isSameOrContinued(fingerprint, fingerprintOf(entries, account)))
			return ['what would be sent, or what exists, is not what was approved'];
		return [undefined, now.summary].includes(summary) ? [] : ['its summary said something else'];
	}
	if (before !== account) return ['it was made with another credential'];
	if (fingerprint !== fingerprintOf(invoices, before)) return [wasEdited];
	const old = new Map(invoices.map((entry) => [comparableNumber(entry.invoice), entry]));
	const left = new Set(old.keys());
	const changes = entries.flatMap((entry, at) => {
		const key = comparableNumber(entry.invoice);
		left.delete(key);
		const approved = old.get(key);
		return approved ? changesOf(approved, entry, names[at]) : [`${names[at]} is new`];
	});
	const gone = [...left].map((key) => `${old.get(key)?.invoice ?? ''} is no longer in the sheet`);
	return [...changes, ...gone];
}

const wasEdited = 'it was edited after it was made';

function isSameOrContinued(approved: string, now: string): boolean {
	const plannedIn = (fingerprint: string) => fingerprint.slice(0, digits.content);
	const doneOf = (fingerprint: string) => parseInt(fingerprint.slice(digits.content), 16);
	return plannedIn(approved) === plannedIn(now) && doneOf(now) >= doneOf(approved);
}

function changesOf(old: PlanEntry, now: PlanEntry, name: string): string[] {
	const changed = (['total', 'currency', 'customer', 'due_date'] as const).filter(
		(field) => old[field] !== now[field],
	);
	if (old.content !== now.content) {
		const what = changed.map(
			(field) => `${field.replace('_', ' ')} ${now[field]} instead of ${old[field]}`,
		);
		return [`${name} has ${what.join(', ') || 'other items or texts'}`];
	}
	// With the same content, only a due date that is counted from today may differ.
	const isMoved = (field: string) => field === 'due_date' && now.due_in_days !== undefined;
	if (!changed.every(isMoved)) return [wasEdited];
	const isDone = old.action === 'create' && ['exists', 'exists, paid'].includes(now.action);
	if (isDone || (old.action === now.action && (isOpen(now.action) || old.found === now.found))) {
		return [];
	}
	if (now.action === 'create') return [`${name} existed, and does not any more`];
	const became: Partial<Record<Action, string>> = {
		'exists, paid': 'was paid meanwhile',
		'exists, cancelled': 'was cancelled meanwhile',
		'exists, differs': 'is a different invoice in the service now',
	};
	return [`${name} ${became[now.action] ?? `is "${now.action}" instead of "${old.action}"`}`];
}
