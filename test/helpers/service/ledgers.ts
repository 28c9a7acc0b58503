/** Compares the contents of the service with those of n8n. All functions are pure. */

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

/** An item that must, or may, start a trigger's workflow. */
export interface Duty {
	trigger: string;
	id: string;
	must: boolean;
	/** The first few times that the service listed it for the trigger, in milliseconds since 1970 on n8n's clock. */
	shownAt: readonly number[];
}

/** An item that started a workflow. */
export interface Start {
	trigger: string;
	id: string;
	/** Milliseconds since 1970 on n8n's clock. */
	at: number;
}

/** Interrupts n8n between saving the trigger's position and starting the execution (docs/trigger.md). */
export interface Interruption {
	kind: 'n8n killed' | 'n8n stopped' | 'workflow deactivated' | 'workflow published';
	triggers: readonly string[];
	from: number;
	to: number;
}

export interface Balance {
	/** Number of different items that came. */
	came: number;
	/** Documented exceptions, by kind of interruption. */
	excused: Record<string, number>;
	lost: string[];
	twice: string[];
	strange: string[];
}

export const keyOf = ({ trigger, id }: { trigger: string; id: string }) => `${trigger} ${id}`;

/** Adds one to the count of a name. */
export const count = (counts: Record<string, number>, name: string): void => {
	counts[name] = (counts[name] ?? 0) + 1;
};

/**
 * Compares the starts with the duties: each exactly once. An interruption only excuses items that were listed, or came, at most
 * `window` milliseconds before.
 */
export function settle(
	duties: readonly Duty[],
	starts: readonly Start[],
	interruptions: readonly Interruption[],
	window: number,
): Balance {
	const balance: Balance = { came: 0, excused: {}, lost: [], twice: [], strange: [] };
	const isExcused = (what: 'lost' | 'twice', trigger: string, times: readonly number[]) => {
		const found = interruptions.find(
			({ triggers, from, to }) =>
				triggers.includes(trigger) && times.some((at) => at >= from - window && at <= to),
		);
		if (found) count(balance.excused, `${found.kind}: ${what}`);
		return found !== undefined;
	};
	const came = new Map<string, number[]>();
	for (const start of [...starts].sort((a, b) => a.at - b.at))
		came.set(keyOf(start), [...(came.get(keyOf(start)) ?? []), start.at]);
	const known = new Set(duties.map(keyOf));
	if (known.size < duties.length) throw new Error('Something is in the ledger twice');
	for (const duty of duties) {
		const { trigger, must, shownAt } = duty;
		const key = keyOf(duty);
		const times = came.get(key) ?? [];
		if (times.length > 0) balance.came += 1;
		else if (must && !isExcused('lost', trigger, shownAt)) balance.lost.push(key);
		for (const before of times.slice(0, -1))
			if (!isExcused('twice', trigger, [before])) balance.twice.push(key);
	}
	balance.strange.push(...[...came.keys()].filter((key) => !known.has(key)));
	return balance;
}
