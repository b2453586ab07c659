import { defineConfig } from 'vite';

/** `npm run panel` serves the pages with the API of a running service; `bin/build.mjs` builds them. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../dist/panel',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // The library marks its files for servers that render React; here all of it runs in the browser.
      onwarn: (warning, show) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || show(warning),
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
