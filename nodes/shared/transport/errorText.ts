import { withoutKey } from '../secrets/apiKey';
import { hideCardNumbers, hideCards, withoutCardData } from '../secrets/cardData';
import { readJson } from './json';

/** Longer JSON is read as text. */
const maxJsonLength = 100_000;
/** Errors show less. */
const maxTextLength = 10_000;
/** A card number that is cut in two is no longer found. */
const cutEnd = 200;

/** A text of the service as an error may show it: without the API key, card numbers and security codes. JSON stays JSON. */
export function hideSecrets(text: string, apiKey: unknown): string {
	const raw = withoutKey(text, apiKey);
	const hide = (part: string) => withoutKey(hideCards(part), apiKey);
	if (raw.length <= maxJsonLength) {
		try {
			return JSON.stringify(withoutSecrets(readJson(raw), hide));
		} catch {
			// No JSON.
		}
	}
	if (raw.length <= maxTextLength) return hide(raw);
	return hide(raw.slice(0, maxTextLength)).slice(0, -cutEnd);
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
