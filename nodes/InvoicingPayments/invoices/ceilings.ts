import type { IExecuteFunctions } from 'n8n-workflow';
import { ExpiringMap } from '../../shared/expiringMap';
import { Decimal } from '../../shared/fields/decimal';
import { openClient } from '../../shared/transport/client';
import { isCalledByAgent } from '../execution/run';
import { discountedTotal } from './compareInvoice';
import type { InvoiceBody } from './invoiceRequest';

export interface Ceilings {
	maximumInvoices?: number;
	/** Decimal text, for each currency. */
	maximumTotal?: string;
}

/** What a node has billed. `totals`: by currency. */
interface Billed {
	count: number;
	totals: Map<string, Decimal>;
}

const nothing = (): Billed => ({ count: 0, totals: new Map() });

function add(
	{ count, totals }: Billed,
	{ currency, total }: { currency: string; total: Decimal },
): Billed {
	return {
		count: count + 1,
		totals: new Map([...totals, [currency, (totals.get(currency) ?? Decimal.zero).plus(total)]]),
	};
}

/** An AI agent calls a tool once for each invoice, so its calls count together. A part of an account. */
class BilledByAgents {
	/** Keyed by execution and node. */
	readonly executions = new ExpiringMap<Billed>();
}

export const hasCeiling = ({ maximumInvoices, maximumTotal }: Ceilings) =>
	maximumInvoices !== undefined || maximumTotal !== undefined;

/**
 * Why these invoices are more than the user allows. If they are not, an agent's count grows by them at once, so that calls at the
 * same time cannot exceed it together; invoices that turn out to exist stay counted.
 */
export async function ceilingProblem(
	context: IExecuteFunctions,
	bodies: ReadonlyArray<Pick<InvoiceBody, 'currency' | 'items' | 'discount_percentage'>>,
	ceilings: Ceilings,
): Promise<string | undefined> {
	if (!hasCeiling(ceilings) || bodies.length === 0) return undefined;
	const client = isCalledByAgent(context) ? await openClient(context) : undefined;
	const executions = client?.ok ? client.value.account.part(BilledByAgents).executions : undefined;
	const key = `${context.getExecutionId()} ${context.getNode().name}`;
	const billed = bodies
		.map((body) => ({ currency: body.currency, total: discountedTotal(body) }))
		.reduce(add, executions?.get(key) ?? nothing());
	const { maximumInvoices = Infinity, maximumTotal } = ceilings;
	const together = executions ? ' together with its earlier calls' : '';
	if (billed.count > maximumInvoices)
		return `${billed.count} invoices would be created${together}, but 'Maximum Invoices' is ${maximumInvoices}`;
	const limit = maximumTotal === undefined ? undefined : Decimal.of(maximumTotal);
	const above = limit && [...billed.totals].find(([, total]) => total.isMoreThan(limit));
	if (above)
		return `${above[0]} ${above[1]} would be billed${together}, but 'Maximum Total' is ${limit}`;
	executions?.set(key, billed);
	return undefined;
}
