/** All times are milliseconds since 1970 on n8n's clock. */

/** An item that must, or may, start a trigger's workflow. */
export interface Duty {
	trigger: string;
	id: string;
	must: boolean;
	/** The first few times that the service listed it for the trigger. */
	shownAt: readonly number[];
}

/** An item that started a workflow. */
export interface Start {
	trigger: string;
	id: string;
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
