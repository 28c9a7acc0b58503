import { headersPage } from '../docs';
import { fs, path, projectFolder } from '../node';

/** Writes docs/headers.md from the words of the engine: `node --import tsx tools/commands/headersPage.ts`. */
fs.writeFileSync(path.join(projectFolder, 'docs', 'headers.md'), headersPage());
