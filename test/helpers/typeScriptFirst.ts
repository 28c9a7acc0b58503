/* Beside each node stands its codex, X.node.json: for programs that tsx runs, "X.node" is to mean X.node.ts as it does for all else. */
const extensions: Partial<NodeJS.RequireExtensions> = require.extensions;
const { '.json': json } = extensions;
delete extensions['.json'];
extensions['.json'] = json;
export {};
