/**
 * n8n's rules for community nodes, also as n8n's package scanner applies them (without comments that disable rules), regular
 * expressions in linear time, Prettier, types, and circular imports. `--fix` repairs what it can.
 */
import { spawnSync } from 'node:child_process';

const bin = (name) => `node_modules/.bin/${name}`;
const rooms = ['nodes', 'contract', 'credentials', 'simulator', 'test', 'tools'];
const checks = process.argv.includes('--fix')
	? [
			['n8n-node', 'lint', '--fix'],
			['prettier', '--write', '.', '--log-level', 'warn'],
		]
	: [
			['n8n-node', 'lint'],
			['eslint', '--no-inline-config', 'nodes', 'credentials', 'package.json'],
			[
				'eslint',
				'--no-inline-config',
				'--config',
				'tools/commands/regexp.eslint.mjs',
				'nodes',
				'credentials',
			],
			['prettier', '--check', '.', '--log-level', 'warn'],
			['tsc', '-p', 'tsconfig.dev.json'],
			[
				...['madge', '--circular', '--no-spinner', '--extensions', 'ts'],
				...['--ts-config', 'tsconfig.json', ...rooms],
			],
		];

for (const [name, ...args] of checks) {
	const shell = process.platform === 'win32';
	const { status } = spawnSync(bin(name), args, { stdio: 'inherit', shell });
	if (status !== 0) process.exitCode = 1;
}
