import { compile } from 'json-schema-to-typescript';
import { z } from 'zod/v4';
import { charge, chargeListQuery } from './charge';
import { invoice, invoiceListItem, invoiceListQuery, invoiceRequest } from './invoice';
import { member, memberRequest } from './member';
import { paymentLink } from './paymentLink';

const exported = {
	Charge: charge,
	ChargeListQuery: chargeListQuery,
	Invoice: invoice,
	InvoiceListItem: invoiceListItem,
	InvoiceListQuery: invoiceListQuery,
	InvoiceRequest: invoiceRequest,
	Member: member,
	MemberRequest: memberRequest,
	PaymentLink: paymentLink,
};

/** TypeScript declarations of the objects of the API, for the users of the package. */
export async function apiTypes(): Promise<string> {
	const declarations = await Promise.all(
		Object.entries(exported).map(async ([name, schema]) => {
			const json = z.toJSONSchema(schema, { io: 'input' }) as Parameters<typeof compile>[0];
			return await compile(json, name, {
				bannerComment: '',
				additionalProperties: false,
				ignoreMinAndMaxItems: true,
				style: { useTabs: true, singleQuote: true },
			});
		}),
	);
	return `/** The objects of the service's API. Generated. */\n\n${declarations.join('\n')}`;
}
