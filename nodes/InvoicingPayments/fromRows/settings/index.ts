export type { Refusal } from './errors';
export { invoicesError, refusalError, Refused } from './errors';
export type { RowSettings } from './settings';
export {
	customerMatchings,
	mappingOf,
	rowChangeChoices,
	settingsOf,
	typedHeaderProblems,
} from './settings';
