import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';

/** Payment terms as a number of days: `Net 30`, `30 days`, `30`, `Due on receipt`. Terms with a discount or an end of month are not read. */
export function toTermDays(value: unknown): Parsed<number> {
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	if (/^\s*-/.test(text)) return unreadable(value);
	const words = text
		.toLowerCase()
		.replace(/[\s.-]+/g, ' ')
		.trim();
	if (/^(?:(?:payable|payment|due) )?(?:(?:up)?on receipt|immediate(?:ly)?)$/.test(words)) {
		return { value: 0 };
	}
	const match = /^(?:due |payable )?(?:net|within|in)? ?(\d{1,3})(?: ?(?:days?|d))?(?: net)?$/.exec(
		words,
	);
	const days = match ? Number(match[1]) : NaN;
	return Number.isNaN(days) ? unreadable(value) : { value: days };
}

function unreadable(value: unknown): { problem: string } {
	return {
		problem: `must be like "Net 30", "30 days" or "Due on receipt", got ${quote(value)}. Or add a Due Date column`,
	};
}
