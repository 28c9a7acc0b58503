import { fs, path, projectFolder } from '../../tools/node';

/** Rooms of `nodes`, from top to bottom. A file imports from its own room and from those below. */
const rooms = [
	['InvoicingPayments/InvoicingPayments.node.ts', 'InvoicingPayments/methods'],
	['InvoicingPayments/actions'],
	['InvoicingPayments/fromRows'],
	['InvoicingPayments/reading'],
	['InvoicingPayments/plan'],
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
const imports = files.flatMap((file) => {
	const text = fs.readFileSync(path.join(folder, file), 'utf8');
	return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => ({
		from: file,
		to: path.posix.join(path.posix.dirname(file), target).replace(/(?:\.ts)?$/, '.ts'),
	}));
});
const named = (all: typeof imports) => all.map(({ from, to }) => `${from} > ${to}`);

test('imports go one way, from room to room', () => {
	expect(imports.length).toBeGreaterThan(300);
	const upwards = imports.filter(({ from, to }) => rankOf(to) < rankOf(from));
	expect(named(upwards)).toEqual([]);
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
