export { agentRows, customerList } from './givenLists';
export type { ReadSheet } from './readWithCustomers';
export { namesOfIds, readWithCustomers } from './readWithCustomers';
