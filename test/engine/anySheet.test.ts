import fc from 'fast-check';
import { nodeProcess } from '../../tools/node';
import type { Sheet } from '../helpers/anySheet';
import { anySheet, today } from '../helpers/anySheet';
import { passTime } from '../helpers/clock';
import { executeNode } from '../helpers/engine';
import type { Outcome } from '../helpers/anySheet/judge';
import { describeSheet, faultIn, outcomeOf } from '../helpers/anySheet/judge';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const { env } = nodeProcess;
const count = Number(env.SHEETS ?? 200);
// The same sheets each time; the nightly run draws others.
const seed = Number(env.SEED ?? 2026);

// Half an hour before midnight in UTC: in the zone of the workflow it is the next day already.
beforeEach(() => passTime(Date.parse(today) - 1_800_000 - Date.now()));

/**
 * What the node would create of the sheet. Its `execute` runs in n8n-core's own context, with the real description, defaults and
 * expressions, but without a workflow's execution around it, so that ten thousand sheets take seconds; the service is asked for
 * customers only, and knows none.
 */
async function validate({ parameters, rows, continues }: Sheet): Promise<Outcome> {
	try {
		const json = await executeNode({
			credential: service.credential,
			parameters,
			items: rows,
			timezone: 'Europe/Stockholm',
			...(continues && { node: { onError: 'continueRegularOutput' as const } }),
		});
		return outcomeOf(json);
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		return { invoices: [], error: [message, description].filter(Boolean).join(' / ') };
	}
}

test(`[R1, S1] a sheet bills what it says or stops (${count} sheets, seed ${seed})`, async () => {
	service.world.reset({ invoices: 0 });
	const seen = { billed: 0, refused: 0 };
	const details = await fc.check(
		fc.asyncProperty(anySheet, async (sheet) => {
			const outcome = await validate(sheet);
			seen[outcome.error === undefined ? 'billed' : 'refused'] += 1;
			const fault = faultIn(sheet, outcome);
			if (fault) throw new Error(`${fault}\n${describeSheet(sheet, outcome)}`);
		}),
		{ numRuns: count, seed },
	);
	if (details.failed) {
		const { numRuns, numShrinks, counterexamplePath } = details;
		const cause = details.errorInstance as Error;
		throw new Error(
			`${cause.message}\n(Sheet ${numRuns} of seed ${seed}, ${numShrinks} times simplified, path ${counterexamplePath})`,
		);
	}
	expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	// A node that refuses everything would be right, and of no use; one that bills everything would not be tested.
	expect(seen.billed).toBeGreaterThan(count / 3);
	expect(seen.refused).toBeGreaterThan(count / 5);
}, 600_000);
