/** Lets Node load what is in node_modules, instead of Jest (oneContext.cjs). */
module.exports = {
	process: (_source, file) => ({
		code: `module.exports = globalThis.requireFromHost(${JSON.stringify(file)});`,
	}),
	getCacheKey: (_source, file) => `host ${file}`,
};
