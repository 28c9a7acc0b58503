export type { OtherReading } from './alternatives';
export { otherReadings } from './alternatives';
