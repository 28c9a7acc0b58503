import { withoutKey } from '../secrets/apiKey';
import { hideCardNumbers, hideCards, withoutCardData } from '../secrets/cardData';
import { readJson } from './json';

/** A text of the service as an error may show it: without the API key, card numbers and security codes. JSON stays JSON. */
export function hideSecrets(text: string, apiKey: unknown): string {
	const raw = withoutKey(text, apiKey);
	const hide = (part: string) => withoutKey(hideCards(part), apiKey);
	try {
		return JSON.stringify(withoutSecrets(readJson(raw), hide));
	} catch {
		return hide(raw);
	}
}

function withoutSecrets(value: unknown, hide: (text: string) => string): unknown {
	const hideIn = (one: unknown): unknown => {
		if (typeof one === 'string') return hide(one);
		if (typeof one === 'number') {
			const shown = hideCardNumbers(`${one}`);
			return shown === `${one}` ? one : shown;
		}
		if (Array.isArray(one)) return one.map(hideIn);
		if (typeof one !== 'object' || one === null) return one;
		return Object.fromEntries(
			Object.entries(one).map(([name, inner]) => [hide(name), hideIn(inner)]),
		);
	};
	return hideIn(withoutCardData(value));
}
