import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { invalidFieldsError } from '../shared/errors';
import { parametersOf, readFields, shownOf } from '../shared/operation';
import { defaultPageSize } from '../shared/perform';
import { fields } from './fields';
import type { OutputWishes } from '../shared/simplify';
import type { Settings } from './newCharges/reading';

/** What the user wants the trigger to do. */
export interface Wishes {
	startWith: 'newOnly' | 'since' | 'all';
	/** Milliseconds since 1970. */
	since?: number;
	/** Query of the charge list (spec 4.3). */
	filters: IDataObject;
	settings: Settings;
	/** Whether the page size is not the standard one. */
	hasPageSize: boolean;
	output: OutputWishes;
}

interface Values extends OutputWishes {
	start_with: Wishes['startWith'];
	since?: number;
	look_back_minutes?: number;
	max_charges_per_run?: number;
	page_size?: number;
}

/** Reads the fields of the trigger. Throws a NodeApiError that names those that do not do, and why. */
export function wishesOf(context: IPollFunctions): Wishes {
	const node = context.getNode();
	const parameters = parametersOf(node, shownOf(node, fields));
	const { places, problems } = readFields(
		parameters,
		(name, fallback) => context.getNodeParameter(name, fallback),
		context.getTimezone(),
	);
	if (problems.length) throw invalidFieldsError(node, problems);
	const values = places.setting as unknown as Values;
	return {
		startWith: values.start_with,
		since: values.since,
		filters: places.query,
		settings: {
			maxCharges: values.max_charges_per_run ?? 1000,
			lookBack: (values.look_back_minutes ?? 60) * 60_000,
			pageSize: values.page_size ?? defaultPageSize,
		},
		hasPageSize: values.page_size !== undefined,
		output: values,
	};
}
