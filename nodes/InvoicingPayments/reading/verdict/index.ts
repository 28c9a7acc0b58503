export type { Verdict } from './verdict';
export { findingsOf, verdictOf } from './verdict';
