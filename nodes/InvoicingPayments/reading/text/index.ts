export { parseReading, printReading } from './text';
