import type { IExecuteFunctions, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { clock } from '../../../shared/clock';
import { shorten } from '../../../shared/fields/text';
import { containsWords } from '../../../shared/methods/listSearch';
import { openClient } from '../../../shared/transport/client';
import type { Offer } from './otherReadings';

const maxReadings = 20;

interface RecentReading {
	text: string;
	/** `16:45 · 20 invoices for 25 rows: EUR 17,955.18` */
	label: string;
	/** What the preview offered besides. */
	offers: readonly Offer[];
}

/** The readings of the last previews and stopped runs of an account in this process, the newest first. A part of an account. */
class RecentReadings {
	list: readonly RecentReading[] = [];

	add(one: RecentReading): void {
		const others = this.list.filter(({ text }) => text !== one.text);
		this.list = [one, ...others].slice(0, maxReadings);
	}
}

/** Offers a reading in the list of the parameter, so that nobody has to copy it, and the other readings below it. */
export async function rememberReading(
	context: IExecuteFunctions,
	{
		text,
		what,
		offers = [],
	}: { text: string; /** The sheet that it is of. */ what: string; offers?: readonly Offer[] },
): Promise<void> {
	const client = await openClient(context);
	if (!client.ok) return;
	const time = new Intl.DateTimeFormat('en-GB', {
		timeZone: context.getTimezone(),
		timeStyle: 'short',
	}).format(new Date(clock.now()));
	client.value.account.part(RecentReadings).add({ text, label: `${time} · ${what}`, offers });
}

export async function getReadings(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const client = await openClient(this);
	const recent = client.ok ? client.value.account.part(RecentReadings).list : [];
	const all = recent.flatMap(({ text, label, offers }) => [
		{ name: `${label} · ${shorten(text, 120)}`, value: text },
		...offers.map((one) => ({ name: one.label, value: one.text })),
	]);
	return {
		results: all.filter(({ name, value }) => containsWords(`${name} ${value}`, filter)),
	};
}
