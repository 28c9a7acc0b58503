import { failed } from '../../shared/result';
import type { FailedAnswer } from '../../shared/transport/failure';
import type { Batch, Notice } from '../execution/operation';
import type { Outcomes } from '../execution/run';
import { isAmountDifference } from './compareInvoice';
import { totalOf } from './items';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf } from './invoiceRequest';

const numberAdvice =
	"Write invoice numbers the way the service stores them, or set 'If Invoice Number Exists' to 'Create Anyway'.";

const failureOf =
	(kind: 'notSent' | 'done') =>
	({ request: { method, path } }: InvoiceRequest, message: string, advice: string): FailedAnswer =>
		failed({ kind, method, path, message, advice });
const notSent = failureOf('notSent');
const done = failureOf('done');

/** `existing`: e.g. `"INV-7" is invoice 3f2b…`. */
export const alreadyExistsFailure = (request: InvoiceRequest, existing: string) =>
	notSent(
		request,
		`An invoice with this number already exists: ${existing}`,
		"Use another number, or set 'If Invoice Number Exists' to 'Return Existing'.",
	);

export const mayExistFailure = (request: InvoiceRequest, number: string, sentAt: Date) =>
	notSent(
		request,
		`An earlier request with the invoice number "${number}" (sent at ${sentAt.toISOString()}) may have been processed, so this one was not sent`,
		'Look for the invoice in the service. If it is not there ten minutes after that request, run this again.',
	);

/** `change`: e.g. `"inv-7" became "INV-7"`. */
export const renumberingFailure = (request: InvoiceRequest, change: string) =>
	notSent(
		request,
		`The invoice was not sent because the service changes invoice numbers: ${change}`,
		numberAdvice,
	);

export const renumberedFailure = (request: InvoiceRequest, change: string) =>
	done(
		request,
		`The service changed the invoice number: ${change}. It may not be found by the number that was sent, and a second run could then bill the customer twice`,
		numberAdvice,
	);

export const createdDifferentlyFailure = (
	request: InvoiceRequest,
	invoice: string,
	differences: string[],
) =>
	done(
		request,
		`The invoice was created, but not as it was sent: ${differences.join('; ')} (${invoice})`,
		differences.every(isAmountDifference)
			? "Check the invoice in the service before you run this again. If the account adds taxes or fees, set 'If the Service Changes Amounts' to Warn."
			: 'Check the invoice in the service before you run this again.',
	);

/** Never a setting for all: it would bill the other invoices again. */
export const cancelledAdvice =
	'To bill one again, give it another invoice number, or, if its number is made from the content, another note';

/** `problem`: continues a sentence that begins with "It", such as `was not found …`. Missing if the invoice has no number to search for. */
export function adviceOnLost(request: InvoiceRequest, sentAt: Date, problem?: string): string {
	const { customer, currency, items } = bodyOf(request);
	const description = `customer ${customer}, items of ${totalOf(items)} ${currency}, sent at ${sentAt.toISOString()}`;
	return problem === undefined
		? `The invoice may still have been created. Look in the service for ${description}, before you run this again.`
		: `The invoice may still have been created: ${description}. It ${problem}. Wait ten minutes, then run this again with 'If Invoice Number Exists' set to 'Return Existing', which creates only missing invoices.`;
}

const maxNamed = 10;

/** Warns about results that look successful, but need attention. */
export function resultNotices({ units }: Batch, outcomes: Outcomes): Notice[] {
	const results = units.flatMap(({ items, name }) => {
		const outcome = outcomes.get(items[0]);
		return outcome?.ok ? outcome.value.map((result) => ({ name, result })) : [];
	});
	const notices: Notice[] = [];
	const warn = (
		text: string,
		affected: typeof results,
		{ advice = '', max = maxNamed }: { advice?: string; max?: number } = {},
	) => {
		if (affected.length === 0) return;
		const names = affected.slice(0, max).map(({ name }) => name);
		const more = affected.length > max ? ` and ${affected.length - max} more` : '';
		notices.push({ lines: [`${text}: ${names.join('; ')}${more}.${advice}`], isWarning: true });
	};
	warn(
		"For these invoices no response arrived, but one with the same number was found (with 'Create Anyway', perhaps an older one)",
		results.filter(({ result }) => result.outcome === 'recovered'),
	);
	warn(
		'These existing invoices are cancelled, so nothing is billed for them',
		results.filter(({ result }) => result.outcome === 'found, cancelled'),
		{ advice: ` ${cancelledAdvice}.` },
	);
	warn(
		'Invoices that differ from the request (see "differences" in the output)',
		results.flatMap(({ name, result }) =>
			Array.isArray(result.differences)
				? [{ name: `${name} (${result.differences.join('; ')})`, result }]
				: [],
		),
	);
	warn(
		'Several invoices have the same number, perhaps because another n8n process created them at the same time',
		results.filter(({ result }) => 'duplicates' in result),
		{ advice: ' In each "duplicates", keep the first ID and cancel the others.', max: 1000 },
	);
	warn(
		'These new invoices are not listed yet, or could not be looked up, so it could not be checked whether another n8n process created them as well',
		results.filter(({ result }) => result.duplicatesChecked === false),
	);
	return notices;
}
