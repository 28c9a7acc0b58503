/** n8n shows descriptions of errors and execution hints as HTML. This is the one place where text becomes HTML. One line for each. */
export const toHtml = (...lines: string[]): string =>
	lines
		.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))
		.join('<br>');
