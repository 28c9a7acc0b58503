export { agentRows, customerList } from './givenLists';
export type { ReadRows } from './readRows';
export { namesOfIds, readRows } from './readRows';
