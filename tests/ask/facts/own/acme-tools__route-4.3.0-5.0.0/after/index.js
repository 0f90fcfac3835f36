export { RouteTable } from './src/table.js';
export { matchRoute } from './src/match.js';
export { resolvePath } from './src/resolve.js';
