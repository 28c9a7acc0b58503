import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { charge } from '../contract';
import { faultSchema } from './faults';
import type { World } from './world';

/** A charge to add: any of its fields, and the two that only filters see (spec 4.3). */
const newCharge = z.looseObject({
	...charge.shape,
	type: z.string().optional(),
	customer_id: z.string().optional(),
});

/**
 * The control interface, outside of /v1 and without a key. It listens where the API listens, on this machine only, and is
 * the same for tests, for scripts and for people with curl.
 */
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
		return [charges].flat().map((one) => world.account.addCharge(one, Date.now()));
	});
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
