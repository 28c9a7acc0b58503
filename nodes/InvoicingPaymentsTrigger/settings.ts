import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { invalidFieldsError } from '../shared/errors/nodeErrors';
import { parametersOf, readFields } from '../shared/fields/readFields';
import type { OutputSettings } from '../shared/output/simplify';
import { defaultPageSize } from '../shared/pagination/fetchResults';
import { fields } from './description';
import type { PollSettings } from './newCharges/reading';

/** What the user wants the trigger to do. */
export interface TriggerSettings {
	startWith: 'newOnly' | 'since' | 'all';
	/** Milliseconds since 1970. */
	since?: number;
	/** Query of the charge list (spec 4.3). */
	filters: IDataObject;
	settings: PollSettings;
	/** Whether the page size is not the default. */
	hasPageSize: boolean;
	output: OutputSettings;
}

/** As the fields are called. */
interface GivenSettings extends OutputSettings {
	startWith: TriggerSettings['startWith'];
	since?: number;
	lookBackMinutes?: number;
	maxChargesPerRun?: number;
	pageSize?: number;
}

/** Reads the fields of the trigger. Throws a NodeApiError that names those that are not valid, and why. */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const node = context.getNode();
	const { query, settings, problems } = readFields(
		parametersOf(node, fields),
		(name, fallback) => context.getNodeParameter(name, fallback),
		context.getTimezone(),
	);
	if (problems.length) throw invalidFieldsError(node, problems);
	const given = settings as unknown as GivenSettings;
	return {
		startWith: given.startWith,
		since: given.since,
		filters: query,
		settings: {
			maxCharges: given.maxChargesPerRun ?? 1000,
			lookBack: (given.lookBackMinutes ?? 60) * 60_000,
			pageSize: given.pageSize ?? defaultPageSize,
		},
		hasPageSize: given.pageSize !== undefined,
		output: given,
	};
}
