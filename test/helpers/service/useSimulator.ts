import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Simulator } from '../../../simulator/server';
import { startSimulator } from '../../../simulator/server';

let accounts = 0;

/** A new key for each test, because the node remembers data by account. */
export const newKey = () => `your-simulator-key-${(accounts += 1)}`;

/** A simulator for the tests of one file, and shortcuts to its data. Call at the top level of a test file. */
export function useSimulator() {
	let simulator: Simulator;
	beforeAll(async () => {
		simulator = await startSimulator();
		const { world } = simulator;
		const reset = world.reset.bind(world);
		world.reset = (input = {}) => reset({ apiKey: newKey(), ...input });
	});
	beforeEach(() => simulator.world.reset());
	afterAll(async () => await simulator.close());
	return {
		get url() {
			return simulator.url;
		},
		get world() {
			return simulator.world;
		},
		get credential(): ICredentialDataDecryptedObject {
			return { apiKey: simulator.world.settings.apiKey, baseUrl: simulator.url };
		},
		get requests() {
			return simulator.world.traffic.requests;
		},
		get created() {
			return simulator.world.account.created;
		},
		/** Parameters of a create that succeeds. */
		invoice(change: object = {}) {
			return {
				resource: 'invoice',
				operation: 'create',
				customerId: simulator.world.account.customers[0].id,
				currency: 'EUR',
				dueDate: '2026-12-31',
				itemsInput: 'fields',
				items: { item: [{ name: 'Consulting', amount: '19.99', quantity: 2 }] },
				...change,
			};
		},
	};
}
