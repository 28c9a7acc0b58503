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
		from: 'return failure.status !== 425 && !mayHaveBeenDone(failure);',
		to: "return failure.kind === 'network' || !mayHaveBeenDone(failure);",
		foundBy: {
			file: 'test/engine/network.test.ts',
			test: 'a create is only sent again if it was certainly not processed not after reset',
		},
	},
	{
		name: 'a create is sent again after a 5xx',
		file: `${inShared}/transport/failure.ts`,
		from: 'return status >= 500 || status === 408;',
		to: 'return status === 408;',
		foundBy: {
			file: 'test/engine/network.test.ts',
			test: 'a create is only sent again if it was certainly not processed not after status 500',
		},
	},
	{
		name: 'Retry On Fail sends a create again that may have been done',
		file: `${inNode}/execution/sendUnits.ts`,
		from: 'if (outcome.mayBeDone) run.creates.set(unit.items[0], outcome);',
		to: '',
		foundBy: {
			file: 'test/engine/errors.test.ts',
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
		from: ': { page: read };',
		to: ': { page: (Object.assign(request, read.next && { path: read.next }), read) };',
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
		file: `${inShared}/transport/response.ts`,
		from: 'const text = hideSecrets(body, apiKey);',
		to: "const text = hideSecrets(body, '');",
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
		file: `${inShared}/output/simplify.ts`,
		from: "name !== 'card_data'",
		to: "name !== 'cardData'",
		foundBy: {
			file: 'test/engine/output.test.ts',
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
		from: 'name: `item ${index + 1}`',
		to: 'name: `item ${index}`',
		foundBy: {
			file: 'test/engine/invalidInput.test.ts',
			test: 'sends nothing, and reports all problems of all items in one error',
		},
	},
	{
		name: 'Continue On Fail loses the other items',
		file: `${inNode}/execution/sendUnits.ts`,
		from: 'if (!context.continueOnFail()) stop.abort();',
		to: 'stop.abort();',
		foundBy: {
			file: 'test/engine/errors.test.ts',
			test: 'are all sent with Continue, with result or error',
		},
	},
	{
		name: 'items are sent although one is not valid',
		file: `${inNode}/execution/execute.ts`,
		from: 'if (invalid.length && !context.continueOnFail()) {',
		to: 'if (invalid.length === plan.units.length && !context.continueOnFail()) {',
		foundBy: {
			file: 'test/engine/invalidInput.test.ts',
			test: 'sends nothing, and reports all problems of all items in one error',
		},
	},
	{
		name: 'batches do not wait for each other',
		file: `${inNode}/execution/sendUnits.ts`,
		from: '* batching.interval - clock.now()',
		to: '* 0 - clock.now()',
		foundBy: {
			file: 'test/engine/network.test.ts',
			test: 'wait between batches of n8n',
		},
	},
	{
		name: 'Retry-After is ignored',
		file: `${inShared}/transport/failure.ts`,
		from: 'Math.max(retryAfterMs ?? 0, Math.round(random() * maxJitter))',
		to: 'Math.round(random() * maxJitter)',
		foundBy: { file: 'test/engine/network.test.ts', test: 'is given the time that it asks for' },
	},
	{
		name: 'a preview creates invoices',
		file: `${inNode}/sheet/makePlan.ts`,
		from: '? { results: results ? [results] : [] }',
		to: '? { request: requestOf(draft, operation, settings) }',
		foundBy: {
			file: 'test/engine/createFromRows.test.ts',
			test: 'a preview sends nothing and gives exact totals',
		},
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
		name: 'an amount goes through floating point',
		file: `${inNode}/sheet/scales.ts`,
		from: "return BigInt(`${match[1]}${match[2]}${(match[3] ?? '').padEnd(3, '0')}`);",
		to: 'return BigInt(Math.trunc(Number(decimal) * 1000));',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'a decimal comma is left out: 80,50 is billed as 8050',
		file: `${inNode}/sheet/numberCells.ts`,
		from: "plain.replace(',', '.')",
		to: "plain.replace(',', '')",
		foundBy: {
			file: 'test/unit/rows.test.ts',
			test: 'keeps every amount exactly, with a decimal comma',
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
		name: 'the total row of a sheet is billed',
		file: `${inNode}/sheet/rows.ts`,
		from: "[cells.firstText, values.get('itemName')]",
		to: "[cells.firstText, values.get('title')]",
		foundBy: { file: 'test/engine/sheetTraps.test.ts', test: 'a total row stops its invoice' },
	},
	{
		name: 'a column of amounts that no field takes is ignored without a word',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: 'return cells.length ? [{ header: column.header, cells }] : [];',
		to: 'return cells.length > 99 ? [{ header: column.header, cells }] : [];',
		foundBy: {
			file: 'test/engine/sheetTraps.test.ts',
			test: 'an amount that belongs to no field stops the run',
		},
	},
	{
		name: 'an invoice that came back with another amount counts as created',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'return differences.length\n\t\t? createdDifferentlyFailure',
		to: 'return differences.length > 99\n\t\t? createdDifferentlyFailure',
		foundBy: {
			file: 'test/engine/strangeAnswers.test.ts',
			test: 'is an error that names the difference',
		},
	},
	{
		name: 'a total of the sheet proves away a tax',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: 'if (isOtherMoney && all.length) {',
		to: 'if (isOtherMoney && all.length && !isProved) {',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'a Total beside each single row proves the invoices',
		file: `${inNode}/sheet/totals.ts`,
		from: "if (kind !== 'invoiceOrRow' || areLineTotals) return kind === 'invoice';",
		to: "if (kind !== 'invoiceOrRow' || areLineTotals) return kind === 'invoice';\n\tif (kind === 'invoiceOrRow') return true;",
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'figures that equal a price by chance count as known',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: 'const isNoCoincidence = differs || namesAmount(header);',
		to: 'const isNoCoincidence = differs || !namesAmount(header);',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'whole numbers under any header are identifiers',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: '(isCode && (isIdentifier(header, numbers) || asksHow(header))) ||',
		to: '(isCode && numbers.length > 0) ||',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'measures are left out although no line total says that they are no quantities',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: 'if (hasLineTotals && namesMeasure(header)',
		to: 'if (namesMeasure(header)',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'quantities of something else count as measures',
		file: `${inNode}/sheet/units.ts`,
		from: 'return namesUnit && !isQuantity &&',
		to: 'return (namesUnit || isQuantity) &&',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'an hourly rate without hours is billed as one hour',
		file: `${inNode}/sheet/rows.ts`,
		from: 'if (perTime !== undefined && !isCounted) {',
		to: "if (perTime === '' && !isCounted) {",
		foundBy: {
			file: 'test/engine/sheetTable.test.ts',
			test: 'sheets, one line each an hourly rate without hours',
		},
	},
	{
		name: 'a column that is called like a tax is taken for the quantity',
		file: `${inNode}/sheet/settle.ts`,
		from: '!namesOtherMoney(header) &&',
		to: "header !== '' &&",
		foundBy: {
			file: 'test/engine/sheetTable.test.ts',
			test: 'sheets, one line each a tax that the totals would show',
		},
	},
	{
		name: 'figures inside objects are not seen',
		file: `${inNode}/sheet/figures.ts`,
		from: 'if (/^[[{]/.test(text)) return figureInJson(text, format);',
		to: 'if (/^[[{]/.test(text)) return undefined;',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'figures with a unit are not seen',
		file: `${inNode}/sheet/figures.ts`,
		from: 'return durationIn(text) ?? amountIn(text, format) ?? figureAmongWords(text);',
		to: 'return durationIn(text) ?? amountIn(text, format);',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'an expression with the whole row uses every column',
		file: `${inNode}/sheet/columns.ts`,
		from: 'if (affectsTotal(field)) for (const name of columnsUsedBy(value)) used.add(name);',
		to: 'for (const name of headers) used.add(name);',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'a row that is the sum of those above it is billed',
		file: `${inNode}/sheet/rowRules.ts`,
		from: 'found.push({ row, parts });',
		to: 'if (line < 0) found.push({ row, parts });',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'rows that say that they are void are billed',
		file: `${inNode}/sheet/rowRules.ts`,
		from: 'return notBilled.length ? [{ header, cells: notBilled }] : [];',
		to: 'return notBilled.length > 99 ? [{ header, cells: notBilled }] : [];',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
	},
	{
		name: 'a line total that is not price times quantity is ignored',
		file: `${inNode}/sheet/amounts.ts`,
		from: 'if (line !== toThousandths(total) * thousand && !isRounded) {',
		to: 'if (line < toThousandths(total) && !isRounded) {',
		foundBy: { file: 'test/engine/anySheet.test.ts', test: 'a sheet bills what it says or stops' },
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
		name: 'a tax that a column says in words is left out of the bill',
		file: `${inNode}/sheet/unexplainedColumns.ts`,
		from: 'if (namesTax(header) && !isNumber) {',
		to: 'if (namesTax(header) && isNumber) {',
		foundBy: {
			file: 'test/engine/sheetTable.test.ts',
			test: 'sheets, one line each a tax in words',
		},
	},
	{
		name: 'of two customers with one name the first is billed',
		file: `${inNode}/sheet/customers.ts`,
		from: 'if (customers.length > 1) {',
		to: 'if (customers.length > 2) {',
		foundBy: {
			file: 'test/engine/customers.test.ts',
			test: 'fail and list both customers if two share a name or email',
		},
	},
	{
		name: 'a row without a number beside an invoice is left out of it with Continue',
		file: `${inNode}/sheet/makePlan.ts`,
		from: 'const reasons = problems.length || blockedBy === undefined ? problems : [blockedBy];',
		to: 'const reasons = problems;',
		foundBy: { file: 'test/engine/sheetTraps.test.ts', test: 'a total row stops its invoice' },
	},
	{
		name: 'two invoices of a sheet may share a number, in capitals and not: one is never created',
		file: `${inNode}/sheet/groups.ts`,
		from: 'const key = comparableNumber(number);',
		to: 'const key = number;',
		foundBy: {
			file: 'test/engine/sheetTable.test.ts',
			test: 'sheets, one line each numbers in another case',
		},
	},
	{
		name: 'Return Existing compares numbers case-sensitively',
		file: `${inNode}/invoices/comparableNumber.ts`,
		from: "String(number ?? '')",
		to: "String(number ?? '').replace(/\\s/g, '') || String(number ?? '')",
		foundBy: {
			file: 'test/engine/storedNumbers.test.ts',
			test: 'two numbers that differ only in case and spaces are one invoice in Create',
		},
	},
	{
		name: 'a created invoice is forgotten while the list lags',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'recent.add(number, invoice);',
		to: 'recent.createdWith(number);',
		foundBy: {
			file: 'test/engine/laggingLists.test.ts',
			test: 'Create finds or refuses its own invoices in the next run',
		},
	},
	{
		name: 'a lost answer is forgotten: another execution creates the invoice again',
		file: `${inNode}/invoices/createInvoice.ts`,
		from: 'recent.addLost(number, sentAt.getTime());',
		to: 'recent.createdWith(number);',
		foundBy: {
			file: 'test/engine/laggingLists.test.ts',
			test: 'blocks the number in a simultaneous execution',
		},
	},
	{
		name: 'the invoices of one account count for another',
		file: `${inShared}/transport/account.ts`,
		from: "String(apiKey ?? '').trim()",
		to: 'Boolean(apiKey)',
		foundBy: {
			file: 'test/engine/invoiceNumber.test.ts',
			test: 'two keys with the same Base URL create the same number once each',
		},
	},
	{
		name: 'an invoice that two processes created is not reported',
		file: `${inNode}/invoices/duplicates.ts`,
		from: 'if (ids.length < 2) return {};',
		to: 'if (ids.length < 3) return {};',
		foundBy: {
			file: 'test/engine/twoProcesses.test.ts',
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
		to: 'save(found.cursor);',
		foundBy: {
			file: 'test/engine/triggerPolls.test.ts',
			test: 'delivers every charge once, also under another name and if n8n drops a poll',
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
		name: 'a plan that has changed since it was approved is carried out',
		file: `${inNode}/sheet/planSheet.ts`,
		from: 'if (changed.length) return refuse(changed);',
		to: 'if (changed.length > 99) return refuse(changed);',
		foundBy: {
			file: 'test/engine/plan.test.ts',
			test: 'Only If Plan Is sends nothing after a change: an amount',
		},
	},
	{
		name: 'of equal rows without numbers only one is billed',
		file: `${inNode}/plan/plannedInvoice.ts`,
		from: 'let count = 2; unavailable.has(comparableNumber(number));',
		to: 'let count = 2; count < 2;',
		foundBy: {
			file: 'test/engine/plan.test.ts',
			test: 'invoice numbers from the content count equal rows',
		},
	},
	{
		name: 'of items side by side, one without a price is left out',
		file: `${inNode}/sheet/planSheet.ts`,
		from: 'if (lines.problems.length) return refuse(lines.problems);',
		to: 'if (lines.problems.length > 99) return refuse(lines.problems);',
		foundBy: {
			file: 'test/engine/sheetTable.test.ts',
			test: 'sheets, one line each side by side, an item without a price',
		},
	},
];
