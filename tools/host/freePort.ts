import getPort from 'get-port';

/** Below the ports from which Linux takes those of outgoing connections. */
const [first, count] = [20_000, 12_000];

/**
 * A port of this machine that is free, the wished one if it is. What is started may take half a minute until it listens there, so
 * it is none that an outgoing connection could get in the meantime.
 */
export async function freePort(wished?: number): Promise<number> {
	const any = Array.from({ length: 5 }, () => first + Math.floor(Math.random() * count));
	return await getPort({ host: '127.0.0.1', port: wished ? [wished, ...any] : any });
}
