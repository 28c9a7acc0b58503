export type { LeftOut, Row } from './rows';
export { amountOf, sumOf } from './rows';
export { isListed, leavesOut } from './values';
export type { Rows } from './readRows';
export { readRows } from './readRows';
