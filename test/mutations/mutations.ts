/**
 * Defects that users would suffer from, each one line of the product changed, with the test that has to find it:
 * `npm run nightly -- mutations` plants them one at a time. `from` stands once in the file. Whoever removes or moves a
 * test names here the one that finds the defect instead.
 */
export interface Mutation {
	/** What users would suffer. */
	name: string;
	file: string;
	from: string;
	to: string;
	/** `test`: a part of its full title; one that holds for a table of cases stands for all of them. */
	foundBy: { file: string; test: string };
}

const inNode = 'nodes/InvoicingPayments';
const inTrigger = 'nodes/InvoicingPaymentsTrigger';
const inShared = 'nodes/shared';

export const mutations: Mutation[] = [
	{
		name: 'a create is sent again after its answer was lost',
		file: `${inShared}/transport/failure.ts`,
		from: 'return isTemporary(failure) && !mayHaveBeenDone(failure);',
		to: "return isTemporary(failure) && (failure.kind === 'network' || !mayHaveBeenDone(failure));",
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'in later runs as well reset before: create, without number',
		},
	},
	{
		name: 'a create is sent again after a 5xx',
		file: `${inShared}/transport/failure.ts`,
		from: 'return !refusals.includes(status);',
		to: 'return status < 500 && !refusals.includes(status);',
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'in later runs as well 500 before: create, without number',
		},
	},
	{
		name: 'Retry On Fail sends a create again that may have been done',
		file: `${inNode}/execution/sendUnits.ts`,
		from: 'if (isOver || outcome.mayBeDone) run.creates.set(unit.items[0], outcome);',
		to: '',
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'never repeats uncertain creates',
		},
	},
	{
		name: 'a page is left out of Get Many',
		file: `${inShared}/pagination/overlap.ts`,
		from: 'previous.number + 1;',
		to: 'previous.number + 2;',
		foundBy: { file: 'test/engine/getMany.test.ts', test: 'reads several pages up to Limit' },
	},
	{
		name: 'a part of a list is given for the whole',
		file: `${inShared}/pagination/readAll.ts`,
		from: 'if (outcome.isComplete || unique.size >= expected) {',
		to: 'if (outcome.isComplete || unique.size >= 0) {',
		foundBy: {
			file: 'test/unit/pagination.test.ts',
			test: 'never gives only a part of the list',
		},
	},
	{
		name: 'an invoice that changes its status while lists are read is in none of them',
		file: `${inNode}/invoices/listInvoices.ts`,
		from: 'limitOf(settings) === Infinity ? readLists.slice(0, -1) : []',
		to: 'limitOf(settings) === -Infinity ? readLists : []',
		foundBy: {
			file: 'test/engine/getMany.test.ts',
			test: 'gives it once if it moves to the list that was already read',
		},
	},
	{
		name: 'next links are requested as they stand',
		file: `${inShared}/pagination/fetchResults.ts`,
		from: 'doubt === undefined ? { page: read }',
		to: 'doubt === undefined ? { page: (Object.assign(request, read.next && { path: read.next }), read) }',
		foundBy: {
			file: 'test/engine/getMany.test.ts',
			test: 'reads the whole list with addresses of the next page that lead elsewhere',
		},
	},
	{
		name: 'redirects are followed',
		// The node says so as well, but the credential has the last word.
		file: 'credentials/InvoicingPaymentsApi.credentials.ts',
		from: '...noRedirects,',
		to: '...(noRedirects && { disableFollowRedirect: false, followRedirect: true }),',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'a redirect with a token',
		},
	},
	{
		name: 'the API key stands in an error',
		file: `${inShared}/secrets/apiKey.ts`,
		from: 'return latest.replace(text, isThorough);',
		to: 'return text;',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'the key as it is, in words',
		},
	},
	{
		name: 'the API key is sent unencrypted to a host that looks like this machine',
		file: `${inShared}/transport/baseUrl.ts`,
		from: '{3}$/.test(hostname)',
		to: '{3}/.test(hostname)',
		foundBy: {
			file: 'test/unit/transport.test.ts',
			test: 'refuses "http://127.0.0.1.example.com"',
		},
	},
	{
		name: 'card data comes out',
		file: `${inShared}/secrets/cardData.ts`,
		from: '.filter(([field]) => !isCardField(field))',
		to: '',
		foundBy: {
			file: 'test/engine/operations.test.ts',
			test: 'gives card data only if the user asks for it, Simplify false',
		},
	},
	{
		name: 'results are paired with the first item',
		file: `${inNode}/execution/execute.ts`,
		from: 'items.map((item) => ({ item }));',
		to: 'items.map((_item, item) => ({ item }));',
		foundBy: {
			file: 'test/engine/operations.test.ts',
			test: 'creates one invoice per item, each paired with it',
		},
	},
	{
		name: 'an error names another item',
		file: `${inNode}/execution/planItems.ts`,
		from: "'' : `item ${index + 1}`",
		to: "'' : `item ${index}`",
		foundBy: {
			file: 'test/engine/items.test.ts',
			test: 'sends nothing, and reports all problems of all items in one error',
		},
	},
	{
		name: 'Continue On Fail loses the other items',
		file: `${inNode}/execution/sendUnits.ts`,
		from: 'if (!context.continueOnFail()) stop.abort();',
		to: 'stop.abort();',
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'are all sent with Continue, with result or error',
		},
	},
	{
		name: 'items are sent although one is not valid',
		file: `${inNode}/execution/execute.ts`,
		from: 'if (invalid.length && !context.continueOnFail()) {',
		to: 'if (invalid.length === plan.units.length && !context.continueOnFail()) {',
		foundBy: {
			file: 'test/engine/items.test.ts',
			test: 'sends nothing, and reports all problems of all items in one error',
		},
	},
	{
		name: 'batches do not wait for each other',
		file: `${inNode}/execution/sendUnits.ts`,
		from: '* batching.interval - clock.now()',
		to: '* 0 - clock.now()',
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'wait between batches of n8n',
		},
	},
	{
		name: 'Retry-After is ignored',
		file: `${inShared}/transport/failure.ts`,
		from: 'Math.max(retryAfterMs ?? 0, Math.round(random() * maxJitter))',
		to: 'Math.round(random() * maxJitter)',
		foundBy: { file: 'test/engine/failures.test.ts', test: 'is given the time that it asks for' },
	},
	{
		name: 'the due date moves by a day where the time zone is behind UTC',
		file: `${inShared}/fields/dates.ts`,
		from: 'if (!offset || time.every((part) => part === 0))',
		to: 'if (!offset)',
		foundBy: {
			file: 'test/unit/values.test.ts',
			test: 'dates are calendar dates and never shift',
		},
	},
	{
		name: "a moment is the day that it is in UTC, not in the workflow's time zone",
		file: `${inShared}/fields/dates.ts`,
		from: 'return { value: dateIn(zone, instant) };',
		to: "return { value: dateIn(zone && 'UTC', instant) };",
		foundBy: {
			file: 'test/unit/values.test.ts',
			test: 'gives the same day as Luxon for any moment',
		},
	},
	{
		name: 'an ID of many digits loses some',
		file: `${inShared}/transport/json.ts`,
		from: 'if (inexact.length === 0)',
		to: 'if (inexact.length >= 0)',
		foundBy: {
			file: 'test/unit/json.test.ts',
			test: 'keeps all digits of whole numbers',
		},
	},
	{
		name: 'an invoice that came back with another amount counts as created',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'return differences.length\n\t\t? createdDifferentlyFailure',
		to: 'return differences.length > 99\n\t\t? createdDifferentlyFailure',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'is an error that names the difference',
		},
	},
	{
		name: 'By Email: of two customers with one email the first is billed',
		file: `${inShared}/customers/findCustomer.ts`,
		from: 'if (found.length === 1)',
		to: 'if (found.length >= 1)',
		foundBy: {
			file: 'test/engine/customers.test.ts',
			test: 'the locator mode By Email bills nobody if two customers share an email',
		},
	},
	{
		name: 'Return Existing compares numbers case-sensitively',
		file: `${inShared}/fields/lookAlikes.ts`,
		from: "typedForm(normalize(text, 'NFKC'))",
		to: '[...text].map((char) => char.codePointAt(0)).join()',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'counts as existing within the same run, however it is written',
		},
	},
	{
		name: 'a created invoice is forgotten while the list lags',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'recent.add(number, invoice);',
		to: 'recent.createdWith(number);',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'Create finds or refuses its own invoices in the next run',
		},
	},
	{
		name: 'a lost answer is forgotten: another execution creates the invoice again',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'recent.addLost(number, sentAt.getTime());',
		to: 'recent.createdWith(number);',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'blocks the number in a simultaneous execution',
		},
	},
	{
		name: 'the invoices of one account count for another',
		file: `${inShared}/transport/account.ts`,
		from: "String(apiKey ?? '').trim()",
		to: 'Boolean(apiKey)',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'two keys with the same Base URL create the same number once each',
		},
	},
	{
		name: 'an invoice that two processes created is not reported',
		file: `${inNode}/invoices/duplicates.ts`,
		from: 'if (ids.length < 2) return {};',
		to: 'if (ids.length < 3) return {};',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'are reported if all of them are created twice',
		},
	},
	{
		name: 'a trigger delivers what was there when it was activated',
		file: `${inTrigger}/start.ts`,
		from: "if (startWith === 'newOnly') return freshTimes(true);",
		to: "if (startWith === 'newOnly') return cursorFrom(null);",
		foundBy: {
			file: 'test/engine/trigger.test.ts',
			test: 'starts the workflow once for new charges, oldest first',
		},
	},
	{
		name: 'an event delivers what was in its list when it was activated',
		file: `${inTrigger}/start.ts`,
		from: "const cursor = freshCursor(startWith !== 'all');",
		to: 'const cursor = freshCursor(false);',
		foundBy: {
			file: 'test/engine/triggerEvents.test.ts',
			test: 'starts the workflow once for each new result, and for no existing one',
		},
	},
	{
		name: 'a trigger forgets which charges it delivered',
		file: `${inTrigger}/watch/creationTimes.ts`,
		from: 'for (const [id, time] of results) this.untilById.set(id, groupEndOf(time));',
		to: 'for (const [id] of results) this.untilById.delete(id);',
		foundBy: {
			file: 'test/engine/trigger.test.ts',
			test: 'starts the workflow once for new charges, oldest first',
		},
	},
	{
		name: 'an event forgets what it delivered',
		file: `${inTrigger}/watch/known.ts`,
		from: 'for (const [id] of results) this.ids.add(id);',
		to: 'for (const [id] of results) this.ids.delete(id);',
		foundBy: {
			file: 'test/engine/triggerEvents.test.ts',
			test: 'starts the workflow once for each new result, and for no existing one',
		},
	},
	{
		name: "an event believes the service's filter",
		file: `${inTrigger}/watchTask.ts`,
		from: 'own.trim().toLowerCase() === status',
		to: 'own.trim().length > 0',
		foundBy: {
			file: 'test/engine/triggerEvents.test.ts',
			test: 'works if the service ignores the filter or matches parts of it',
		},
	},
	{
		name: 'the cursor counts before n8n has the items, which a dropped poll loses',
		file: `${inTrigger}/poll.ts`,
		from: 'save(found.cursor, items.length > 0);',
		to: 'save(found.cursor, false);',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'delivers every charge once, also under another name and if n8n drops a poll',
		},
	},
	{
		name: 'with durable cursors, what came between other filters and the next poll is lost',
		file: `${inTrigger}/state/trigger.ts`,
		from: 'one.filters === other.filters &&',
		to: 'true &&',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'lose nothing between other filters and the next poll, for events without creation times',
		},
	},
	{
		name: 'after other filters, what came in a pause before is lost',
		file: `${inTrigger}/start.ts`,
		from: 'const after = Math.max(lookedAt - clockMargin - 1,',
		to: 'const after = Math.max(now - clockMargin - 1,',
		foundBy: {
			file: 'test/engine/trigger.test.ts',
			test: 'goes on with other filters after days without a poll',
		},
	},
	{
		name: 'a poll begins before n8n has saved what the last one gave, and gives it again',
		file: `${inTrigger}/state/trigger.ts`,
		from: 'now >= this.pending.until) return false;',
		to: 'now >= this.pending.at) return false;',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'skip one of three simultaneous polls that does not know the one before',
		},
	},
	{
		name: 'a trigger does not pause after polls that failed',
		file: `${inTrigger}/state/trigger.ts`,
		from: 'const waitUntil = now + Math.max(wait * (1 - jitter * Math.random()), minWait);',
		to: 'const waitUntil = now + minWait;',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'fails polls with the reason, and with growing pauses',
		},
	},
	{
		name: 'a list that only looked sorted gives old charges',
		file: `${inTrigger}/watch/whole.ts`,
		from: 'search.knowOlderThan(times?.begun);',
		to: 'void times;',
		foundBy: {
			file: 'test/unit/newCharges.test.ts',
			test: 'starts nothing for old charges, one every 1 minutes',
		},
	},
	{
		name: 'what a mistake of the service hides is new when it is back',
		file: `${inTrigger}/watch/known.ts`,
		from: 'const isBatch = leaving.length > maxDepartures;',
		to: 'const isBatch = false;',
		foundBy: {
			file: 'test/unit/listEntries.test.ts',
			test: 'a third of an unordered list that is hidden for 90 minutes starts nothing when it is back',
		},
	},
	{
		name: 'a UUID in capitals is another charge',
		file: `${inShared}/pagination/page.ts`,
		from: 'uuid.test(id) ? id.toLowerCase() : String(id)',
		to: 'uuid.test(id) ? String(id) : String(id)',
		foundBy: {
			file: 'test/unit/newCharges.test.ts',
			test: 'an ID whose case differs between replicas is the same: 60 charges',
		},
	},
	{
		name: 'a count that is always one too high is ignored for ever',
		file: `${inTrigger}/watch/whole.ts`,
		from: 'if (isSame && Math.abs(by) <= list.pageLength) {',
		to: 'if (isSame && by === 0) {',
		foundBy: {
			file: 'test/unit/listEntries.test.ts',
			test: 'if one of 600 invoices is twice every new invoice comes with the next poll, and the log says once that the count is wrong',
		},
	},
	{
		name: 'triggers that are published together each read the list',
		file: `${inTrigger}/poll.ts`,
		from: 'const publishedTogether = 10_000;',
		to: 'const publishedTogether = 0;',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'are ready with one reading, although the service allows 60 requests a minute',
		},
	},
	{
		name: 'the pauses of the trigger go by the system clock',
		file: `${inTrigger}/state/trigger.ts`,
		from: 'return now < (this.streak?.waitUntil ?? -Infinity);',
		to: 'return now - clock.elapsed() + clock.now() < (this.streak?.waitUntil ?? -Infinity);',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'fails polls with the reason, and with growing pauses',
		},
	},
	{
		name: 'of equal rows without numbers only one is billed',
		file: `${inNode}/plan/plannedInvoice.ts`,
		from: 'tried.set(base, count);',
		to: '',
		foundBy: {
			file: 'test/engine/plan.test.ts',
			test: 'invoice numbers from the content count equal rows',
		},
	},
	// Each kind of statement of a reading, and of what it shows to a person.
	{
		name: 'a column that the reading names is not the one that is billed',
		file: `${inNode}/reading/columns.ts`,
		from: 'if (columns.length === 0 || isIdle) continue;',
		to: 'if (columns.length < 2 || isIdle) continue;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'sheets, one line each an amount for each row',
		},
	},
	{
		name: 'a column that the reading does not bill is billed',
		file: `${inNode}/reading/statements.ts`,
		from: '\t\t...notBilled,\n',
		to: '',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'sheets, one line each a known name in a column that says less',
		},
	},
	{
		name: '1.250 is read the other way than the reading says',
		file: `${inNode}/reading/formats.ts`,
		from: 'const decimal = separator ?? numberFormat.decimal;',
		to: 'const { decimal } = numberFormat;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a price with three decimals',
		},
	},
	{
		name: 'the order of days and months that was confirmed is forgotten',
		file: `${inNode}/reading/formats.ts`,
		from: 'dateOrder: order ?? dates.order,',
		to: 'dateOrder: dates.order,',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'the order of days and months that was confirmed holds',
		},
	},
	{
		name: 'a price per 1000 is billed for each',
		file: `${inNode}/reading/cells/read.ts`,
		from: 'return per ? Number(per.slice(4)) || 1 : 1;',
		to: 'return per ? 1 : 1;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'prices for a thousand',
		},
	},
	{
		name: 'cents are billed as whole units',
		file: `${inNode}/reading/cells/read.ts`,
		from: "if (formats.includes('cents')) return 100;",
		to: '',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'prices in cents',
		},
	},
	{
		name: 'minutes are billed as hours',
		file: `${inNode}/reading/cells/read.ts`,
		from: "return formats.includes('minutes') ? number / 60 : undefined;",
		to: 'return undefined;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'quantities in minutes',
		},
	},
	{
		name: 'parts of a day are billed as hours',
		file: `${inNode}/reading/cells/read.ts`,
		from: "if (formats.includes('parts of a day')) return",
		to: 'if (number < 0) return',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'hours as times of a day',
		},
	},
	{
		name: 'rows become other invoices than the reading says',
		file: `${inNode}/reading/grouping.ts`,
		from: 'if (said) return by(said);',
		to: '',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'groups in another case',
		},
	},
	{
		name: 'one invoice per row is one per customer',
		file: `${inNode}/reading/grouping.ts`,
		from: "if (grouping.by === 'customer') return",
		to: "if (grouping.by === 'customer' || grouping.by === 'row') return",
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'one invoice for each row',
		},
	},
	{
		name: 'rows that a column leaves out are billed',
		file: `${inNode}/reading/rows.ts`,
		from: 'if (excluded) {',
		to: 'if (excluded && at < 0) {',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a German row is paid',
		},
	},
	{
		name: 'the total row of a sheet is billed',
		file: `${inNode}/reading/rows.ts`,
		from: "else if (rowsLeftOut !== 'none' && (isCalled || isSumOrTax || isLastSum)) {",
		to: "else if (rowsLeftOut !== 'none' && at < 0) {",
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a total row that is to be billed',
		},
	},
	{
		name: 'rows left out: none leaves out totals',
		file: `${inNode}/reading/rows.ts`,
		from: "else if (rowsLeftOut !== 'none' && (isCalled || isSumOrTax || isLastSum)) {",
		to: 'else if (isCalled || isSumOrTax || isLastSum) {',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a total row that is to be billed',
		},
	},
	{
		name: 'merged cells stay empty',
		file: `${inNode}/reading/merged.ts`,
		from: 'cells.get(column)?.set(at, filler.cell);',
		to: '',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a customer below a merged cell',
		},
	},
	{
		name: 'headers below a title are taken for a row',
		file: `${inNode}/reading/table.ts`,
		from: 'if (index <= at || (isSheet && isBlank(row))) continue;',
		to: 'if (index < at || (isSheet && isBlank(row))) continue;',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'titles, headings and footnotes stand in the reading, with digits and months masked',
		},
	},
	{
		name: 'a last name is left out of the customer',
		file: `${inNode}/reading/rows.ts`,
		from: "name === 'customerId' && roles.restOfName ? cellOf(roles.restOfName, at) : undefined;",
		to: 'undefined;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'a first and a last name',
		},
	},
	{
		name: 'what was seen of other invoices settles these',
		file: `${inNode}/reading/readSheet.ts`,
		from: '[invoices.sort(), others.sort()]',
		to: '[others.sort()]',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a note that says paid is found, until it is settled',
		},
	},
	{
		name: 'a decimal comma is left out: 80,50 is billed as 8050',
		file: `${inNode}/reading/cells/numbers.ts`,
		from: "plain.replace(',', '.')",
		to: "plain.replace(',', '')",
		foundBy: { file: 'test/unit/freshSheets.test.ts', test: 'of 260 clear sheets' },
	},
	{
		name: 'a line total that is not price times quantity is ignored',
		file: `${inNode}/reading/amounts.ts`,
		from: 'if (!line.equals(stated) && !isRounded) {',
		to: "if (!line.equals(stated) && !isRounded && count === '') {",
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a line total that is not price times quantity stops its row',
		},
	},
	{
		name: 'of two customers with one name the first is billed',
		file: `${inNode}/reading/customers.ts`,
		from: 'if (found.length > 1)',
		to: 'if (found.length > 2)',
		foundBy: {
			file: 'test/engine/customers.test.ts',
			test: 'fail and list both customers if two share a name or email',
		},
	},
	{
		name: 'two invoices of a sheet may share a number, in capitals and not: one is never created',
		file: `${inNode}/reading/invoices.ts`,
		from: 'const key = comparableNumber(number);',
		to: 'const key = number;',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'invoice numbers that differ in case and spaces',
		},
	},
	{
		name: 'a row without a number beside an invoice is left out of it with Continue',
		file: `${inNode}/reading/grouping.ts`,
		from: 'const lone = isNumbered(draft) ?',
		to: 'const lone = !isNumbered(draft) ?',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a row without a number stops the invoice beside it',
		},
	},
	{
		name: 'a preview creates invoices',
		file: `${inNode}/fromRows/planRows.ts`,
		from: 'if (preview) return { ...unit, prepared: { results: [preview] } };',
		to: '',
		foundBy: {
			file: 'test/engine/createFromRows.test.ts',
			test: 'a preview sends nothing and gives exact totals',
		},
	},
	{
		name: 'a plan that has changed since it was approved is carried out',
		file: `${inNode}/fromRows/planRows.ts`,
		from: '(settings.onlyIfPlanIs &&',
		to: '(!settings.onlyIfPlanIs &&',
		foundBy: {
			file: 'test/engine/plan.test.ts',
			test: 'Only If Plan Is sends nothing after a change: an amount',
		},
	},
	{
		name: 'Maximum Total of a sheet counts nothing',
		file: `${inNode}/fromRows/planRows.ts`,
		from: '(await aboveCeiling(context, forecast, settings)) ??',
		to: '',
		foundBy: {
			file: 'test/engine/operations.test.ts',
			test: 'stops a run above it, and counts no existing invoices',
		},
	},
	{
		name: 'a renamed column is left out',
		file: `${inNode}/reading/columns.ts`,
		from: 'if (columns.length === 0 || isIdle) continue;',
		to: "if (columns.length === 0) this.how.set(field, 'said'); if (columns.length === 0 || isIdle) continue;",
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a renamed column is offered as what it is',
		},
	},
	{
		name: 'a row of data is taken for the headers',
		file: `${inNode}/reading/table.ts`,
		from: 'const isThere = said >= 0 && Object.values(rows[said]).some(isNamed);',
		to: 'const isThere = said >= 0;',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'headers are found again though most have other names and the title above them has gone',
		},
	},
	{
		name: 'two numbers in a cell are one price',
		file: `${inNode}/reading/cells/numbers.ts`,
		from: 'isWhole ? digits.replace(',
		to: 'isWhole || digits ? digits.replace(',
		foundBy: {
			file: 'test/unit/sheetTable.test.ts',
			test: 'two numbers in a column of whole prices',
		},
	},
	{
		name: 'an empty page that contradicts itself proves that an invoice is not there',
		file: `${inShared}/pagination/fetchResults.ts`,
		from: 'mustBeConsistent ? contradictionIn(read, page) : undefined',
		to: 'undefined',
		foundBy: { file: 'test/engine/failures.test.ts', test: 'an empty page that counts -1' },
	},
	{
		name: 'an answer with an ID is a created invoice',
		file: `${inShared}/pagination/fetchResults.ts`,
		from: 'return shown.length > 1',
		to: 'return shown.length >= 0',
		foundBy: { file: 'test/engine/failures.test.ts', test: 'only an ID' },
	},
	{
		name: 'an answer that reports an error is a success',
		file: `${inShared}/transport/response.ts`,
		from: 'if (!isDenied && !isSaid(error) && !isSaid(errors)) return undefined;',
		to: 'if (body) return undefined;',
		foundBy: {
			file: 'test/engine/failures.test.ts',
			test: 'an error beside the fields of an invoice',
		},
	},
	{
		name: 'a create is sent again after 429 without a look',
		file: `${inShared}/transport/client.ts`,
		from: 'lastFailure?.status && (await policy.beforeRepeat?.())',
		to: 'undefined',
		foundBy: { file: 'test/engine/failures.test.ts', test: 'an error, with every status' },
	},
	{
		name: 'Retry On Fail sends a create again that was refused',
		file: `${inNode}/execution/sendUnits.ts`,
		from: '!mayBeSentAgain(failure) && !operation',
		to: '!mayBeSentAgain(failure) && !failure && !operation',
		foundBy: { file: 'test/engine/failures.test.ts', test: 'an error, with every status' },
	},
	{
		name: 'a 409 says that nothing was done',
		file: `${inShared}/transport/failure.ts`,
		from: '405, 406, 410, 411,',
		to: '405, 406, 409, 410, 411,',
		foundBy: { file: 'test/engine/answers.test.ts', test: '409' },
	},
	{
		name: 'numbers with dashes that look alike are two',
		file: `${inShared}/fields/lookAlikes.ts`,
		from: ".replace(dashes, '-')",
		to: '',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'with an en dash is what it looks like in a sheet',
		},
	},
	{
		name: 'a number with an invisible character is sent',
		file: `${inShared}/fields/rules.ts`,
		from: "'value' in read ? hiddenIn(read.value) : undefined",
		to: 'undefined',
		foundBy: {
			file: 'test/engine/invoiceNumbers.test.ts',
			test: 'with a soft hyphen is not sent, and the error says where',
		},
	},
	{
		name: 'the key comes out of a successful response',
		file: `${inShared}/transport/response.ts`,
		from: 'readJson(withoutSecretKey(body, apiKey))',
		to: 'readJson(body)',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'is in no field of a successful response: as it is',
		},
	},
	{
		name: 'an escaped key stands in an error',
		file: `${inShared}/secrets/apiKey.ts`,
		from: '(isThorough || text.search(spelling) >= 0))',
		to: 'text.search(inAnyCase) >= 0)',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'is in no error, wherever the text is cut: all in %',
		},
	},
	{
		name: 'a text is cut before the key is searched',
		file: `${inShared}/transport/errorText.ts`,
		from: 'const raw = withoutKey(text, apiKey);',
		to: 'const raw = withoutKey(text.slice(0, 2_005), apiKey);',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'is in no error, wherever the text is cut: as it is',
		},
	},
	{
		name: 'the key is not known in Base64 within another text',
		file: `${inShared}/secrets/apiKey.ts`,
		from: 'exact: [0, 1, 2].flatMap',
		to: 'exact: [0].flatMap',
		foundBy: {
			file: 'test/engine/answers.test.ts',
			test: 'is in no field of a successful response: in Base64 with a user',
		},
	},
	{
		name: 'a card number with other separators comes out',
		file: `${inShared}/secrets/cardData.ts`,
		from: '{1,2})',
		to: '{0})',
		foundBy: { file: 'test/engine/answers.test.ts', test: 'is in no error and no output' },
	},
	{
		name: 'a plain proxy sees the key',
		file: `${inShared}/transport/client.ts`,
		from: "if (baseURL.startsWith('http:') && proxyFor(baseURL, proxy)) {",
		to: "if (baseURL.startsWith('ftp:') && proxyFor(baseURL, proxy)) {",
		foundBy: { file: 'test/engine/answers.test.ts', test: 'goes through no proxy in clear text' },
	},
	{
		name: 'hints are HTML',
		file: `${inShared}/errors/html.ts`,
		from: ".replace(/</g, '&lt;')",
		to: '',
		foundBy: {
			file: 'test/engine/items.test.ts',
			test: 'in the hints of a sheet and of an existing invoice',
		},
	},
	{
		name: 'a formula goes back into a sheet',
		file: `${inNode}/fromRows/returnedRows.ts`,
		from: "? `'${value}` : (value as string)",
		to: '? value : (value as string)',
		foundBy: { file: 'test/engine/items.test.ts', test: 'go back into a sheet as text' },
	},
	{
		name: 'items of two planned invoices can be exchanged',
		file: `${inNode}/plan/plannedInvoice.ts`,
		from: 'items: itemsOf(planned), due_date',
		to: 'items: [], due_date',
		foundBy: {
			file: 'test/engine/plan.test.ts',
			test: 'Only If Plan Is sends nothing after a change',
		},
	},
	{
		name: 'a new column of a confirmed sheet is left out without a word',
		file: `${inNode}/reading/differences.ts`,
		from: 'isConfirmed && filled.length && !named.has(header)',
		to: 'isConfirmed && filled.length > 99 && !named.has(header)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a new column stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a column that the reading needs may be missing',
		file: `${inNode}/reading/differences.ts`,
		from: 'byHeader.has(header) && !isEmpty',
		to: '!isEmpty',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a missing column stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'an emptied quantity is a quantity of 1',
		file: `${inNode}/reading/differences.ts`,
		from: 'byHeader.has(header) && !isEmpty',
		to: 'byHeader.has(header)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a column without cells stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a new status is billed',
		file: `${inNode}/reading/differences.ts`,
		from: 'of newValues) {',
		to: 'of newValues.slice(99)) {',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a new value stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a new currency beside the amounts is billed',
		file: `${inNode}/reading/differences.ts`,
		from: 'of said?.currencies ? currencies : [])',
		to: 'of said?.currencies?.length ? [] : currencies)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a currency beside the amounts is confirmed like a value',
		},
	},
	{
		name: 'nothing is compared with what stood in a column',
		file: `${inNode}/reading/differences.ts`,
		from: 'if (before)\n\t\t\tfor (const',
		to: 'if (before && rows.length > 1e6)\n\t\t\tfor (const',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a first deposit stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a new title or footnote is not read',
		file: `${inNode}/reading/differences.ts`,
		from: 'if (isCompared && !seen.has(mask))',
		to: 'if (!isCompared && !seen.has(mask))',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'titles, headings and footnotes stand in the reading, with digits and months masked',
		},
	},
	{
		name: 'cells of any kind may stand where there was another',
		file: `${inNode}/reading/shapes.ts`,
		from: 'if (!isUsual(cell.kind, shape, field))',
		to: 'if (kinds.length > 99)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a first deposit stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a currency may be emptied',
		file: `${inNode}/reading/shapes.ts`,
		from: "if (kind === 'empty') return !neverEmpty.includes(field ?? '');",
		to: "if (kind === 'empty') return true;",
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'an emptied currency stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a lost decimal point bills a hundred times as much',
		file: `${inNode}/reading/shapes.ts`,
		from: 'if (range) {',
		to: "if (range && header === '') {",
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'an amount without its decimal point stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'prices in another unit are billed if line totals prove them',
		file: `${inNode}/reading/shapes.ts`,
		from: '(cell) => isMost || !isProved(cell.row) ||',
		to: '(cell) => !isProved(cell.row) ||',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'prices in another unit stop, though line totals prove them, but not a single one',
		},
	},
	{
		name: 'due dates of another year are billed',
		file: `${inNode}/reading/shapes.ts`,
		from: 'Math.abs(one) > timesAsFar * Math.max(days.away, aMonth)',
		to: 'Math.abs(one) > 1e6',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'another year stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a corrected row is billed beside the old one',
		file: `${inNode}/reading/oddities.ts`,
		from: 'if (repeated.length && !said?.itemsRepeat && (!said || hasKinds(said)))',
		to: 'if (repeated.length > 99)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'an item twice stops a sheet that was confirmed, until it is confirmed as well',
		},
	},
	{
		name: 'a row that says that it is paid is billed',
		file: `${inNode}/reading/oddities.ts`,
		from: 'return doubtIn(text) ?? (other && plainWords(other));',
		to: 'return other && plainWords(other);',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a note that says paid is found, until it is settled',
		},
	},
	{
		name: 'an invoice is due years ago',
		file: `${inNode}/reading/oddities.ts`,
		from: 'if (away < -longPast) look(',
		to: 'if (away < -1e6) look(',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a due date long past is found, until it is settled',
		},
	},
	{
		name: 'a row that was pasted twice is billed twice',
		file: `${inNode}/reading/oddities.ts`,
		from: 'if (those.length < 2) continue;',
		to: 'if (those.length < 1e6) continue;',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a row that was pasted twice is found, until it is settled',
		},
	},
	{
		name: 'an invoice of 0 is sent',
		file: `${inNode}/reading/oddities.ts`,
		from: 'if (sums && Number(sums.total) === 0)',
		to: 'if (sums && Number(sums.total) < 0)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'an invoice of 0.00 and letters that were lost are looked at',
		},
	},
	{
		name: 'a row that is the sum of those above it is billed',
		file: `${inNode}/reading/totals.ts`,
		from: 'if (isSum && !(isFull && sheet.said && hasKinds(sheet.said)))',
		to: 'if (isSum && row.number < 0)',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a last row that is the sum of the others is found, until it is settled',
		},
	},
	{
		name: 'a total of the sheet that differs is not seen',
		file: `${inNode}/reading/totals.ts`,
		from: "else for (const { draft, text } of differing) raise('sums', draft.rows, text);",
		to: 'else raise;',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a stated total that differs is found, until it is settled',
		},
	},
	{
		name: 'a second price is left out without a word',
		file: `${inNode}/reading/totals.ts`,
		from: "if (rows.length) raise('sums', rows, text, { header });",
		to: '',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'two columns of one field that are both filled are looked at',
		},
	},
	{
		name: 'a kind of finding that is unchecked stops the run all the same',
		file: `${inNode}/reading/findings.ts`,
		from: 'unchecked.includes(kind) ||',
		to: '',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a due date long past is found, until it is settled',
		},
	},
	{
		name: 'a word that is written behind its column stops the run all the same',
		file: `${inNode}/reading/findings.ts`,
		from: 'shapes.get(header)?.kinds.includes(saying(word))',
		to: 'shapes.size < 0',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'a note that says paid is found, until it is settled',
		},
	},
	{
		name: 'a sheet that nobody has seen is billed',
		file: `${inNode}/fromRows/box.ts`,
		from: 'if (findings.length === 0 && isConfirmed && !isEmpty) return undefined;',
		to: 'if (findings.length === 0 && !isEmpty) return undefined;',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'even a sheet with the names of the fields is only billed once it is confirmed',
		},
	},
	{
		name: 'a refusal stops nothing',
		file: `${inNode}/fromRows/planRows.ts`,
		from: 'if (isWhole) return refuse(refusal);',
		to: '',
		foundBy: {
			file: 'test/engine/createFromRows.test.ts',
			test: 'what was seen is settled for these rows only',
		},
	},
	{
		name: 'findings are settled by any code',
		file: `${inNode}/fromRows/box.ts`,
		from: 'reading.statements.seen === seen',
		to: 'reading.statements.seen',
		foundBy: {
			file: 'test/engine/createFromRows.test.ts',
			test: 'what was seen is settled for these rows only',
		},
	},
	{
		name: 'what was seen settles what nobody has looked at',
		file: `${inNode}/reading/readSheet.ts`,
		from: 'isStated(one) ? [] : [`${one.kind}: ${one.text}`]',
		to: 'isStated(one) || one.kind ? [] : [one.text]',
		foundBy: {
			file: 'test/unit/reading.test.ts',
			test: 'what was seen does not settle what is new to look at, though the invoices are the same',
		},
	},
];
