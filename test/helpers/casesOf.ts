/** Rows of input and outcome for `test.each`. Each group is an outcome, then all inputs that have it. */
export const casesOf = <Outcome, Input = unknown>(
	...groups: Array<[outcome: Outcome, ...inputs: Input[]]>
) =>
	groups.flatMap(([outcome, ...inputs]) =>
		inputs.map((input): [input: Input, outcome: Outcome] => [input, outcome]),
	);

/** Matches a problem that contains these words, in this order. */
export const problem = (...words: string[]): unknown =>
	expect.stringMatching(words.map((one) => one.replace(/[.()|+*?$]/g, '\\$&')).join('.*'));
