import type { IDataObject } from 'n8n-workflow';

const reference =
	/^=\{\{\s*\$json\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])\s*\}\}$/;

/** The field that an expression refers to and does nothing else: `={{ $json.Amount }}`, `={{ $json["Due Date"] }}`. */
export function referenceIn(expression: string): string | undefined {
	const match = reference.exec(expression);
	return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/**
 * The value of a parameter that consists of plain values and references to fields of the item, as n8n's evaluator would give it. It
 * takes n8n about a millisecond per expression. `undefined`: anything else, which n8n has to evaluate.
 */
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
	// Names that every object has are n8n's to refuse.
	if (name === undefined || name in Object.prototype || name === 'prototype') return undefined;
	const value = Object.prototype.hasOwnProperty.call(json, name) ? json[name] : undefined;
	const isPrimitive = value === null || typeof value !== 'object';
	return isPrimitive && typeof value !== 'function' ? { value } : undefined;
}
