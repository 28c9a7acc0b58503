import type { IDataObject, PreSendAction } from 'n8n-workflow';
import type { FieldValues } from '../../../shared/fields/readFields';
import { listedInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import { defaultPageSize } from '../../../shared/pagination/fetchResults';
import type { Operation } from '../../execution/operation';
import type { DueRange } from '../../invoices/listInvoices';
import { hasDueRange, isEmptyRange, listInvoices, statusesIn } from '../../invoices/listInvoices';
import { pageOptions, returnAllAndLimit } from '../common/list';
import { filters, options } from '../common/options';
import { outputFields } from '../common/output';
import { listFilters } from './listFilters';

/** For n8n's RoutingNode: lists the first status, with full pages if the node filters by due date. */
const sendFirstList: PreSendAction = async function (request) {
	const { status, ...query } = request.qs as IDataObject;
	const [first] = statusesIn({ status });
	const { dueAfter, dueBefore } = this.getNodeParameter('filters', {}) as DueRange;
	const { pageSize } = this.getNodeParameter('options', {}) as IDataObject;
	const isSelected = (Boolean(dueAfter) || Boolean(dueBefore)) && !pageSize;
	const qs = {
		...query,
		...(first !== undefined && { status: first }),
		...(isSelected && { page_size: defaultPageSize }),
	};
	return { ...request, qs };
};

/** Problems with filters and options that exclude each other. */
function check({ query, settings }: FieldValues): string[] {
	const range: DueRange = settings;
	const { dueAfter, dueBefore } = range;
	const problems: string[] = [];
	if (isEmptyRange(range)) {
		problems.push(
			`There is no day between Due After (${dueAfter}) and Due Before (${dueBefore}), neither of which is included`,
		);
	}
	const cause =
		statusesIn(query).length > 1
			? 'several values in Status'
			: hasDueRange(range) && "'Due After' and 'Due Before'";
	if (cause && Number(settings.startPage ?? 1) > 1) {
		problems.push(
			`Start Page cannot be combined with ${cause}, because its pages are those of a single list of the service. Remove 'Start Page'`,
		);
	}
	return problems;
}

const ownPageOptions = pageOptions.map((field) =>
	field.name === 'startPage'
		? {
				...field,
				description: `${field.description} Cannot be combined with several values in 'Status', 'Due After' or 'Due Before'.`,
			}
		: field,
);

/** spec 4.2 */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many invoices',
	description: 'Retrieve a list of invoices',
	routing: {
		request: { method: 'GET', url: '/v1/invoices' },
		send: { preSend: [sendFirstList] },
	},
	fields: [
		...returnAllAndLimit,
		...outputFields(listedInvoiceFields),
		filters(listFilters),
		options(ownPageOptions),
	],
	response: 'page',
	simpleFields: simpleInvoice,
	check,
	perform: listInvoices,
};
