import { fs, nodeProcess, path, projectFolder } from '../../tools/node';

// n8n-core writes its settings into this folder instead of the user's ~/.n8n.
const folder = path.join(
	projectFolder,
	'.cache',
	'engine-tests',
	nodeProcess.env.JEST_WORKER_ID ?? '0',
);
fs.mkdirSync(folder, { recursive: true });
nodeProcess.env.N8N_USER_FOLDER = folder;
nodeProcess.env.N8N_ENCRYPTION_KEY = 'dummy-example-for-tests';
nodeProcess.env.N8N_LOG_LEVEL = 'silent';
