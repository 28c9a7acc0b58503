import { PackageDirectoryLoader } from 'n8n-core';
import { outputSchemas, triggerOutputSchema } from '../../tools/commands/outputSchemas';
import { fs, path, projectFolder } from '../../tools/node';

/** The built package, loaded as n8n loads it. */
const loader = new PackageDirectoryLoader(projectFolder);
beforeAll(async () => await loader.loadAll());

test('n8n finds the nodes, their icons, their categories, and the credential', () => {
	const { nodes } = loader.types;
	expect(nodes.map(({ name }) => name)).toEqual(['invoicingPayments', 'invoicingPaymentsTrigger']);
	for (const { iconUrl } of nodes) {
		expect(iconUrl).toEqual({
			light: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.svg',
			dark: 'icons/n8n-nodes-invoicing-payments/dist/icons/invoicingPayments.dark.svg',
		});
	}
	expect(nodes[0].codex?.alias).toContain('invoice');
	expect(nodes[1].codex?.alias).toContain('payment received');
	expect(loader.types.credentials.map(({ name }) => name)).toEqual(['invoicingPaymentsApi']);
	expect(loader.known.credentials.invoicingPaymentsApi.supportedNodes).toEqual([
		'invoicingPayments',
		'invoicingPaymentsTrigger',
	]);
});

test('the output schema of every operation is in the package', () => {
	const folder = path.join(projectFolder, 'dist/nodes/InvoicingPayments/__schema__/v1.0.0');
	const trigger = 'dist/nodes/InvoicingPaymentsTrigger/__schema__/v1.0.0.json';
	const text = fs.readFileSync(path.join(projectFolder, trigger), 'utf8');
	expect(JSON.parse(text)).toEqual(triggerOutputSchema());
	for (const [name, schema] of Object.entries(outputSchemas())) {
		expect(JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'))).toEqual(schema);
	}
});
