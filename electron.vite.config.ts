/** Builds the window: Electron's main process, the preload script and the renderer, into out/main, out/preload, out/renderer. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => resolve(import.meta.dirname, path);

export default defineConfig({
  main: {
    build: {
      target: 'node20.18',
      outDir: at('out/main'),
      rollupOptions: { input: { index: at('src/main/index.ts') } },
    },
  },
  preload: {
    build: {
      outDir: at('out/preload'),
      // A sandboxed preload script is one CommonJS file.
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    base: './',
    worker: { format: 'es' },
    build: {
      target: 'chrome130',
      outDir: at('out/renderer'),
      minify: true,
      chunkSizeWarningLimit: 8000,
      rollupOptions: { input: { index: at('src/renderer/index.html') } },
    },
    plugins: [react()],
  },
});
