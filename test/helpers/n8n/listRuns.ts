import { useNode } from './nodeRuns';

/** `useNode`, and what its service lists. Call at the top level of a test file. */
export function useLists() {
	const node = useNode();
	const { service } = node;
	afterEach(() => jest.restoreAllMocks());
	const charges = () => service.world.account.listCharges({}, 1, 300, 'newestFirst').results;
	const seeded = (index: number) => {
		const { id, invoice_number: number } = service.world.account.invoices[index].full;
		return { id, number };
	};
	/** Calls `act` before each page of invoices that the service gives. */
	function beforeEachList(act: () => void): void {
		const { account } = service.world;
		const list = account.listInvoices.bind(account);
		jest.spyOn(account, 'listInvoices').mockImplementation((...args) => {
			act();
			return list(...args);
		});
	}
	return { ...node, charges, seeded, beforeEachList };
}
