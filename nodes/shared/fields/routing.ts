import type { IDataObject } from 'n8n-workflow';

/** A parameter in a URL expression. */
const inUrl = /\{\{\s*encodeURIComponent\(\$parameter\["(\w+)"\]\)\s*\}\}/g;

/** Fills the parameters into the URL of an operation, as n8n's expression would. */
export const urlOf = (url: string, parameters: IDataObject): string =>
	url
		.replace(/^=/, '')
		.replace(inUrl, (_match, name: string) => encodeURIComponent(String(parameters[name])));
