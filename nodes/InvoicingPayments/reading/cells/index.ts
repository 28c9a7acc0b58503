export {
	currenciesOf,
	decimalsOf,
	isCertainCurrency,
	isCurrencyBeside,
	isCurrencyCode,
} from './currencies';
export type { DateOrder } from './dates';
export {
	isDateNumber,
	isDateText,
	isHourBeforeMidnight,
	isMonthOrWeekday,
	provedOrders,
	readDate,
	toTermDays,
} from './dates';
export type { NumberEvidence, NumberFormat } from './numbers';
export { durationIn, numberEvidence, readAmount, readQuantity } from './numbers';
export type { CellProblem } from './problems';
export { listNumbers, plural, problemText, rowsLabel } from './problems';
export type { CellFormat, CellOutcome } from './read';
export { clean, divisorOf, isDash, readable, readCell, readCurrency } from './read';
