import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { charge, invoiceRequest, invoiceStatus, memberStatus } from '../contract';
import { faultSchema } from './faults';
import type { World } from './world';

/** Any field of a charge, and those that only filters see (spec 4.3). */
const newCharge = z.looseObject({
	...charge.shape,
	type: z.string().optional(),
	customer_id: z.string().optional(),
});

const newInvoice = z.looseObject({
	...invoiceRequest.partial().omit({ customer: true }).shape,
	status: invoiceStatus.optional(),
	customer_id: z.string().optional(),
});

const changes = {
	invoices: z.strictObject({ status: invoiceStatus }),
	charges: z.strictObject({ status: z.string() }),
	members: z.strictObject({ status: memberStatus }),
};

/** The control interface, outside of /v1 and without a key. Only this machine can reach it. */
export function registerControl(app: FastifyInstance, world: World): void {
	app.get('/control/state', () => ({
		settings: { ...world.settings, apiKey: undefined },
		customers: world.account.customers,
		links: world.account.links,
		members: world.account.members,
		traffic: world.traffic.summary(),
	}));
	app.get('/control/invoices', () =>
		world.account.invoices.slice(world.settings.invoices).map(({ request, full }) => ({
			request,
			invoice: full,
		})),
	);
	app.get('/control/requests', () => world.traffic.requests);
	app.post('/control/reset', (request) => {
		world.reset({ ...world.settings, ...(request.body as object) });
		return { done: true };
	});
	app.post('/control/settings', (request) => {
		world.set(request.body as object);
		return { done: true };
	});
	app.post('/control/charges', (request) => {
		const charges = z.union([newCharge, z.array(newCharge)]).parse(request.body);
		return [charges].flat().map((one) => world.account.addCharge(one, world.now()));
	});
	app.post('/control/invoices', (request) => {
		const invoices = z.union([newInvoice, z.array(newInvoice)]).parse(request.body);
		return [invoices].flat().map((one) => world.account.addInvoice(one, world.now()));
	});
	const change = (kind: string, changed: (id: string, body: unknown) => object | undefined) =>
		app.patch(`/control/${kind}/:id`, (request, reply) => {
			const { id } = request.params as { id: string };
			return changed(id, request.body) ?? reply.code(404).send({ found: false });
		});
	change('invoices', (id, body) =>
		world.account.changeInvoice(id, changes.invoices.parse(body).status),
	);
	change('charges', (id, body) =>
		world.account.changeCharge(id, changes.charges.parse(body).status),
	);
	change('members', (id, body) =>
		world.account.changeMember(id, changes.members.parse(body).status),
	);
	app.delete('/control/charges/:id', (request) => ({
		removed: world.account.removeCharge((request.params as { id: string }).id),
	}));
	app.post('/control/faults', (request) => {
		world.faults.add(faultSchema.parse(request.body));
		return { done: true };
	});
	app.delete('/control/faults', () => {
		world.faults.clear();
		return { done: true };
	});
}
