import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { turns } from '../../../shared/clock';
import { CustomerIndex } from '../../../shared/customers/customerIndex';
import type { Directory } from '../../../shared/customers/directory';
import { openDirectory, searchDirectory } from '../../../shared/customers/directory';
import { customerNotFound } from '../../../shared/customers/findCustomer';
import { toNodeError } from '../../../shared/errors/nodeErrors';
import { policyOf } from '../../execution/operation';
import type { OtherReading } from '../../reading/otherReadings';
import { otherReadings } from '../../reading/otherReadings';
import type { Draft } from '../../reading/invoices';
import type { SheetReading, SheetSettings } from '../../reading/readSheet';
import { openSheet } from '../../reading/columns';
import { readSheet } from '../../reading/readSheet';
import type { Steps } from '../../../shared/steps';
import type { Failure } from '../../../shared/transport/failure';
import type { RowSettings, Sheet } from '../settings';

const otherFixes =
	"Correct the cell, or enter the customer's ID, which the service shows. Or set 'Customer List' under Options to items with the IDs of your customers";

/** A sheet that was read, and how to find its other readings. */
export interface ReadSheet {
	reading: SheetReading;
	otherReadings(): Promise<OtherReading[]>;
}

/**
 * Reads the sheet, and searches the service for customers only if a row needs it. Known customers decide which column says who pays, and that
 * decides what is left for the other fields: so each time that more of them are known, the sheet is read again from its columns on. Throws a
 * NodeApiError if that fails.
 */
export async function readWithCustomers(
	{ context, settings }: Sheet,
	{ rows, sheetSettings }: { rows: IDataObject[]; sheetSettings: SheetSettings },
): Promise<ReadSheet> {
	const sheet = await inSteps(context, openSheet(rows, sheetSettings));
	const own = new CustomerIndex(settings.customerList ?? []);
	const read = async (directory?: Directory): Promise<ReadSheet> => {
		const ofService = directory && new CustomerIndex(directory.customers);
		const notFound = (text: string) =>
			`${customerNotFound(text, ofService ?? own, directory)} ${otherFixes}`;
		const known = { own, ofService, notFound };
		const reading = await inSteps(context, readSheet(sheet, sheetSettings, known));
		return {
			reading,
			otherReadings: async () =>
				await inSteps(context, otherReadings(reading, sheetSettings, known)),
		};
	};
	const first = await read();
	const { needsDirectory, mayHaveCustomers } = first.reading;
	if (!needsDirectory && !mayHaveCustomers) return first;
	let last = first;
	const failure = await searchCustomers(context, settings, async (directory) => {
		last = await read(directory);
		return !last.reading.needsDirectory;
	});
	if (failure && needsDirectory) throw toNodeError(context.getNode(), failure);
	return failure ? first : last;
}

/**
 * Names of the customers of whom a row or a default has only the ID, by which nobody recognizes them. By ID in lower case. Empty if the
 * service does not answer: a preview can do without.
 */
export async function namesOfIds(
	context: IExecuteFunctions,
	settings: RowSettings,
	drafts: readonly Draft[],
): Promise<Map<string, string>> {
	const found = new Map<string, string>();
	const wanted = drafts.flatMap(({ match, body }) =>
		match || body.customer === undefined ? [] : [String(body.customer).toLowerCase()],
	);
	const addAll = (customers: Directory['customers']) => {
		for (const { id, names, emails } of customers) {
			const [name] = [...names, ...emails] as Array<string | undefined>;
			if (name !== undefined) found.set(id.toLowerCase(), name);
		}
		return wanted.every((id) => found.has(id));
	};
	if (!addAll(settings.customerList ?? []))
		await searchCustomers(context, settings, ({ customers }) => addAll(customers));
	return found;
}

/** Reads customers of the service until `isEnough` says so. */
async function searchCustomers(
	context: IExecuteFunctions,
	settings: RowSettings,
	isEnough: (directory: Directory) => boolean | Promise<boolean>,
): Promise<Failure | undefined> {
	const client = await openDirectory(context, context.getExecutionCancelSignal());
	if (!client.ok) return client.failure;
	const failed = await searchDirectory(client.value, policyOf(settings), isEnough);
	return failed?.failure;
}

/** Milliseconds. */
const longestStep = 25;

/** Lets other work run between the steps of the engine. */
async function inSteps<T>(context: IExecuteFunctions, steps: Steps<T>): Promise<T> {
	const turn = turns(longestStep);
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		if (!context.getExecutionCancelSignal()?.aborted) await turn();
	}
}
