import { qualityPage } from '../quality/page';
import { fs, log, path, projectFolder } from './node';

/** Writes docs/quality.md from the promises of the documentation and the results of the last full runs. */
fs.writeFileSync(path.join(projectFolder, 'docs', 'quality.md'), qualityPage());
log('docs/quality.md is written.');
