import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { invalidFieldsError, plainError } from '../shared/errors/nodeErrors';
import { parametersOf, readFields } from '../shared/fields/readFields';
import { nodesOf } from '../shared/n8nInternals';
import type { OutputSettings } from '../shared/output/simplify';
import { defaultPageSize } from '../shared/pagination/fetchResults';
import { triggerFields } from './description';
import type { TriggerEvent } from './events';
import { events, lists } from './events';

export interface DueDays {
	side: 'before' | 'after';
	count: number;
	zone: string;
}

export interface TriggerSettings {
	event: TriggerEvent;
	startWith: 'newOnly' | 'since' | 'all';
	/** Milliseconds since 1970. */
	since?: number;
	/** Query of the list (spec 4.2, 4.3). */
	filters: IDataObject;
	status?: string;
	days?: DueDays;
	maxPerRun: number;
	/** How late a charge may be listed (milliseconds). */
	lookBack: number;
	pageSize: number;
	hasPageSize: boolean;
	output: OutputSettings;
}

/** Whether creation times show which results are new. Not with a status filter: an old charge may get the status. */
export const isTimed = ({ event, status }: Pick<TriggerSettings, 'event' | 'status'>): boolean =>
	event.value === 'newCharge' && status === undefined;

/** A Since in the future would skip charges. Throws a NodeApiError. */
export function checkSince(
	context: Pick<IPollFunctions, 'getNode'>,
	{ since = -Infinity }: Pick<TriggerSettings, 'since'>,
	now: number,
): void {
	if (since <= now) return;
	const [given, clock] = [since, now].map((time) => new Date(time).toISOString());
	const problem = `Since must not be in the future, got ${given}; n8n's clock says ${clock}`;
	throw invalidFieldsError(context.getNode(), [problem]);
}

/** (N16) n8n keeps the state of a trigger by its ID, so two with the same one would share it. Throws a NodeApiError. */
export function checkId(context: IPollFunctions): void {
	const own = context.getNode();
	const twin = nodesOf(context).find(({ id, name }) => id === own.id && name !== own.name);
	if (!twin) return;
	const problem = `'${own.name}' and '${twin.name}' have the same node ID, so only one of them would start the workflow. Delete one of them, and add it again from the node panel`;
	throw plainError(own, problem, 'Copied or imported JSON can contain an ID twice.', {
		cause: 'configuration-invalid',
	});
}

interface GivenSettings extends OutputSettings {
	event: string;
	startWith: TriggerSettings['startWith'];
	since?: number;
	lookBackMinutes?: number;
	days?: number;
	maxPerRun?: number;
	pageSize?: number;
}

/** Throws a NodeApiError that lists the invalid fields. */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const node = context.getNode();
	const { query, settings, problems } = readFields(
		parametersOf(node, triggerFields),
		(name, fallback) => context.getNodeParameter(name, fallback),
		context.getTimezone(),
	);
	if (problems.length) throw invalidFieldsError(node, problems);
	const given = settings as unknown as GivenSettings;
	const event = events.find(({ value }) => value === given.event) as TriggerEvent;
	const chosen = event.list === lists.charges ? (query.status as string | undefined) : undefined;
	const status = event.status ?? chosen;
	return {
		event,
		startWith: given.startWith,
		since: given.since,
		filters: status && !event.list.isPlain ? { ...query, status } : query,
		status,
		...(event.days && {
			days: { side: event.days, count: given.days ?? 0, zone: context.getTimezone() },
		}),
		maxPerRun: given.maxPerRun ?? 1000,
		lookBack: (given.lookBackMinutes ?? 60) * 60_000,
		pageSize: given.pageSize ?? defaultPageSize,
		hasPageSize: given.pageSize !== undefined,
		output: given,
	};
}
