import type { FastifyError } from 'fastify';
import fastify from 'fastify';
import getPort from 'get-port';
import { ZodError } from 'zod/v4';
import { registerApi } from './api';
import { registerControl } from './control';
import { refusalsOf, refuse } from './failures';
import { registerMiddleware } from './middleware';
import type { SettingsInput } from './settings';
import { World } from './world';

export interface Simulator {
	url: string;
	world: World;
	close(): Promise<void>;
}

/** Listens on 127.0.0.1, on any free port if `port` is 0 or taken. Throws a ZodError for unknown settings. */
export async function startSimulator(input: SettingsInput = {}, port = 0): Promise<Simulator> {
	const world = new World(input);
	const app = fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 * 1024 });
	registerMiddleware(app, world);
	registerApi(app, world);
	registerControl(app, world);
	app.setNotFoundHandler((request, reply) =>
		refuse(reply, world.settings.errorBody, 404, [{ message: `No such path: ${request.url}` }]),
	);
	app.setErrorHandler((error: FastifyError, _request, reply) => {
		if (error instanceof ZodError) return reply.code(400).send({ problems: refusalsOf(error) });
		const status = error.statusCode ?? 500;
		return refuse(reply, world.settings.errorBody, status, [{ message: error.message }]);
	});
	const free = port && (await getPort({ port, host: '127.0.0.1' }));
	const url = await app.listen({ host: '127.0.0.1', port: free });
	return { url, world, close: () => app.close() };
}
