/**
 * The next day with this month and day, such as `05-31`, as ISO date: today in UTC at the earliest. Sheets that are billed in a real n8n
 * need it, because a due date that is long past, or more than 400 days ahead, stops them.
 */
export function coming(monthAndDay: string): string {
	const now = new Date();
	const today = now.toISOString().slice(0, 10);
	const thisYear = `${now.getUTCFullYear()}-${monthAndDay}`;
	return thisYear >= today ? thisYear : `${now.getUTCFullYear() + 1}-${monthAndDay}`;
}
