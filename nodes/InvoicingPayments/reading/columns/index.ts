export type { Range, Sums } from './amounts';
export {
	discountAdvice,
	isNear,
	isSameSum,
	itemOf,
	percentBetween,
	roundestIn,
	sumsOf,
	taxRateOf,
} from './amounts';
export type { AssignSettings, Candidate, GivenValues, Roles } from './assign';
export { candidatesFor, columnsOf, mayBeDiscount, moneyOf } from './assign';
export type {
	CustomerCell,
	CustomerMatch,
	CustomerMatching,
	CustomerResult,
	KnownCustomers,
} from './customers';
export { findCustomer, findCustomers, mayBeCustomer } from './customers';
export type { ItemColumns } from './evidence';
export { isDiscount, saysSettled } from './evidence';
export type { Explanation } from './explain';
export {
	explanationOf,
	explanationsIn,
	figuresAt,
	holdsAt,
	isPercentage,
	isRate,
	isTaxed,
	isTold,
	partsOf,
	relationOf,
	taxesIn,
} from './explain';
export type { SheetField } from './fields';
export {
	dateFields,
	itemNumbers,
	itemsField,
	meansWithoutCells,
	sheetField,
	sheetFields,
	wordFields,
} from './fields';
export type { WrittenColumn } from './formats';
export { countsTerms } from './formats';
export {
	asksWhetherBillable,
	doubtIn,
	isAnswer,
	isCalledTotal,
	isTotalName,
	markIn,
	multipleIn,
	saysNo,
	saysUnpaid,
	saysYesOrNo,
	sumIn,
	withParticiples,
} from './marks';
export type { Money } from './money';
export { amountAt, isNumeric, mayBeItem, pointsFor, withMore } from './money';
export type { Column, Look, Profile } from './profile';
export { findExplanation } from './billedExplanation';
export type { Columns, ColumnSettings, OpenSheet } from './readColumns';
export { openSheet, readColumns, usedColumns } from './readColumns';
