import fc from 'fast-check';
import { anyHistory } from '../helpers/anyHistory';
import { liveThrough } from '../helpers/chargeHistory';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const histories = Number(process.env.HISTORIES ?? (process.env.CI ? 10_000 : 1000));

test(`whatever happens, every charge comes once (${histories} histories, SEED=${seed})`, async () => {
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => await liveThrough(history)),
		{ numRuns: histories, seed },
	);
}, 1_200_000);
