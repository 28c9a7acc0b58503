import { fs, nodeProcess, path, projectFolder } from '../node';

const pinned = path.join(projectFolder, 'tools', 'host', 'pinned');

/** The version that the package is built with. */
export const defaultVersion = '2.41.1';

/** Selects another version. */
export const versionVariable = 'N8N_HOST_VERSION';

/** Oldest first. */
export function pinnedVersions(): string[] {
	const byNumber = new Intl.Collator('en', { numeric: true });
	return fs.readdirSync(pinned).sort(byNumber.compare);
}

/** Contains the lockfile. Throws an Error that lists the known versions. */
export function pinnedFolder(version: string): string {
	const known = pinnedVersions();
	if (known.includes(version)) return path.join(pinned, version);
	throw new Error(`n8n ${version} is not one of the versions that can be run: ${known.join(', ')}`);
}

export const chosenVersion = (): string => nodeProcess.env[versionVariable] || defaultVersion;

/** For tests of features that only n8n 2 has. */
export const runsN8n1 = (): boolean => chosenVersion().startsWith('1.');
