export { billedRows, overwrittenProblems, returnedColumns, returnRows } from './returnedRows';
export { unreadableFile } from './unreadableFile';
