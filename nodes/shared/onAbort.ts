const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when the signal is aborted, but not if it already is. Returns a function that cancels the call. A signal gets
 * only one listener, because Node warns of a leak at the eleventh, and n8n's signal lives as long as the execution (N15).
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const waiting = callbacks.get(signal) ?? new Set();
	if (!callbacks.has(signal)) {
		callbacks.set(signal, waiting);
		signal.addEventListener('abort', () => [...waiting].forEach((call) => call()));
	}
	waiting.add(callback);
	return () => void waiting.delete(callback);
}
