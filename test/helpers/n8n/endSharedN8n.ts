import { N8nApi } from '../../../tools/host/api';
import type { Searched } from '../../../tools/host/findSecrets';
import { describeFinding, searchExecutions } from '../../../tools/host/findSecrets';
import { plantedBy, searchedBefore, wantedIn } from '../../../tools/host/secretNotes';
import type { SharedN8n } from '../../../tools/host/sharedN8n';
import { endSharedN8n } from '../../../tools/host/sharedN8n';
import { keepResult } from '../../../tools/quality/results';
import { log } from '../../../tools/node';

const add = (all: Searched[]): Searched => ({
	findings: all.flatMap(({ findings }) => findings),
	bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
	files: all.reduce((sum, { files }) => sum + files, 0),
});

/**
 * Runs after all end-to-end tests. Searches their keys and card numbers in all data of n8n, while it runs (including its write-ahead log)
 * and after. Throws an Error that names what was found and where.
 */
export default async function afterAllFiles(): Promise<void> {
	const searched: Searched[] = [];
	const controls: Searched[] = [];
	let executions = 0;
	await endSharedN8n({
		before: async ({ root, userFolder, n8n }: SharedN8n) => {
			const finders = [wantedIn(root).finder, wantedIn(root, true).finder];
			const api = new N8nApi(n8n.url);
			await api.signIn();
			const [own, planted] = await searchExecutions(api, finders);
			({ executions } = own);
			searched.push(own, finders[0].searchFolder(userFolder));
			controls.push(planted, finders[1].searchFolder(userFolder));
		},
		after: async ({ root, userFolder, filesFolder }: SharedN8n) => {
			const wanted = wantedIn(root);
			searched.push(
				wanted.finder.searchFolder(userFolder),
				wanted.finder.searchFolder(filesFolder),
			);
			const before = searchedBefore(root);
			const all = add([...searched, before.searched]);
			const places = [
				...new Set(
					add(controls).findings.map(
						({ secret, place }) =>
							`${secret.replace(/ \d.*/, '')} in ${place.replace(/execution \d+/, 'an execution')}`,
					),
				),
			];
			const by = [...new Set(plantedBy(root))];
			log(
				`Secrets: ${wanted.keys} keys and ${wanted.cards} card numbers were looked for in ${all.files} files, ${executions} executions, ${Math.round(all.bytes / 1e6)} MB: ${all.findings.length} found. Written on purpose: ${places.join(', ') || 'none'}`,
			);
			if (all.findings.length)
				throw new Error(
					`Secrets were found:\n${[...new Set(all.findings.map(describeFinding))].slice(0, 40).join('\n')}`,
				);
			// Some tests alone may write nothing.
			const isWritten = wantedIn(root, true).keys > 0;
			if (isWritten && !places.some((place) => place.includes('planted.log')))
				throw new Error(`What was written on purpose was not found: ${places.join(', ')}`);
			keepResult('secrets', {
				command: 'npm run nightly -- e2e',
				figures: {
					'API keys looked for, each in about 40 forms': wanted.keys,
					'card numbers looked for': wanted.cards,
					'executions, decoded': executions,
					'files of n8n (database, log, settings, static data)': all.files,
					megabytes: Math.round(all.bytes / 1e6),
					'folders of n8ns of their own': before.folders,
					'secrets found': all.findings.length,
				},
				planted: places.map((place) => ({
					fault: `a secret that a test writes on purpose (${by.join('; ')})`,
					caught: place,
				})),
			});
		},
	});
}
