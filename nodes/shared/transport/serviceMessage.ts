/** Extracts the message from an error body in JSON, HTML or plain text. The spec shows no format (section 7). */
export function serviceMessageOf(text: string): string | undefined {
	const trimmed = text.trim();
	if (!trimmed) return undefined;
	try {
		return shorten(messageIn(JSON.parse(trimmed)));
	} catch {
		return shorten(/^</.test(trimmed) ? htmlTitle(trimmed) : trimmed);
	}
}

const maxLength = 500;

function shorten(words: string | undefined): string | undefined {
	const line = words?.replace(/\s+/g, ' ').trim();
	if (!line) return undefined;
	return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

function htmlTitle(html: string): string | undefined {
	const found = /<title[^>]*>([^<]*)</i.exec(html) ?? /<h1[^>]*>([^<]*)</i.exec(html);
	return found ? found[1] : 'a web page without a title';
}

const mainKeys = ['message', 'detail', 'error', 'title', 'msg', 'error_description', 'reason'];

function messageIn(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null || depth > 4) return undefined;
	if (Array.isArray(value)) return joined(value.map((one) => messageIn(one, depth + 1)));
	const body = value as Record<string, unknown>;
	const main = mainKeys
		// A list here is a field of this name with its problems.
		.map((name) => (Array.isArray(body[name]) ? undefined : messageIn(body[name], depth + 1)))
		.find((words) => words);
	const details = messageIn(body.errors, depth + 1);
	if (main) return details && !main.includes(details) ? `${main}: ${details}` : main;
	if (details) return details;
	return joined(
		Object.entries(body).map(([field, problem]) => {
			const words = typeof problem === 'object' ? messageIn(problem, depth + 1) : undefined;
			return words && (field === 'non_field_errors' ? words : `${field}: ${words}`);
		}),
	);
}

function joined(parts: Array<string | undefined>): string | undefined {
	return parts.filter((part) => part).join('; ') || undefined;
}
