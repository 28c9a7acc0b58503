import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { shorten } from '../../shared/fields/text';
import { containsWords } from '../../shared/methods/listSearch';
import { openClient } from '../../shared/transport/client';

const maxReadings = 20;

interface RecentReading {
	text: string;
	/** `16:45, 20 invoices, EUR 17,955.18` */
	label: string;
}

/** The readings of the last previews and stopped runs of an account in this process, so that nobody has to copy them. A part of an account. */
export class RecentReadings {
	private list: RecentReading[] = [];
	/** What was previewed with a reading that somebody typed. */
	private typed: string[] = [];

	/** `zone`: the workflow's. */
	add(text: string, what: string, zone: string): void {
		const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(
			new Date(clock.now()),
		);
		const others = this.list.filter((one) => one.text !== text);
		this.list = [{ text, label: `${time} · ${what}` }, ...others].slice(0, maxReadings);
	}

	/** `key`: of the typed text, and of all that the preview shows. */
	addTyped(key: string): void {
		this.typed = [key, ...this.typed].slice(0, maxReadings);
	}

	wasPreviewed(key: string): boolean {
		return this.typed.includes(key);
	}

	get all(): readonly RecentReading[] {
		return this.list;
	}
}

/** The readings of the last previews and stopped runs, the newest first. */
export async function getReadings(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const client = await openClient(this);
	const recent = 'problem' in client ? [] : client.account.part(RecentReadings).all;
	return {
		results: recent
			.map(({ text, label }) => ({ name: `${label} · ${shorten(text, 120)}`, value: text }))
			.filter(({ name, value }) => containsWords(`${name} ${value}`, filter)),
	};
}
