import type { EntryCursor } from '../listEntries/cursor';
import { isEntryCursor } from '../listEntries/cursor';
import type { Cursor as ChargeCursor } from '../newCharges/cursor';
import { isCursor as isChargeCursor } from '../newCharges/cursor';

/** What one of the two ways of finding what is new goes on with. */
export type Cursor = ChargeCursor | EntryCursor;

/** Whether it was kept as it was saved. */
export const isCursor = (value: unknown): value is Cursor =>
	isEntryCursor(value) || isChargeCursor(value);
