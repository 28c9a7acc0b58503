import type { ItemSettings } from '../../shared/settings';
import type { SheetFormat } from './cells';
import type { Grouping } from './group';

/** The parameters of the operation but for the columns, the same for all rows. */
export interface Settings extends ItemSettings, SheetFormat {
	group_by: Grouping;
	group_column?: string;
	only_validate?: boolean;
	first_row?: number;
	default_currency?: string;
	due_in_days?: number;
}
