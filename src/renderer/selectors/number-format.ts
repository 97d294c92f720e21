/** A 32-bit word as text. Pure. */
export const NUMBER_FORMATS = ['hex', 'dec', 'int', 'float'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export const FORMAT_NAMES: Readonly<Record<NumberFormat, string>> = {
  hex: 'Hex',
  dec: 'Unsigned',
  int: 'Signed',
  float: 'Float',
};

/** Characters that the widest value of a format takes. */
export const FORMAT_WIDTH: Readonly<Record<NumberFormat, number>> = { hex: 8, dec: 10, int: 11, float: 13 };

const scratch = new DataView(new ArrayBuffer(4));

function floatText(word: number): string {
  scratch.setUint32(0, word);
  const value = scratch.getFloat32(0);
  if (Number.isNaN(value)) return `NaN ${(word & 0x7fffff).toString(16)}`;
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return value > 0 ? '+inf' : '-inf';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e7)) return value.toExponential(5);
  return String(Number(value.toPrecision(8)));
}

export function formatWord(word: number, format: NumberFormat): string {
  switch (format) {
    case 'hex':
      return (word >>> 0).toString(16).padStart(8, '0');
    case 'dec':
      return String(word >>> 0);
    case 'int':
      return String(word | 0);
    case 'float':
      return floatText(word);
  }
}

export function formatAddress(address: number): string {
  return `0x${address.toString(16)}`;
}

/** 28672 → "28 KiB". */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
}

/** 1 word, 2 words. */
export function counted(count: number, what: string, many = `${what}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? what : many}`;
}
