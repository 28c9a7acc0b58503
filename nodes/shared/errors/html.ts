/** n8n shows descriptions of errors and execution hints as HTML. The one place that escapes text for it. Each argument becomes a line. */
export const toHtml = (...lines: string[]): string =>
	lines
		.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'))
		.join('<br>');
