import { options, returnAllAndLimit } from '../../../shared/optionFields';

const show = { resource: ['member'], operation: ['getAll'] };

/** spec 4.7: the service takes no parameters and gives one list. */
export const memberGetAll = [...returnAllAndLimit(show), options(show)];
