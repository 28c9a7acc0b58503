export type { Refusal } from './errors';
export { invoicesError, refusalError, Refused, refuseIfAny } from './errors';
export type { RowSettings, Sheet } from './settings';
export {
	customerMatchings,
	mappingOf,
	rowChangeChoices,
	settingsOf,
	typedHeaderProblems,
} from './settings';
