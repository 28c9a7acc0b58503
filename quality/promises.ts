import type { RunName } from './results';

/** Something that the documentation promises, and how it is known to be true. */
export interface Promised {
	/** The document that promises it. */
	in: string;
	/** Its words there. */
	says: string;
	/** The tests that show it: a file, and what its tests are called. */
	shownBy: Array<{ file: string; test: string }>;
	/** Long runs that show it with figures. */
	runs?: RunName[];
}

const engine = (name: string, test: string) => ({ file: `test/engine/${name}.test.ts`, test });
const unit = (name: string, test: string) => ({ file: `test/unit/${name}.test.ts`, test });
const e2e = (name: string, test: string) => ({ file: `test/e2e/${name}.test.ts`, test });

/** In the order of the documents. A test holds every promise against its document, and every test against its file. */
export const promises: Promised[] = [
	{
		in: 'README.md',
		says: 'A whole sheet becomes invoices in one step.',
		shownBy: [
			unit('anySheet', 'a header means the same however it is written'),
			engine('anySheet', 'a sheet bills what it says or stops'),
			engine('createFromRows', 'every bad cell is listed before anything is sent'),
			e2e('sheetTemplates', 'nothing else was created'),
		],
	},
	{
		in: 'README.md',
		says: 'Amounts are exact.',
		shownBy: [
			unit('values', 'decimal in = decimal out'),
			unit('values', 'every day from its ISO text and from its serial number, in any time zone'),
			e2e('n8n', 'one invoice per item, exact amounts, each paired with its item'),
		],
	},
	{
		in: 'README.md',
		says: 'No invoice is sent twice with *Return Existing*.',
		shownBy: [
			engine('invoiceNumber', 'in another execution at the same time as well'),
			engine('laggingLists', 'Create From Rows twice at once creates each invoice once'),
			e2e('killed', 'the runs that follow finish the sheet, each invoice once'),
			e2e('safety', 'each number is created by one and found by the other'),
		],
		runs: ['soak', 'scale'],
	},
	{
		in: 'README.md',
		says: 'reports each of them',
		shownBy: [
			engine('twoProcesses', 'few are created twice, and each of these is reported'),
			engine('twoProcesses', 'without the check none is reported'),
		],
		runs: ['scale'],
	},
	{
		in: 'README.md',
		says: 'it never resends a request that may have been processed',
		shownBy: [
			engine('faultMatrix', '$name'),
			engine('errors', 'does not repeat creates with Continue either'),
			engine('network', 'after 429, however often'),
		],
		runs: ['hostile'],
	},
	{
		in: 'README.md',
		says: 'Every charge and every paid or overdue invoice starts its workflow once',
		shownBy: [
			unit('newCharges', 'whatever happens, every charge comes once'),
			unit('listEntries', 'whatever happens, every entry comes once'),
			e2e('triggerRestarts', 'goes on where it was'),
		],
		runs: ['soak', 'scale'],
	},
	{
		in: 'README.md',
		says: 'If nothing is new, a poll costs one or two requests',
		shownBy: [
			unit('newChargesCost', 'an idle poll costs'),
			unit('listEntriesCost', 'the guide says'),
		],
	},
	{
		in: 'README.md',
		says: 'A thousand items do not overload the service.',
		shownBy: [
			engine('network', 'five at a time, however many items, and they begin in order'),
			e2e(
				'network',
				'1,000 items: every invoice once, five requests and five connections at a time',
			),
		],
	},
	{
		in: 'README.md',
		says: 'lists are read completely, even while they change',
		shownBy: [
			unit(
				'pagination',
				'is given whole and nothing twice, whatever comes, goes, and is read first',
			),
			e2e('network', 'Get Many reads 5,000 charges while new ones come in'),
		],
		runs: ['hostile'],
	},
	{
		in: 'README.md',
		says: 'The API key goes to your Base URL only.',
		shownBy: [
			engine('credential', 'the key goes to the origin of the base URL only'),
			engine('network', 'the key is in nothing that n8n stores, whatever goes wrong'),
			unit('secrets', 'the key, however it is escaped'),
			e2e('n8n', 'the key is in no execution, no log and no state'),
		],
		runs: ['secrets'],
	},
	{
		in: 'README.md',
		says: 'Card numbers\n  and security codes are left out unless you ask for them.',
		shownBy: [
			unit('secrets', 'card data is removed however deep, and nothing else is touched'),
			engine('trigger', 'card data stays there unless it is asked for'),
		],
		runs: ['secrets'],
	},
	{
		in: 'README.md',
		says: 'Every operation can be used as a tool by **AI agents**',
		shownBy: [
			e2e('agent', 'an agent uses all other operations'),
			e2e('examples', 'a client sees the tools, and creates an invoice once'),
		],
	},
	{
		in: 'docs/operations.md',
		says: 'no invoice is created twice. This needs an invoice number',
		shownBy: [
			engine('invoiceNumber', 'Retry On Fail gives all items, and creates nothing twice'),
			e2e('killed', 'n8n is killed in the middle, twice'),
		],
	},
	{
		in: 'docs/operations.md',
		says: '**If the response is lost**',
		shownBy: [
			engine('laggingLists', 'a lost answer of a service that made the invoice'),
			engine('invoiceNumber', 'nothing else is sent until it is known what became of it'),
			e2e('sheets', 'an answer that is lost is found again, and the run goes on'),
		],
		runs: ['soak', 'hostile'],
	},
	{
		in: 'docs/operations.md',
		says: '**If the service changes numbers**',
		shownBy: [engine('storedNumbers', 'Create From Rows creates one and stops as well')],
	},
	{
		in: 'docs/operations.md',
		says: 'marks the result with `duplicatesChecked: false`',
		shownBy: [engine('twoProcesses', 'says where the service does not list an invoice yet')],
	},
	{
		in: 'docs/operations.md',
		says: 'If any item has invalid fields, nothing is sent.',
		shownBy: [
			engine('invalidInput', 'nothing is sent, and one error tells all problems of all items'),
			e2e('n8n', 'a bad item: nothing is sent, and the error says where'),
		],
	},
	{
		in: 'docs/operations.md',
		says: 'The same, with failed items on a separate output',
		shownBy: [
			engine('invalidInput', 'with Continue (using error output) they come out there'),
			e2e('sheets', 'failed rows come out of the error output, ready to be run again'),
			e2e('errorOutput', 'what failed is in the error output, with all of its rows'),
			e2e('errorOutput', 'planted: items without an error of their own'),
		],
		runs: ['compat'],
	},
	{
		in: 'docs/operations.md',
		says: 'are returned as text with all their digits',
		shownBy: [
			unit('json', 'whole numbers of any length keep their digits, wherever they stand'),
			engine('strangeAnswers', 'negative ones, fractions and exponents keep their digits'),
		],
	},
	{
		in: 'docs/operations.md',
		says: 'larger than 64 MB, or nested more than 200 levels deep, is rejected',
		shownBy: [
			engine('strangeAnswers', 'answers that are nested'),
			engine('endlessAnswers', 'a small answer that unpacks to hundreds of megabytes'),
		],
		runs: ['hostile'],
	},
	{
		in: 'docs/spreadsheets.md',
		says: '**Totals** are not sent, but compared',
		shownBy: [
			engine('sheetTraps', 'amounts that no field takes stop the sheet'),
			engine('anySheet', 'a sheet bills what it says or stops'),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**Every charge once.**',
		shownBy: [
			unit('newCharges', 'whatever happens, every charge comes once'),
			engine('trigger', 'goes on where it was'),
			e2e('triggerRestarts', 'goes on where it was'),
		],
		runs: ['soak', 'scale'],
	},
	{
		in: 'docs/trigger.md',
		says: "**Afterwards, find the IDs in n8n's log.**",
		shownBy: [
			engine('handOver', 'every ID that starts the workflow is in the log, and nothing else'),
			e2e('triggerRestarts', 'Charges Since'),
		],
		runs: ['scale'],
	},
	{
		in: 'docs/trigger.md',
		says: '**To repeat all charges since a certain time**',
		shownBy: [
			engine('trigger', 'charges since a moment in the time zone of the workflow'),
			e2e('triggerRestarts', 'Charges Since'),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**No assumption about the order of the list.** The trigger observes it',
		shownBy: [
			unit('newCharges', 'whatever happens, every charge comes once'),
			engine('trigger', 'a service that lists %s'),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**Late charges**',
		shownBy: [unit('newCharges', 'whatever happens, every charge comes once')],
		runs: ['soak'],
	},
	{
		in: 'docs/trigger.md',
		says: '**Charges of the same moment**',
		shownBy: [
			unit('newChargesCost', 'thousands of charges of the same moment come once each'),
			engine('triggerServices', 'charges without an ID, listed %s'),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**A count that contradicts the list** is ignored.',
		shownBy: [
			unit('newCharges', 'whatever happens, every charge comes once'),
			engine('triggerServices', 'deep pages are refused with status %i'),
		],
		runs: ['hostile'],
	},
	{
		in: 'docs/trigger.md',
		says: '**Any ISO 8601 date-time**',
		shownBy: [engine('triggerServices', 'created in other forms, listed %s')],
	},
	{
		in: 'docs/trigger.md',
		says: '**No flood of errors when the service is down.**',
		shownBy: [
			engine('trigger', 'scheduled polls fail with the reason, and with growing pauses'),
			engine('trigger', 'while n8n starts: nothing is thrown, whatever it is'),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**Changed filters**',
		shownBy: [
			engine('trigger', 'other filters go on with what is new, and skip what was there'),
			engine('trigger', 'another Start With begins anew'),
		],
		runs: ['soak'],
	},
	{
		in: 'docs/trigger.md',
		says: '**Each once.** Everything that enters the list',
		shownBy: [
			unit('listEntries', 'whatever happens, every entry comes once'),
			engine('triggerEvents', 'starts the workflow once for each, and for nothing that was there'),
		],
		runs: ['soak'],
	},
	{
		in: 'docs/trigger.md',
		says: '**Usually at the next poll, at worst after 15 minutes.**',
		shownBy: [unit('listEntries', 'whatever happens, every entry comes once')],
	},
	{
		in: 'docs/trigger.md',
		says: '**What comes back.**',
		shownBy: [
			engine(
				'triggerEvents',
				'paid, cancelled and paid again: once within minutes, twice where hours lie between',
			),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**An empty list by mistake**',
		shownBy: [
			unit('listEntriesServices', 'a list that is gone by mistake'),
			engine(
				'triggerEvents',
				'a list that is empty by mistake, for hours, starts nothing when it is back',
			),
		],
	},
	{
		in: 'docs/trigger.md',
		says: '**Another API key.**',
		shownBy: [
			engine(
				'triggerEvents',
				'a new key of the same account: what happened meanwhile starts the workflow',
			),
			engine('triggerEvents', 'the key of another account: what is there starts nothing'),
		],
	},
];
