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
import type { Refusal, RowSettings, Sheet } from '../settings';
import { changeAdvice, changesSinceEarlierRuns } from './earlierRuns';
import { requestOf } from './invoiceUnits';

/** An invoice, and what a run would do with it. */
export interface ForecastDraft extends Draft {
	/** Missing if it cannot be sent. */
	readonly comparison?: Comparison;
	/** What an earlier run has billed of its rows, which may have changed since. */
	readonly change?: string;
}

/** What becomes of rows that an earlier run has billed and that have changed since. */
type Changes = 'not sought' | 'named' | 'stop';

/**
 * Only made numbers change with the rows, and only somebody who wants both bills them beside the earlier ones, with an approved plan too: its
 * approval may be older than the earlier run.
 */
export const changesOf = (
	{ ifRowsChanged }: Pick<RowSettings, 'ifRowsChanged'>,
	makesNumbers: boolean,
): Changes => (makesNumbers && ifRowsChanged !== 'createBoth' ? 'stop' : 'named');

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
 * Predicts a run without sending anything. `changes`: also looks for what earlier runs have billed of rows that have changed since, and
 * whether that stops the run. Throws a NodeApiError if the service does not answer.
 */
export async function forecastRun(
	{ context, operation, settings }: Sheet,
	drafts: readonly Draft[],
	{ makesNumbers, changes = 'not sought' }: { makesNumbers: boolean; changes?: Changes },
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
	if (changes === 'not sought' || created.length === 0) return { drafts: forecast, account };
	const run = { drafts: forecast, created, prefix: settings.numberPrefix, makesNumbers };
	const found = await changesSinceEarlierRuns(client, requests[0], run);
	if (!found.ok) throw errorOf(found.failure);
	const withChange = (draft: ForecastDraft): ForecastDraft => {
		const change = found.value.get(draft);
		if (change === undefined) return draft;
		const comparison = changes === 'stop' ? stopped(change) : draft.comparison;
		return { ...draft, change, comparison };
	};
	return { drafts: forecast.map(withChange), account };
}

const stopped = (why: string): Comparison => ({ action: 'stop', differences: [], why });

/** Why a run must not bill changed rows beside those of an earlier run. */
export function rowChanges({ drafts }: Forecast): Refusal | undefined {
	const texts = drafts.flatMap(({ change, comparison }) =>
		comparison?.action === 'stop' ? (change ?? []) : [],
	);
	if (texts.length === 0) return undefined;
	return {
		title: headline(texts),
		lines: [
			...changeAdvice(drafts.some(({ comparison }) => comparison?.existing)),
			...firstLines(texts.slice(1), undefined, (count) => `and ${count} more`),
		],
	};
}
