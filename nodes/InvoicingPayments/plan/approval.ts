/**
 * Compares what would be sent now with the plan that somebody approved.
 *
 * The fingerprint is a hash of the account (Base URL and API key), of the warnings about the sheet, and of each invoice: its number (or
 * its rows), its whole request, and, unless its action is `create` or `exists`, the action and what was found in the service. A due date
 * that is relative to today counts as its number of days. So no invoice can be swapped for another without changing the fingerprint.
 * After the hash come four digits: how many of the invoices exist already.
 */
import { turns } from '../../shared/clock';
import { normalize, quote } from '../../shared/fields/text';
import { hexOf } from '../../shared/hash';
import { Decimal } from '../../shared/fields/decimal';
import type { Parsed } from '../../shared/result';
import { notRead, ok } from '../../shared/result';
import { sorted } from '../../shared/sorted';
import { rowsLabel } from '../reading/cells';
import type { ComparedDraft } from './comparison';
import { dueOf } from './dueDate';

export interface ApprovedPlan {
	fingerprint: string;
	/** Shown to the person who approved. */
	summary?: string;
}

/** What is approved of an invoice. */
export interface ApprovedDraft extends Pick<ComparedDraft, 'body' | 'dueInDays' | 'comparison'> {
	readonly rows: ReadonlyArray<{ number: number }>;
}

/** Hexadecimal digits. 32 are 128 bits, so nobody can make another plan with the same fingerprint. */
const digits = { hash: 32, count: 4 };

/** The whole request, with its fields sorted by name. */
const contentOf = (draft: ApprovedDraft): string => {
	const items = draft.body.items.map((item) => ({
		...item,
		amount: `${Decimal.of(item.amount)}`,
	}));
	const content = { ...draft.body, items, due_date: dueOf(draft) };
	return normalize(JSON.stringify(sorted(content)), 'NFC');
};

function entryOf(draft: ApprovedDraft): string {
	const { action, existing, differences } = draft.comparison;
	// Executing a plan turns `create` into `exists`. A run that stopped can continue, so the hash does not tell them apart.
	const isCreateOrExists = action === 'create' || action === 'exists';
	const found = [action, existing?.id, existing?.amount, existing?.status, differences];
	return JSON.stringify([
		draft.body.invoice_number ?? rowsLabel(draft.rows),
		contentOf(draft),
		...(isCreateOrExists ? [] : found),
	]);
}

/**
 * 32 hex digits for the account, warnings and invoices, in any order, and 4 for how many exist. Continuing a stopped run only increases
 * that count.
 */
export async function fingerprintOf(
	drafts: readonly ApprovedDraft[],
	account: string,
	warnings: string[],
): Promise<string> {
	const existing = drafts.filter(({ comparison }) => comparison.action === 'exists').length;
	const count = Math.min(existing, 0xffff).toString(16).padStart(digits.count, '0');
	const entries: string[] = [];
	const turn = turns();
	for (const draft of drafts) {
		entries.push(hexOf(entryOf(draft)));
		await turn();
	}
	const content = JSON.stringify([account, [...warnings].sort(), entries.sort()]);
	return `${hexOf(content, digits.hash)}${count}`;
}

/** Accepts a fingerprint, or `{ fingerprint, summary? }` as an object or JSON text. */
export function toApprovedPlan(value: unknown): Parsed<ApprovedPlan> {
	const plan = typeof value === 'string' && value.trim().startsWith('{') ? fromJson(value) : value;
	const fields: Partial<Record<keyof ApprovedPlan, unknown>> = isObject(plan)
		? plan
		: { fingerprint: plan };
	const fingerprint = String(fields.fingerprint).trim().toLowerCase();
	if (!/^[0-9a-f]{36}$/.test(fingerprint)) {
		return notRead(`must be the fingerprint of a plan, got ${quote(value)}`);
	}
	const { summary } = fields;
	return ok({ fingerprint, ...(typeof summary === 'string' && { summary: summary.trim() }) });
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** What differs from the approval. A given summary must match exactly, because a person may have approved it. */
export function changeSince(
	{ fingerprint, summary }: ApprovedPlan,
	now: Required<ApprovedPlan>,
): string | undefined {
	if (!isSameOrContinued(fingerprint, now.fingerprint))
		return 'the account, the invoices to send, the existing ones or the warnings differ from what was approved';
	const isSame = summary === undefined || summary === now.summary;
	return isSame ? undefined : 'its summary differs from the approved one';
}

function isSameOrContinued(approved: string, now: string): boolean {
	const contentDigits = (fingerprint: string) => fingerprint.slice(0, digits.hash);
	const countOf = (fingerprint: string) => parseInt(fingerprint.slice(digits.hash), 16);
	return contentDigits(approved) === contentDigits(now) && countOf(now) >= countOf(approved);
}
