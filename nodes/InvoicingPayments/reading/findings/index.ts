export type { Comparison } from './differences';
export { compare, findExplanation } from './differences';
export type { Finding, Sheet } from './findings';
export { isStated, openFindings, settledWhole } from './findings';
export { guessesOf } from './guesses';
export { findOddities } from './oddities';
export { isReference } from './repeats';
export { isPlainKind } from './shapes';
