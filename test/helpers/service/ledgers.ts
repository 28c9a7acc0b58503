/** Compares the contents of the service with those of n8n. All functions are pure and return descriptions of problems. */

/** An execution of the trigger with the IDs of its readable charges. */
export interface ChargeExecution {
	id: string;
	charges: string[];
}

function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values)
		groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
	return groups;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The charges that the trigger handed over, according to n8n's log. */
export function handedOver(log: string): Set<string> {
	const lines = log.split('\n').filter((line) => / New Charge, \d+ handed over/.test(line));
	const ids = lines.flatMap((line) => line.slice(line.indexOf(', IDs ')).match(uuid) ?? []);
	return new Set(ids);
}

/** Each `paid` charge must be in exactly one execution, or else in n8n's log (`named`). */
export function chargeProblems(
	paid: string[],
	executions: ChargeExecution[],
	named: ReadonlySet<string>,
): string[] {
	const given = executions.flatMap(({ id, charges }) => charges.map((charge) => ({ id, charge })));
	const found = groupBy(given, ({ charge }) => charge);
	const missing = paid.filter((charge) => !found.has(charge) && !named.has(charge));
	const several = [...found].filter(([, runs]) => runs.length > 1);
	const strange = [...found.keys()].filter((charge) => !paid.includes(charge));
	return [
		...missing.map((id) => `Charge ${id} is in no readable execution, and not in the log`),
		...several.map(
			([charge, runs]) =>
				`Charge ${charge} came twice: in ${runs.map(({ id }) => id).join(' and ')}`,
		),
		...strange.map((charge) => `Charge ${charge} came and was never paid`),
	];
}

/** Each wanted invoice number must be created exactly once, and no other. */
export function invoiceProblems(wanted: string[], created: string[]): string[] {
	const found = groupBy(created, (number) => number);
	const missing = wanted.filter((number) => !found.has(number));
	const several = [...found].filter(([, { length }]) => length > 1);
	const strange = [...found.keys()].filter((number) => !wanted.includes(number));
	return [
		...missing.map((number) => `Invoice ${number} was not created`),
		...several.map(([number, { length }]) => `Invoice ${number} was created ${length} times`),
		...strange.map((number) => `Invoice ${number} was created and is in no sheet`),
	];
}

/** An invoice in the service. */
export interface CreatedInvoice {
	id: string;
	number: string;
}

/** An invoice in the node's output. */
export interface NamedInvoice {
	outcome?: string;
	id: string;
	invoice_number: string;
	/** The IDs of all invoices with this number, if there are several. The first is to be kept. */
	duplicates?: string[];
	/** The ID of the invoice to keep, if this is a duplicate. */
	duplicateOf?: string;
}

/** The invoices of each number that exists more than once. */
export function doublesOf(created: CreatedInvoice[]): Map<string, CreatedInvoice[]> {
	return new Map(
		[...groupBy(created, ({ number }) => number)].filter(([, invoices]) => invoices.length > 1),
	);
}

/**
 * If a number has several invoices, a result must list them all, the one to keep first. All such results must keep the same one, and
 * the others must say that they are its duplicates. A unique number must not be reported.
 */
export function doubleProblems(created: CreatedInvoice[], results: NamedInvoice[]): string[] {
	const doubles = doublesOf(created);
	const problems: string[] = [];
	for (const [number, invoices] of doubles) {
		const told = results.filter((result) => result.invoice_number === number);
		const namesAll = ({ duplicates = [] }: NamedInvoice) =>
			invoices.every(({ id }) => duplicates.includes(id));
		const complete = told.filter(namesAll);
		if (complete.length === 0) {
			problems.push(`${number} has ${invoices.length} invoices, and no result names them all`);
			continue;
		}
		const kept = new Set(complete.map(({ duplicates = [] }) => duplicates[0]));
		if (kept.size > 1) problems.push(`${number}: ${[...kept].join(' and ')} are both to be kept`);
		for (const { id, duplicates: [first] = [], duplicateOf } of complete) {
			if (duplicateOf !== (id === first ? undefined : first))
				problems.push(`${number}: ${id} is named as a duplicate of ${duplicateOf}`);
		}
	}
	for (const { invoice_number: number, duplicates, duplicateOf } of results) {
		if ((duplicates ?? duplicateOf) !== undefined && !doubles.has(number))
			problems.push(`${number} is told to exist twice, and does not`);
	}
	return problems;
}
