/**
 * Lists of 32-bit values as filetests write them, one value per lane or word:
 *
 *   7 · -1 · 0xff · 1.5f    an integer, or a float's bits
 *   100..131                every integer from … to, also downwards
 *   0..124/4                in steps
 *   9*4 · (1 2 3)*8         a value or a group, repeated
 *
 * A single value stands for all. Everything else is an error with the text in question.
 */
const NUMBER = /^-?(?:0x[0-9a-f]+|\d+)$/i;

function word(text: string): number {
  if (/^-?\d+(?:\.\d+)?(?:e-?\d+)?f$/.test(text)) {
    return new Uint32Array(Float32Array.of(Number(text.slice(0, -1))).buffer)[0]!;
  }
  if (!NUMBER.test(text)) throw new Error(`'${text}' is no value`);
  return (text.startsWith('-') ? -Number(text.slice(1)) : Number(text)) >>> 0;
}

function range(text: string): number[] {
  const match = /^(\w+)\.\.(\w+)(?:\/(\d+))?$/.exec(text);
  if (!match) return [word(text)];
  const [first, last, step] = [word(match[1]!), word(match[2]!), Number(match[3] ?? 1)];
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  return Array.from({ length: count }, (_, i) => (first + (last < first ? -i : i) * step) >>> 0);
}

function list(tokens: string[], closing: boolean): number[] {
  const out: number[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token === ')') {
      if (!closing) throw new Error("')' without '('");
      return out;
    }
    const part = token === '(' ? list(tokens, true) : range(token);
    let times = 1;
    if (tokens[0]?.startsWith('*')) times = Number(tokens.shift()!.slice(1));
    for (let i = 0; i < times; i++) out.push(...part);
  }
  if (closing) throw new Error("'(' without ')'");
  return out;
}

export function parseValues(text: string): number[] {
  return list(text.match(/[()]|\*\d+|[^\s()*]+/g) ?? [], false);
}

/** Exactly `count` values. */
export function parseLanes(text: string, count: number): number[] {
  const values = parseValues(text);
  if (values.length === 1) return new Array<number>(count).fill(values[0]!);
  if (values.length !== count) throw new Error(`'${text}' are ${values.length} values, not ${count}`);
  return values;
}
