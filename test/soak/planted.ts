import type { SoakResult } from './live';
import { settleSoak } from './live';
import { standard } from '../helpers/engines';
import { Soak } from './soak';

/**
 * A short run in which things really go wrong: the service takes back a charge before anyone has seen it, n8n gets back what a
 * trigger remembered earlier (as from a backup), and an invoice of a sheet is made once more. Gives what the accounts say.
 */
export async function liveThroughPlanted(
	seed: number,
	log: (line: string) => void,
): Promise<SoakResult> {
	const soak = new Soak({ seed, env: standard.env, log });
	try {
		await soak.open();
		const { happenings, world, database } = soak;
		const came = async () => {
			const missing = await soak.settled(120_000);
			if (missing.length) throw new Error(`Did not come: ${missing.join(', ')}`);
		};
		happenings.pay(3);
		await came();
		await soak.sheet();
		await soak.sheetsEnded();
		await soak.lastSheet();
		await came();
		const read = 'SELECT id, staticData FROM workflow_entity WHERE staticData IS NOT NULL';
		const before = await database.all<{ id: string; staticData: string }>(read);
		happenings.pay(3);
		await came();
		// What came right before a stop is excused.
		await soak.afterPolls(2);
		await soak.restart(false, async () => {
			for (const { id, staticData } of before) {
				const text = staticData.replaceAll("'", "''");
				await database.all(`UPDATE workflow_entity SET staticData = '${text}' WHERE id = '${id}'`);
			}
		});
		const [lost] = happenings.pay(1);
		world.account.removeCharge(lost);
		world.account.addInvoice({ invoice_number: 'S-0' }, soak.clock.now());
		await soak.afterPolls(4);
		await soak.settled(5000);
		return await settleSoak(soak, standard);
	} finally {
		await soak.close(false);
	}
}
