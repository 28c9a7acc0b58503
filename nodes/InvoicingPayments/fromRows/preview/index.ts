export { boxOf, leftOutLines, refusalOf, sumText, unsettled } from './box';
export { offersOf } from './otherReadings';
export { exampleTexts, planOf, previewsOf } from './preview';
export { getReadings, rememberReading } from './recentReadings';
export { summaryNotice } from './summaryNotice';
