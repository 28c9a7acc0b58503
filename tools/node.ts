/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals --
   The only door to Node for code that is never shipped (simulator, host, scripts, tests). The rules are for nodes that
   n8n loads, and the package verifies that nothing outside nodes/ and credentials/ reaches dist. */
import { execFile, spawn } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { Agent as HttpAgent, createServer, request as httpRequest } from 'node:http';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs, promisify } from 'node:util';

export { clearInterval, setInterval, setTimeout } from 'node:timers';
export { monitorEventLoopDelay } from 'node:perf_hooks';
export { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
export { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
export type { ChildProcess } from 'node:child_process';
export type { IncomingMessage, Server, ServerResponse } from 'node:http';
export type { Socket } from 'node:net';
export {
	createHash,
	createHmac,
	createServer,
	fs,
	HttpAgent,
	httpRequest,
	os,
	parseArgs,
	path,
	randomBytes,
	spawn,
};
export const execFileAsync = promisify(execFile);
export const nodeProcess = process;
/** Global objects, for programs that replace them. */
export const globals: {
	Date: DateConstructor;
	setTimeout: typeof setTimeout;
} = globalThis;
export const log = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The folder of package.json. */
export const projectFolder = path.resolve(__dirname, '..');

/** Files kept between commands. ESLint checks every other folder. */
export const keptFolder = path.join(projectFolder, 'node_modules', '.cache', 'kept');

export function isAlive(pid: number): boolean {
	if (!(pid > 0)) return false;
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Uses the npm that started this process, on every system, without a shell. */
export function npmCommand(args: string[]): [string, string[]] {
	const cli = process.env.npm_execpath;
	return cli ? [process.execPath, [cli, ...args]] : ['npm', args];
}
