const { createTransformer } = require('ts-jest').default;

/**
 * Evaluates the modules of the project once for all test files of a process, so that V8 does not compile and optimize them anew for
 * each. Jest alone would give each test file its own. Their memory is kept too: tests have their own accounts and workflows.
 * `jest.isolateModules` gives others only after `globalThis.keptModules` is emptied.
 */
const typescript = createTransformer({ tsconfig: 'tsconfig.jest.json' });
const strict = '"use strict";';
/** Begins each module. In the same line, so that stacks name the right ones. */
const lookUp = `${strict}const kept=globalThis.keptModules??=new Map();if(kept.has(__filename)){module.exports=kept.get(__filename);return;}kept.set(__filename,exports);`;

module.exports = {
	process(source, file, options) {
		const { code, map } = typescript.process(source, file, options);
		return { code: code.replace(strict, lookUp), map };
	},
	getCacheKey: (...given) => `${lookUp} ${typescript.getCacheKey(...given)}`,
};
