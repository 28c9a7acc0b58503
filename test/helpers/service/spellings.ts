const escaped = (escape: (hex: string) => string) => (text: string) =>
	[...text].map((char) => escape(char.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** How an answer may spell a key that was sent. */
export const spellings: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in capitals': (text) => text.toUpperCase(),
	'in Base64': base64,
	'in Base64 with a user': (text) => base64(`user:${text}`),
	'in Base64 with more': (text) => base64(`ab${text}cde`),
	'in Base64 for URLs': (text) => Buffer.from(`?~${text}`).toString('base64url'),
	'with \\u002B': (text) => text.replaceAll('+', '\\u002B').replaceAll('-', '\\u002D'),
	'all in \\u': escaped((hex) => `\\u00${hex}`),
	'with &amp;': (text) => text.replaceAll('&', '&amp;'),
	'with &#43;': (text) => text.replace(/[+-]/g, (char) => `&#${char.charCodeAt(0)};`),
	'all in %': escaped((hex) => `%${hex}`),
	'with %252B': (text) => text.replaceAll('+', '%252B').replaceAll('-', '%252D'),
};
