import type { IExecuteFunctions } from 'n8n-workflow';
import { Progress } from '../../nodes/InvoicingPayments/execution/progress';

test('how many of how many are done is said every five seconds, and not at the end', () => {
	const said: string[] = [];
	const context = {
		getNode: () => ({ name: 'Create Invoices' }),
		logger: { info: (message: string) => said.push(message) },
		sendMessageToUI: (message: string) => said.push(message),
	} as unknown as IExecuteFunctions;
	let now = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const progress = new Progress(context, 100, 'invoice');
	for (let done = 1; done <= 100; done++) {
		now += 120;
		progress.step();
	}
	jest.restoreAllMocks();
	const [log, ui, ...rest] = said;
	expect([log, ui]).toEqual(Array(2).fill('Create Invoices: 42 of 100 invoices are done'));
	expect(rest).toEqual(Array(2).fill('Create Invoices: 84 of 100 invoices are done'));
});
