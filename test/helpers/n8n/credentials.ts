import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';
import { InvoicingPaymentsApi } from '../../../index';

const credentialType = new InvoicingPaymentsApi();

/** Gives every node the credential of a test, and authenticates with the shipped credential type. */
export class OneCredential extends ICredentialsHelper {
	constructor(private readonly data: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = credentialType;
		if (typeof authenticate !== 'function') throw new Error('authenticate has to be a function');
		return await authenticate(credentials, request);
	}

	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Not used by these tests');
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(): INodeProperties[] {
		return credentialType.properties;
	}
}
