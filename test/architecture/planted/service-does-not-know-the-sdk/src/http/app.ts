export { client } from '../../sdk/src/index.js';
