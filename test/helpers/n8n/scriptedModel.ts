import fastify from 'fastify';

/** The messages so far, and the tools that the model may call. */
export interface Asked {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{
		function: { name: string; description: string; parameters: { properties: object } };
	}>;
}

/** One turn of the model: a text, or tool calls by name. A function gets the request. */
export type Turn = Said | ((asked: Asked) => Said);
type Said = string | Record<string, object>;

/** A chat model on this machine that follows a script, with the protocol of OpenAI. Call at the top level of a test file. */
export function useScriptedModel() {
	/** The requests since the script began. */
	const asked: Asked[] = [];
	let script: Turn[] = [];
	const app = fastify();
	app.post('/v1/chat/completions', (request, reply) => {
		const body = request.body as Asked;
		asked.push(body);
		const turn = script.shift();
		if (turn === undefined)
			return reply.code(400).send({ error: { message: 'The script is over' } });
		const said = typeof turn === 'function' ? turn(body) : turn;
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choice = { index: 0, ...saying(said, asked.length) };
		return {
			id: '1',
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [choice],
			usage,
		};
	});
	let url = '';
	beforeAll(async () => {
		url = await app.listen({ host: '127.0.0.1', port: 0 });
	});
	afterAll(async () => await app.close());
	/** Begins a script. Its turns are used once, in order. */
	const say = (...turns: Turn[]) => {
		script = turns;
		asked.length = 0;
	};
	/** The data of n8n's OpenAI credential. */
	const credential = () => ({ apiKey: 'none', url: `${url}/v1`, header: false });
	return { asked, say, credential };
}

function saying(turn: Said, at: number) {
	const role = 'assistant';
	if (typeof turn === 'string') {
		return { finish_reason: 'stop', message: { role, content: turn } };
	}
	const calls = Object.entries(turn).map(([name, given], index) => ({
		id: `call_${at}_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(given) },
	}));
	return { finish_reason: 'tool_calls', message: { role, content: null, tool_calls: calls } };
}
