import type { FastifyReply } from 'fastify';
import type { z } from 'zod/v4';
import type { errorBodyShape } from './settings';

export interface Refusal {
	message: string;
	field?: string;
}

type Shape = z.infer<typeof errorBodyShape>;

export function errorBody(shape: Shape, refusals: Refusal[], status: number) {
	const [{ message }] = refusals;
	const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });
	const bodies: Record<Shape, () => { type: string; body: string }> = {
		message: () => json({ message }),
		error: () => json({ error: message }),
		errorMessage: () => json({ error: { message, code: `e${status}` } }),
		detail: () => json({ detail: message }),
		problem: () => ({
			type: 'application/problem+json',
			body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail: message }),
		}),
		errors: () => json({ errors: refusals }),
		errorStrings: () => json({ errors: refusals.map((refusal) => refusal.message) }),
		fields: () =>
			json(
				Object.fromEntries(
					refusals.map((refusal) => [refusal.field ?? 'non_field_errors', [refusal.message]]),
				),
			),
		text: () => ({ type: 'text/plain', body: message }),
		html: () => ({
			type: 'text/html',
			body: `<!doctype html><html><head><title>${status} ${message}</title></head><body><h1>Sorry</h1></body></html>`,
		}),
		empty: () => ({ type: 'text/plain', body: '' }),
	};
	return bodies[shape]();
}

export function refuse(reply: FastifyReply, shape: Shape, status: number, refusals: Refusal[]) {
	const { type, body } = errorBody(shape, refusals, status);
	return reply.code(status).type(type).send(body);
}

export function refusalsOf(error: z.ZodError): Refusal[] {
	return error.issues.map((issue) => ({
		field: issue.path.join('.') || undefined,
		message: `${issue.path.join('.') || 'body'}: ${issue.message}`,
	}));
}
