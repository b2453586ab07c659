import { register } from 'node:module';

// npm run sim -- --seed N [--steps M] [--scenario S]: runs the TypeScript sources as they are.
register('../runner/typescript-hooks.mjs', import.meta.url);
await import('./main.ts');
