import type {
	IAuthenticate,
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { baseUrlOf } from '../nodes/shared/transport/baseUrl';

/** A redirect would carry the key elsewhere. Covers both request libraries of n8n. */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** spec 5 */
export class InvoicingPaymentsApi implements ICredentialType {
	name = 'invoicingPaymentsApi';

	displayName = 'Invoicing and Payments API';

	icon: Icon = {
		light: 'file:../icons/invoicingPayments.svg',
		dark: 'file:../icons/invoicingPayments.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-invoicing-payments/n8n-nodes-invoicing-payments/blob/main/docs/install.md#credential';

	// Nothing to restrict: `authenticate` sends the key to the base URL's origin only.
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			hint: 'Find it in the application settings of your account',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, without /v1. Must start with https://, or with http:// if the service runs on the same machine as n8n.',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowUnencryptedHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to allow http:// for a service on another machine. Your API key and data are sent unencrypted.',
		},
	];

	/** Adds the key, but only for the base URL's origin, and turns redirects off. Throws an Error for any other address. */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & { uri?: string },
	) => {
		const baseUrl = baseUrlOf(credentials);
		if ('problem' in baseUrl) throw new Error(baseUrl.problem);
		const allowed = new URL(baseUrl.value).origin;
		// n8n's HTTP Request node uses `uri`.
		const { origin } = new URL(request.url ?? request.uri, request.baseURL);
		if (origin !== allowed) {
			throw new Error(
				`The API key of this credential is only sent to ${allowed}, not to ${origin}. Check the 'Base URL' in the credential`,
			);
		}
		const key = String(credentials.apiKey ?? '').trim();
		return {
			...request,
			...noRedirects,
			headers: { ...request.headers, 'X-API-KEY': key },
		};
	};
}
