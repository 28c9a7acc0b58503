/* Each node has a codex file X.node.json. Programs that tsx runs must still resolve "X.node" to X.node.ts. */
const extensions: Partial<NodeJS.RequireExtensions> = require.extensions;
const { '.json': json } = extensions;
delete extensions['.json'];
extensions['.json'] = json;
export {};
