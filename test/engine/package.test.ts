import { PackageDirectoryLoader } from 'n8n-core';
import { outputSchemas } from '../../contract/outputSchemas';
import { fs, path, projectFolder } from '../../scripts/node';

/** The built package, loaded as n8n loads it. */
const loader = new PackageDirectoryLoader(projectFolder);
beforeAll(async () => await loader.loadAll());

test('n8n finds the node, its icons, its categories, and the credential', () => {
	const [node] = loader.types.nodes;
	expect(loader.types.nodes.map(({ name }) => name)).toEqual(['invoicingPayments']);
	expect(node.iconUrl).toEqual({
		light: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.svg',
		dark: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.dark.svg',
	});
	expect(node.codex?.alias).toContain('invoice');
	expect(loader.types.credentials.map(({ name }) => name)).toEqual(['invoicingPaymentsApi']);
	expect(loader.known.credentials.invoicingPaymentsApi.supportedNodes).toEqual([
		'invoicingPayments',
	]);
});

test('every operation has its output schema beside the node', () => {
	const folder = path.join(projectFolder, 'dist/nodes/InvoicingPayments/__schema__/v1.0.0');
	for (const [name, schema] of Object.entries(outputSchemas())) {
		expect(JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'))).toEqual(schema);
	}
});
