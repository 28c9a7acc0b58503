export { parseReading, printReading, readingText } from './text';
