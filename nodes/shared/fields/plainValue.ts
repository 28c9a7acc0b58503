import type { IDataObject } from 'n8n-workflow';

const reference =
	/^=\{\{\s*\$json\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])\s*\}\}$/;

/** The field's name, if the expression is just a reference: `={{ $json.Amount }}` or `={{ $json["Due Date"] }}`. */
export function referenceIn(expression: string): string | undefined {
	const match = reference.exec(expression);
	return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** Evaluates simple parameters like n8n, which takes a millisecond per expression. `undefined`: too complex. */
export function plainValue(parameter: unknown, json: IDataObject): { value: unknown } | undefined {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=') ? referredValue(parameter, json) : { value: parameter };
	}
	if (typeof parameter !== 'object' || parameter === null) return { value: parameter };
	const entries: Array<[string, unknown]> = [];
	for (const [key, inner] of Object.entries(parameter)) {
		const plain = plainValue(inner, json);
		if (!plain) return undefined;
		entries.push([key, plain.value]);
	}
	return { value: Array.isArray(parameter) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries) }; // prettier-ignore
}

function referredValue(expression: string, json: IDataObject): { value: unknown } | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	const name = referenceIn(expression);
	// n8n refuses names that every object has.
	if (name === undefined || name in Object.prototype || name === 'prototype') return undefined;
	const value = Object.prototype.hasOwnProperty.call(json, name) ? json[name] : undefined;
	const isPrimitive = value === null || typeof value !== 'object';
	return isPrimitive && typeof value !== 'function' ? { value } : undefined;
}
