import { fs, nodeProcess, os, path } from '../../scripts/node';

// n8n-core writes its settings into this folder, by default the user's own ~/.n8n.
nodeProcess.env.N8N_USER_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), 'engine-test-'));
nodeProcess.env.N8N_ENCRYPTION_KEY = 'dummy-example-for-tests';
nodeProcess.env.N8N_LOG_LEVEL = 'silent';
