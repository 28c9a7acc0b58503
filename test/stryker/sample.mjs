import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** About one in so many mutants is tried. */
const oneIn = Number(process.env.STRYKER_ONE_IN ?? 40);

/**
 * Lets through a fixed sample of the mutants, and calls the others compile errors, which count for nothing. What decides is a hash
 * of the file's name, the mutated text and what stands in its place, so that the sample stays the same when lines move.
 */
class SampleChecker {
	#sources = new Map();

	async init() {}

	async check(mutants) {
		return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#verdictOn(mutant)]));
	}

	#verdictOn({ fileName, location, mutatorName, replacement }) {
		const text = this.#textOf(fileName, location).replace(/\s+/g, ' ');
		const key = [basename(fileName), mutatorName, text, replacement.replace(/\s+/g, ' ')].join(
			'\n',
		);
		const number = createHash('sha256').update(key).digest().readUInt32BE(0);
		return number % oneIn === 0
			? { status: 'passed' }
			: { status: 'compileError', reason: 'not in the sample' };
	}

	#textOf(fileName, { start, end }) {
		const lines = this.#sources.get(fileName) ?? readFileSync(fileName, 'utf8').split('\n');
		this.#sources.set(fileName, lines);
		const some = lines.slice(start.line, end.line + 1);
		some[some.length - 1] = some[some.length - 1].slice(0, end.column);
		some[0] = some[0].slice(start.column);
		return some.join('\n');
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
