export { fillFromAbove } from './merged';
export type { LeftOut, Row } from './rows';
export { amountOf, cellReader, nameOfPrice, partLines, rowOf, sumOf, withFigures } from './rows';
export { isListed, leavesOut, partingOf, widened } from './values';
export type { Rows } from './readRows';
export { readRows } from './readRows';
