/**
 * JSON with places: every value knows where it stands in the text, so that a wrong entry of a hand-written file is
 * reported with its line and column. Strict JSON (RFC 8259); duplicate keys are refused, because one of the two values
 * would silently win.
 */
import { atLine, type Diagnostic, type DiagnosticPlace, diagnostic } from '../../base/diagnostics.ts';
import { fail, ok, type Result } from '../../base/result.ts';

export type JsonPath = readonly (string | number)[];

interface JsonNode {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly members?: ReadonlyMap<string, JsonNode>;
  readonly items?: readonly JsonNode[];
}

const MAX_DEPTH = 64;

export class JsonDocument {
  readonly value: unknown;
  private readonly root: JsonNode;
  private readonly text: string;
  private readonly file: string | undefined;

  constructor(root: JsonNode, text: string, file: string | undefined) {
    this.value = root.value;
    this.root = root;
    this.text = text;
    this.file = file;
  }

  /** Of the value at `path`, or of the nearest one that contains it. */
  placeOf(path: JsonPath): DiagnosticPlace {
    let node = this.root;
    for (const step of path) {
      const next = typeof step === 'number' ? node.items?.[step] : node.members?.get(step);
      if (!next) break;
      node = next;
    }
    return placeAt(this.text, node.start, node.end - node.start, this.file);
  }
}

function placeAt(text: string, offset: number, length: number, file: string | undefined): DiagnosticPlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const firstLine = text.slice(offset, offset + length).split('\n')[0]!.length;
  return atLine(line, offset - lineStart + 1, Math.max(1, firstLine), file);
}

class SyntaxProblem {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

export function parseJson(text: string, file?: string): Result<JsonDocument> {
  const parsed = new JsonParser(text).parse();
  if (!(parsed instanceof SyntaxProblem)) return ok(new JsonDocument(parsed, text, file));
  const error: Diagnostic = diagnostic('CAP101', 'badInput', parsed.message, placeAt(text, parsed.offset, 1, file));
  return fail([error]);
}

class JsonParser {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    // A byte order mark is not part of the text.
    this.text = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  }

  parse(): JsonNode | SyntaxProblem {
    const node = this.parseValue(0);
    if (node instanceof SyntaxProblem) return node;
    this.skipSpace();
    return this.at < this.text.length ? this.problem('text after the end of the value') : node;
  }

  private problem(message: string, offset = this.at): SyntaxProblem {
    return new SyntaxProblem(message, offset);
  }

  private skipSpace(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private parseValue(depth: number): JsonNode | SyntaxProblem {
    this.skipSpace();
    if (depth > MAX_DEPTH) return this.problem(`nested deeper than ${MAX_DEPTH}`);
    const first = this.text[this.at];
    if (first === undefined) return this.problem('a value is missing at the end of the text');
    if (first === '{') return this.parseObject(depth);
    if (first === '[') return this.parseArray(depth);
    if (first === '"') return this.parseString();
    return this.parseAtom();
  }

  private parseObject(depth: number): JsonNode | SyntaxProblem {
    const start = this.at++;
    const members = new Map<string, JsonNode>();
    for (;;) {
      this.skipSpace();
      if (this.text[this.at] === '}' && members.size === 0) break;
      const keyAt = this.at;
      if (this.text[this.at] !== '"') return this.problem("expected a key in double quotes, or '}'");
      const key = this.parseString();
      if (key instanceof SyntaxProblem) return key;
      this.skipSpace();
      if (this.text[this.at] !== ':') return this.problem("expected ':' after the key");
      this.at++;
      const value = this.parseValue(depth + 1);
      if (value instanceof SyntaxProblem) return value;
      if (members.has(key.value as string)) return this.problem(`key "${key.value}" appears twice`, keyAt);
      members.set(key.value as string, value);
      this.skipSpace();
      if (this.text[this.at] === '}') break;
      if (this.text[this.at] !== ',') return this.problem("expected ',' or '}'");
      this.at++;
    }
    this.at++;
    const value = Object.fromEntries([...members].map(([key, node]) => [key, node.value]));
    return { value, start, end: this.at, members };
  }

  private parseArray(depth: number): JsonNode | SyntaxProblem {
    const start = this.at++;
    const items: JsonNode[] = [];
    for (;;) {
      this.skipSpace();
      if (this.text[this.at] === ']' && items.length === 0) break;
      const value = this.parseValue(depth + 1);
      if (value instanceof SyntaxProblem) return value;
      items.push(value);
      this.skipSpace();
      if (this.text[this.at] === ']') break;
      if (this.text[this.at] !== ',') return this.problem("expected ',' or ']'");
      this.at++;
    }
    this.at++;
    return { value: items.map((item) => item.value), start, end: this.at, items };
  }

  private parseString(): JsonNode | SyntaxProblem {
    const start = this.at;
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.at >= this.text.length) return this.problem('the string has no end', start);
      if (this.text[this.at] === '\\') this.at++;
    }
    this.at++;
    return this.native(start, 'not a valid string');
  }

  private parseAtom(): JsonNode | SyntaxProblem {
    const start = this.at;
    while (/[-+.\w]/.test(this.text[this.at] ?? '')) this.at++;
    if (this.at === start) return this.problem(`unexpected '${this.text[start]}'`);
    return this.native(start, `'${this.text.slice(start, Math.min(this.at, start + 20))}' is not a JSON value`);
  }

  /** A literal without nesting is what `JSON.parse` says it is. */
  private native(start: number, message: string): JsonNode | SyntaxProblem {
    try {
      return { value: JSON.parse(this.text.slice(start, this.at)), start, end: this.at };
    } catch {
      return this.problem(message, start);
    }
  }
}
