import { register } from 'node:module';
import { editsOf } from './planted.mjs';

// npm run sim -- --seed N [--scenario S] [--fault NAME]: runs the TypeScript sources as they are, or with a fault.
register('../runner/typescript-hooks.mjs', import.meta.url);
const fault = process.argv.indexOf('--fault');
if (fault > 0) register('./planting.mjs', import.meta.url, { data: editsOf(process.argv[fault + 1]) });
await import('./main.ts');
