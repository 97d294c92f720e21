/** GCN and RDNA assembly in LLVM syntax, for highlighting. */
import type { languages } from 'monaco-editor/editor/editor.api';

export const GCN_LANGUAGE: {
  readonly id: string;
  readonly tokens: languages.IMonarchLanguage;
  readonly configuration: languages.LanguageConfiguration;
} = {
  id: 'gcn',
  configuration: { comments: { lineComment: ';' }, wordPattern: /[a-z_][\w.]*|s\[\d+:\d+\]|v\[\d+:\d+\]|0x[\da-f]+/i },
  tokens: {
    defaultToken: '',
    tokenizer: {
      root: [
        [/;.*[A-Z]{2,4}\d{3,4}:.*$/, 'comment.problem'],
        [/;.*$/, 'comment'],
        [/^\s*[\w.]+:/, 'label'],
        [/\.(long|word|byte|short|quad|amd\w+)\b/, 'directive'],
        [/\bs_(swappc|setpc|call|getpc|cbranch|branch|endpgm|rfe)\w*/, 'mnemonic.flow'],
        [/\b(s|v|ds|buffer|tbuffer|image|flat|global|scratch)_\w+/, 'mnemonic'],
        [/\bexp\b/, 'mnemonic'],
        [/\b(vcc|exec)(_lo|_hi)?\b|\b(m0|scc|null|vccz|execz|src_\w+|ttmp\d+|flat_scratch\w*)\b/, 'register.special'],
        [/\bs(\d+|\[\d+:\d+\])/, 'register.scalar'],
        [/\bttmp\[\d+:\d+\]/, 'register.scalar'],
        [/\bv(\d+|\[\d+:\d+\])/, 'register.vector'],
        [/-?0x[\da-f]+|-?\b\d+(\.\d+)?(e[-+]?\d+)?\b/i, 'number'],
        [/\b[a-z_]\w*/, 'modifier'],
      ],
    },
  },
};
