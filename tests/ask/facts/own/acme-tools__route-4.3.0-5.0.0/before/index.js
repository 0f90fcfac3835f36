export { RouteTable } from './src/table.js';
export { matchRoute } from './src/match.js';
export { buildUrl } from './src/build.js';
