/** Rows for `test.each`, an input and its outcome, of groups that name one outcome first, then all inputs that have it. */
export const casesOf = <Outcome, Input = unknown>(
	...groups: Array<[outcome: Outcome, ...inputs: Input[]]>
) =>
	groups.flatMap(([outcome, ...inputs]) =>
		inputs.map((input): [input: Input, outcome: Outcome] => [input, outcome]),
	);

/** A problem that says these words, in this order. */
export const problem = (...words: string[]): unknown =>
	expect.stringMatching(words.map((one) => one.replace(/[.()|+*?$]/g, '\\$&')).join('.*'));
