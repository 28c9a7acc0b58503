import { returnAllAndLimit } from '../../../shared/listFields';

/** spec 4.7: the service takes no parameters and gives one list. */
export const memberGetAll = returnAllAndLimit({ resource: ['member'], operation: ['getAll'] });
