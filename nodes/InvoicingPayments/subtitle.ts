import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The expression for what a node on the canvas says below its name, in the words of its panel: "Get Many: Charge". */
export function subtitleOf(resource: INodeProperties, properties: INodeProperties[]): string {
	const operations = properties.filter(({ name }) => name === 'operation');
	const operation = `(${namesOf(operations)})[$parameter["operation"]] ?? $parameter["operation"]`;
	return `={{ (${operation}) + ": " + (${namesOf([resource])})[$parameter["resource"]] }}`;
}

/** The names of options by their values, as JSON. */
function namesOf(selectors: INodeProperties[]): string {
	const options = selectors.flatMap((selector) => selector.options as INodePropertyOptions[]);
	return JSON.stringify(Object.fromEntries(options.map(({ value, name }) => [value, name])));
}
