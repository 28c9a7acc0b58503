import { fs, nodeProcess, path, projectFolder } from '../node';

const pinned = path.join(projectFolder, 'tools', 'host', 'pinned');

/** The version that runs unless another one is asked for: the one that the package is built with. */
export const usualVersion = '2.41.1';

/** What asks for another version. */
export const versionVariable = 'N8N_HOST_VERSION';

/** The versions of n8n that can be run, oldest first. */
export function pinnedVersions(): string[] {
	const byNumber = new Intl.Collator('en', { numeric: true });
	return fs.readdirSync(pinned).sort(byNumber.compare);
}

/** The folder with the packages of a version of n8n, held by a lock. Throws an Error that lists the versions there are. */
export function pinnedFolder(version: string): string {
	const known = pinnedVersions();
	if (known.includes(version)) return path.join(pinned, version);
	throw new Error(`n8n ${version} is not one of the versions that can be run: ${known.join(', ')}`);
}

/** The version of n8n that this process and those that it starts run. */
export const chosenVersion = (): string => nodeProcess.env[versionVariable] || usualVersion;

/** Whether that is n8n 1, for tests of what only n8n 2 has. */
export const runsN8n1 = (): boolean => chosenVersion().startsWith('1.');
