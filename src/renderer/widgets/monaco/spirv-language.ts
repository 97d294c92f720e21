/** SPIR-V text as spirv-dis writes it, for highlighting. */
import type { languages } from 'monaco-editor/editor/editor.api';

export const SPIRV_LANGUAGE: {
  readonly id: string;
  readonly tokens: languages.IMonarchLanguage;
  readonly configuration: languages.LanguageConfiguration;
} = {
  id: 'spirv',
  configuration: { comments: { lineComment: ';' }, wordPattern: /%\w+|Op\w+|\w+/ },
  tokens: {
    defaultToken: '',
    tokenizer: {
      root: [
        [/;.*$/, 'comment'],
        [/"[^"]*"/, 'string'],
        [
          /\bOp(Branch\w*|Label|Return\w*|Switch|Kill|Unreachable|LoopMerge|SelectionMerge|Function\w*|Phi)\b/,
          'mnemonic.flow',
        ],
        [/\bOp\w+/, 'mnemonic'],
        [/%\w+/, 'register.scalar'],
        [/-?0x[\da-f]+|-?\b\d+(\.\d+)?(e[-+]?\d+)?\b/i, 'number'],
        [/\b[A-Za-z]\w*(\|[A-Za-z]\w*)*/, 'modifier'],
      ],
    },
  },
};
