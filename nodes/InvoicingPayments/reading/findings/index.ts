export type { Finding } from './findings';
export { isStated, placeOf, settledWhole } from './findings';
export { isReference } from './repeats';
export { isPlainKind } from './shapes';
export type { Findings } from './readFindings';
export { readFindings } from './readFindings';
