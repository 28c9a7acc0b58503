export { withContentNumbers } from './withContentNumbers';
export { cancelEarlier } from './earlierRuns';
export type { Forecast, ForecastDraft } from './forecast';
export { comparedDrafts, forecastRun, isCreated, rowChanges } from './forecast';
export { numbersOf, reasonsOf, unitOf, unitToSend } from './invoiceUnits';
export { planOf, planSummary } from './plan';
