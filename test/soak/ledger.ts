/** Something that a trigger has to start its workflow with, or may. All times are milliseconds since 1970 by n8n's clock. */
export interface Duty {
	trigger: string;
	id: string;
	must: boolean;
	/** When the service showed it to the trigger first, a few times. */
	shownAt: readonly number[];
}

/** Something that started a workflow. */
export interface Start {
	trigger: string;
	id: string;
	at: number;
}

/** What may come between n8n's two steps, saving the trigger's position and starting the execution (docs/trigger.md). */
export interface Interruption {
	kind: 'n8n killed' | 'n8n stopped' | 'workflow deactivated' | 'workflow published';
	triggers: readonly string[];
	from: number;
	to: number;
}

export interface Balance {
	/** How much came, each counted once. */
	came: number;
	/** How often an exception of the documentation was used, by what was done. */
	excused: Record<string, number>;
	lost: string[];
	twice: string[];
	strange: string[];
}

/**
 * Settles what came against what had to come: each once. Lost or twice is what no interruption excuses, and only the last poll
 * before it can be excused: the one whose charges were shown, or came, at most `window` milliseconds before.
 */
export function settle(
	duties: readonly Duty[],
	starts: readonly Start[],
	interruptions: readonly Interruption[],
	window: number,
): Balance {
	const balance: Balance = { came: 0, excused: {}, lost: [], twice: [], strange: [] };
	const keyOf = ({ trigger, id }: { trigger: string; id: string }) => `${trigger} ${id}`;
	const came = new Map<string, number[]>();
	for (const start of starts) {
		const times = came.get(keyOf(start)) ?? [];
		came.set(
			keyOf(start),
			[...times, start.at].sort((a, b) => a - b),
		);
	}
	const excuse = (what: 'lost' | 'twice', trigger: string, times: readonly number[]): boolean => {
		const found = interruptions.find(
			({ triggers, from, to }) =>
				triggers.includes(trigger) && times.some((at) => at >= from - window && at <= to),
		);
		if (!found) return false;
		const name = `${found.kind}: ${what}`;
		balance.excused[name] = (balance.excused[name] ?? 0) + 1;
		return true;
	};
	const known = new Set<string>();
	for (const duty of duties) {
		const key = keyOf(duty);
		if (known.has(key)) throw new Error(`In the ledger twice: ${key}`);
		known.add(key);
		const times = came.get(key) ?? [];
		if (times.length > 0) balance.came += 1;
		else if (duty.must && !excuse('lost', duty.trigger, duty.shownAt)) balance.lost.push(key);
		for (const before of times.slice(0, -1)) {
			if (!excuse('twice', duty.trigger, [before])) balance.twice.push(key);
		}
	}
	for (const key of came.keys()) if (!known.has(key)) balance.strange.push(key);
	return balance;
}

/** The invoice numbers that the service holds more than once, and those that it lacks. */
export function settleNumbers(wanted: readonly string[], held: readonly string[]) {
	const counts = new Map<string, number>();
	for (const number of held) counts.set(number, (counts.get(number) ?? 0) + 1);
	return {
		lost: wanted.filter((number) => !counts.has(number)),
		twice: [...counts].filter(([, count]) => count > 1).map(([number]) => number),
	};
}
