export type { Forecast } from './forecast';
export { cancelEarlier, forecastRun, rowChanges, withContentNumbers } from './forecast';
export { numbersOf, reasonsOf, unitOf, unitToSend } from './invoiceUnits';
