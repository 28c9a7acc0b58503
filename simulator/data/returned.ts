import type { z } from 'zod/v4';

/**
 * An object as the service shows it, in the order of the contract. What was sent comes back in fields of the same name, unless `shown` has
 * another value for them.
 */
export function withReturned<S extends z.ZodObject>(
	shown: object,
	request: object,
	{ shape }: S,
): z.infer<S> {
	const all: Record<string, unknown> = { ...request, ...shown };
	const inOrder = Object.keys(shape).filter((name) => all[name] !== undefined);
	return Object.fromEntries(inOrder.map((name) => [name, all[name]])) as z.infer<S>;
}
