/**
 * What the TypeScript compiler does not do for the package: output schemas from the contract, small icons,
 * nothing in dist that is not shipped, and a check that n8n will find everything (one wrong path makes it drop the package).
 */
const fs = require('node:fs');
const { builtinModules } = require('node:module');
const path = require('node:path');
const { dest, series, src } = require('gulp');
const { Transform } = require('node:stream');
const { optimize } = require('svgo');
const manifest = require('./package.json');
// The contract is TypeScript.
require('tsx/cjs');

const dist = path.join(__dirname, 'dist');
const shipped = [/^credentials\//, /^icons\//, /^nodes\//, /^(index\.js|index\.d\.ts)$/];

/** Every file below a folder, relative to dist, with forward slashes. */
function filesIn(folder) {
	return fs
		.readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(dist, path.join(entry.parentPath ?? entry.path, entry.name)))
		.map((file) => file.split(path.sep).join('/'));
}

/** Output previews that n8n's editor shows before the first run: __schema__/v<version of the node>/<resource>/<operation>.json, or v1.0.0.json. */
async function schemas() {
	const { outputSchemas, triggerOutputSchema } = require('./tools/commands/outputSchemas');
	const files = Object.entries(outputSchemas()).map(([name, schema]) => [
		`InvoicingPayments/__schema__/v1.0.0/${name}.json`,
		schema,
	]);
	files.push(['InvoicingPaymentsTrigger/__schema__/v1.0.0.json', triggerOutputSchema()]);
	for (const [name, schema] of files) {
		const file = path.join(dist, 'nodes', name);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
	}
}

function icons() {
	const shrink = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const { data } = optimize(file.contents.toString(), { multipass: true });
			file.contents = Buffer.from(data);
			done(null, file);
		},
	});
	return src('icons/*.svg').pipe(shrink).pipe(dest('dist/icons'));
}

/** The build copies every image of the project and whatever else the compiler finds. */
async function tidy() {
	for (const file of filesIn(dist)) {
		if (!shipped.some((pattern) => pattern.test(file))) fs.rmSync(path.join(dist, file));
	}
	for (const entry of fs.readdirSync(dist, { withFileTypes: true })) {
		const folder = path.join(dist, entry.name);
		if (entry.isDirectory() && filesIn(folder).length === 0) fs.rmSync(folder, { recursive: true });
	}
}

/** Throws an Error that lists everything in dist that n8n would stumble on. */
async function verify() {
	const problems = [];
	const files = new Set(filesIn(dist));
	const need = (file, why) => files.has(file) || problems.push(`${file} is missing (${why})`);

	for (const entry of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		const file = entry.replace(/^dist\//, '');
		need(file, 'named in package.json');
		if (!files.has(file)) continue;
		const className = path.basename(file).split('.')[0];
		const Class = require(path.join(dist, file))[className];
		if (typeof Class !== 'function') problems.push(`${file} does not export ${className}`);
		else checkIcons(new Class(), file, need);
		if (file.endsWith('.node.js')) need(file.replace(/js$/, 'json'), 'categories and aliases');
	}
	for (const file of files) {
		if (/\.js$/.test(file)) problems.push(...foreignImports(file));
		if (/\.test\.|\.map$|__tests__/.test(file))
			problems.push(`${file} does not belong in a package`);
	}
	if (problems.length) throw new Error(`dist is not fit to ship:\n  ${problems.join('\n  ')}`);
}

function checkIcons(instance, file, need) {
	const icon = instance.icon ?? instance.description.icon;
	for (const theme of ['light', 'dark']) {
		const target = path.posix.join(path.posix.dirname(file), icon[theme].replace('file:', ''));
		need(target, `${theme} icon of ${file}`);
	}
}

/** A package has no runtime dependency but n8n's own n8n-workflow, and node:crypto, which n8n's rules allow. */
function foreignImports(file) {
	const code = fs.readFileSync(path.join(dist, file), 'utf8');
	return [...code.matchAll(/\brequire\(["']([^"']+)["']\)/g)]
		.map(([, name]) => name)
		.filter((name) => !['n8n-workflow', 'node:crypto'].includes(name) && !name.startsWith('.'))
		.map(
			(name) => `${file} needs ${builtinModules.includes(name) ? 'the Node built-in ' : ''}${name}`,
		);
}

/** Notes when dist was built, for commands that build only after a change (tools/commands/run.mjs). */
async function mark() {
	const kept = path.join(__dirname, 'node_modules', '.cache', 'kept');
	fs.mkdirSync(kept, { recursive: true });
	fs.writeFileSync(path.join(kept, 'built'), '');
}

exports.schemas = schemas;
exports.icons = icons;
exports.tidy = tidy;
exports.verify = verify;
exports.mark = mark;
exports.default = series(schemas, icons, tidy, verify, mark);
