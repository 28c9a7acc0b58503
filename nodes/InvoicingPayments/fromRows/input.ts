import type { IDataObject } from 'n8n-workflow';
import { todayIn } from '../../shared/fields/dates';
import { isCalledByAgent } from '../execution/run';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { SheetSettings } from '../reading/readSheet';
import { headersIn, withLetters } from '../reading/table';
import { billedRows, overwrittenProblems, returnedColumns, unreadableFile } from './returnedRows';
import type { Sheet } from './settings';
import { mappingOf, Refused, refuseIfAny, typedHeaderProblems } from './settings';

/** The rows of a sheet, and how to read them. */
interface SheetInput {
	rows: IDataObject[];
	sheetSettings: SheetSettings;
}

/** Takes the rows. What is wrong with the parameters or the file is refused, also in a preview. Throws Refused. */
export async function inputOf({ context, settings, source }: Sheet): Promise<SheetInput> {
	const rows = [...withLetters(source.input.map(({ json }) => json))];
	const mapping = await mappingOf(context, rows.length);
	refuseIfAny([
		...(settings.returnRows ? overwrittenProblems(rows) : []),
		...typedHeaderProblems(mapping, headersIn(rows)),
	]);
	const isMapped = mapping.given.size > 0;
	const unreadable = unreadableFile(rows, { isMapped, said: settings.reading });
	if (unreadable) throw new Refused(unreadable);
	const zone = context.getTimezone();
	const isOfAgent = source.isGiven === true || isCalledByAgent(context);
	// The arguments of an agent's call are no columns.
	const hasNoColumns = isCalledByAgent(context) && !source.isGiven;
	const sheetSettings = {
		said: settings.reading,
		given: mapping.given,
		mapped: mapping.columns,
		defaults: settings,
		matchCustomersBy: settings.matchCustomersBy ?? ('idEmailOrName' as const),
		isFoundByNumber: needsNumberLookup(settings),
		without: hasNoColumns ? headersIn(rows) : returnedColumns(rows, settings.numberPrefix),
		billed: billedRows(rows, settings.numberPrefix),
		// What an agent enters is no sheet: the tool has told it the names.
		isEntered: isOfAgent,
		zone,
		today: todayIn(zone),
	};
	return { rows, sheetSettings };
}
