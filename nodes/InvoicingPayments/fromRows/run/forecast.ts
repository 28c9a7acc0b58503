import { turns } from '../../../shared/clock';
import { firstLines, headline, toNodeError } from '../../../shared/errors/nodeErrors';
import { hexOf } from '../../../shared/hash';
import { ok } from '../../../shared/result';
import { openClient } from '../../../shared/transport/client';
import type { Failure } from '../../../shared/transport/failure';
import { needsNumberLookup } from '../../invoices/invoiceRequest';
import { lookUpNumbers } from '../../invoices/lookUpNumbers';
import type { ComparedDraft, Comparison } from '../../plan/comparison';
import { comparisonOf } from '../../plan/comparison';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';
import type { Refusal, Sheet } from '../settings';
import { cancelEarlier, changesSinceEarlierRuns } from './earlierRuns';
import { requestOf } from './invoiceUnits';

/** An invoice, and what a run would do with it. */
export interface ForecastDraft extends Draft {
	/** Missing if it cannot be sent. */
	readonly comparison?: Comparison;
	/** What an earlier run has billed of its rows, which have changed since. */
	readonly change?: string;
}

/** What a run would do. */
export interface Forecast {
	drafts: readonly ForecastDraft[];
	/** A hash of the Base URL and the API key. Empty if nothing was searched. */
	account: string;
}

const isCompared = (draft: ForecastDraft): draft is ForecastDraft & ComparedDraft =>
	draft.comparison !== undefined;

/** The invoices that can be sent, each with what a run would do with it. */
export const comparedDrafts = ({ drafts }: Forecast) => drafts.filter(isCompared);

export const isCreated = ({ comparison }: ForecastDraft) => comparison?.action === 'create';

/**
 * Predicts a run without sending anything. `findsChanges`: also looks for what earlier runs have billed of rows that have changed since.
 * Throws a NodeApiError if the service does not answer.
 */
export async function forecastRun(
	{ context, operation, settings }: Sheet,
	drafts: readonly Draft[],
	{ findsChanges }: { findsChanges: boolean },
): Promise<Forecast> {
	const ready = drafts.filter(isReady);
	const requests = ready.map((draft) => requestOf(draft, operation, settings));
	const errorOf = (failure: Failure) => toNodeError(context.getNode(), failure);
	// The preview looks for existing invoices only if the run does.
	const searches = needsNumberLookup(settings) && ready.length > 0;
	const opened = searches
		? await openClient(context, context.getExecutionCancelSignal())
		: undefined;
	if (opened && !opened.ok) {
		const { method, path } = requests[0].request;
		throw errorOf({ kind: 'configuration', method, path, reason: opened.problem });
	}
	const client = opened?.value;
	const lookups = client
		? await lookUpNumbers(client, requests)
		: ok(ready.map(() => ({ all: [] })));
	if (!lookups.ok) throw errorOf(lookups.failure);
	// If a run carries out an approved plan, existing invoices are no error.
	const { ifInvoiceNumberExists = 'returnExisting' } = settings;
	const ifExists = settings.previewOnly ? ifInvoiceNumberExists : 'returnExisting';
	const compared = new Map<Draft, ForecastDraft & ComparedDraft>();
	const turn = turns();
	for (const [at, draft] of ready.entries()) {
		compared.set(draft, { ...draft, comparison: comparisonOf(draft, lookups.value[at], ifExists) });
		await turn();
	}
	const forecast = drafts.map((draft): ForecastDraft => compared.get(draft) ?? draft);
	if (!client) return { drafts: forecast, account: '' };
	const account = hexOf(JSON.stringify([client.baseURL, client.credential.apiKey]), 32);
	const created = forecast.filter(isCreated);
	if (!findsChanges || created.length === 0) return { drafts: forecast, account };
	const run = { drafts: forecast, created, prefix: settings.numberPrefix };
	const changes = await changesSinceEarlierRuns(client, requests[0], run);
	if (!changes.ok) throw errorOf(changes.failure);
	return {
		drafts: forecast.map((draft) => ({ ...draft, change: changes.value.get(draft) })),
		account,
	};
}

/** Why a run must not bill changed rows beside those of an earlier run. */
export function rowChanges({ drafts }: Forecast): Refusal | undefined {
	const texts = drafts.flatMap(({ change }) => change ?? []);
	if (texts.length === 0) return undefined;
	return {
		title: headline(texts),
		lines: [
			`${cancelEarlier}. If both are right, set 'If Rows Changed' to Create Both`,
			...firstLines(texts.slice(1), undefined, (count) => `and ${count} more`),
		],
	};
}
