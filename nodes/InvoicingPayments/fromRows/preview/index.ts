export { boxOf } from './box';
export { sumText } from './draftTexts';
export { leftOutLines } from './findingTexts';
export { offersOf } from './otherReadings';
export { previewsOf } from './preview';
export { getReadings, rememberReading } from './recentReadings';
export { refusalOf } from './refusal';
export { summaryNotice } from './summaryNotice';
