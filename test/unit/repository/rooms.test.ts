import { fs, path, projectFolder } from '../../../tools/node';

/** Rooms of `nodes`, from top to bottom. A file imports from its own room and from those below. */
const rooms = [
	['InvoicingPayments/InvoicingPayments.node.ts', 'InvoicingPayments/methods'],
	['InvoicingPayments/actions'],
	['InvoicingPayments/fromRows/createFromRows.ts'],
	['InvoicingPayments/fromRows/checks.ts', 'InvoicingPayments/fromRows/input.ts'],
	['InvoicingPayments/fromRows/returnedRows'],
	['InvoicingPayments/fromRows/preview'],
	['InvoicingPayments/fromRows/run'],
	['InvoicingPayments/fromRows/lookUps'],
	['InvoicingPayments/fromRows/settings'],
	['InvoicingPayments/plan'],
	['InvoicingPayments/reading/otherReadings'],
	['InvoicingPayments/reading/readSheet.ts'],
	['InvoicingPayments/reading/text'],
	['InvoicingPayments/reading/verdict'],
	['InvoicingPayments/reading/findings'],
	['InvoicingPayments/reading/invoices'],
	['InvoicingPayments/reading/rows'],
	['InvoicingPayments/reading/columns'],
	['InvoicingPayments/reading/table'],
	['InvoicingPayments/reading/cells'],
	['InvoicingPayments/reading/statements'],
	['InvoicingPayments/reading/words'],
	['InvoicingPayments/invoices'],
	['InvoicingPayments/execution'],
	['InvoicingPaymentsTrigger/state'],
	['InvoicingPaymentsTrigger/watch'],
	['shared/methods', 'shared/descriptions'],
	['shared/output'],
	['shared/customers'],
	['shared/errors'],
	['shared/pagination'],
	['shared/transport'],
	['shared/secrets'],
	['shared/fields'],
	['shared'],
];
const folder = path.join(projectFolder, 'nodes');
const files = fs
	.readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.map((file) => file.split(path.sep).join('/'))
	.filter((file) => file.endsWith('.ts'));
const rankOf = (file: string) => {
	const rank = rooms.findIndex((names) =>
		names.some((name) => file === name || file.startsWith(`${name}/`)),
	);
	// The trigger's own files are above its rooms.
	return rank < 0 ? 0 : rank;
};
/** The file of a path in an import: `../columns` is the entry file of that folder. */
function fileOf(target: string): string {
	const [file, entry] = [`${target}.ts`, `${target}/index.ts`];
	return files.includes(file) ? file : entry;
}
const imports = files.flatMap((file) => {
	const text = fs.readFileSync(path.join(folder, file), 'utf8');
	return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => ({
		from: file,
		to: fileOf(path.posix.join(path.posix.dirname(file), target)),
	}));
});
const named = (all: typeof imports) => all.map(({ from, to }) => `${from} > ${to}`);

test('imports go one way, from room to room', () => {
	expect(imports.length).toBeGreaterThan(300);
	const upwards = imports.filter(({ from, to }) => rankOf(to) < rankOf(from));
	expect(named(upwards)).toEqual([]);
});

/** `reading/rows` of a file in it, `undefined` outside of the rooms of these two engines. */
const roomOf = (file: string) =>
	/^InvoicingPayments\/((?:reading|fromRows)\/[^/]+)\//.exec(file)?.[1];

test('the rooms of reading and fromRows are used by their entry files alone', () => {
	const inside = imports.filter(({ from, to }) => {
		const room = roomOf(to);
		return room !== undefined && room !== roomOf(from) && !to.endsWith('/index.ts');
	});
	expect(named(inside)).toEqual([]);
});

test('the two nodes import nothing of each other', () => {
	const nodeOf = (file: string) => file.split('/')[0];
	const across = imports.filter(
		({ from, to }) => nodeOf(to) !== 'shared' && nodeOf(from) !== nodeOf(to),
	);
	expect(named(across)).toEqual([]);
});

test.each([
	["the trigger's search", 'InvoicingPaymentsTrigger/watch/'],
	['the engine that reads sheets', 'InvoicingPayments/reading/'],
])('%s knows nothing of n8n', (_what, room) => {
	const own = files.filter((file) => file.startsWith(room));
	expect(own.length).toBeGreaterThan(5);
	const texts = own.map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
	expect(texts.filter((text) => text.includes("from 'n8n-workflow'"))).toEqual([]);
});
