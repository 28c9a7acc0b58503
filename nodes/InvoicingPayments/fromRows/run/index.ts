export { withContentNumbers } from './withContentNumbers';
export type { Forecast, ForecastDraft } from './forecast';
export { changesOf, comparedDrafts, forecastRun, isCreated, rowChanges } from './forecast';
export { numbersOf, reasonsOf, unitOf, unitToSend } from './invoiceUnits';
export { planOf, planSummary } from './plan';
