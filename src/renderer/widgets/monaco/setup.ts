/** The editor with only what reading code needs: find, hover, bracket and word marks. Two languages of our own. */
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/clipboard/register';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { GCN_LANGUAGE } from './gcn-language.ts';
import { SPIRV_LANGUAGE } from './spirv-language.ts';
import { defineThemes } from './themes.ts';

declare global {
  interface Window {
    MonacoEnvironment?: { getWorker(): Worker };
  }
}

window.MonacoEnvironment = { getWorker: () => new EditorWorker() };

for (const { id, tokens, configuration } of [GCN_LANGUAGE, SPIRV_LANGUAGE]) {
  monaco.languages.register({ id });
  monaco.languages.setMonarchTokensProvider(id, tokens);
  monaco.languages.setLanguageConfiguration(id, configuration);
}
defineThemes(monaco);

export { monaco };
