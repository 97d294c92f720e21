/**
 * What atomic operations do to a memory word M with the data operand: shared by LDS, buffer, flat, scalar and image atomics.
 */
const UPDATES: Readonly<Record<string, string>> = {
  swap: 'M = data',
  cmpswap: 'M = data if M equals the comparand, which follows the data',
  fcmpswap: 'M = data if M, as a float, equals the comparand, which follows the data',
  add: 'M = M + data',
  sub: 'M = M − data',
  rsub: 'M = data − M',
  csub: 'M = M − data, but not below 0',
  smin: 'M = the smaller of M and data, signed',
  umin: 'M = the smaller of M and data, unsigned',
  smax: 'M = the larger of M and data, signed',
  umax: 'M = the larger of M and data, unsigned',
  fmin: 'M = the smaller of M and data, as floats',
  fmax: 'M = the larger of M and data, as floats',
  fadd: 'M = M + data, as floats',
  and: 'M = M & data',
  or: 'M = M | data',
  xor: 'M = M ^ data',
  inc: 'M = M + 1, or 0 where M ≥ data',
  dec: 'M = M − 1, or data where M = 0 or M > data',
};

/** `name`: the operation as buffer atomics call it, without width. */
export function atomicUpdate(name: string): string | undefined {
  return UPDATES[name];
}

/** As LDS instructions call them: the operation, and the type that says how to compare. */
export function ldsAtomicUpdate(name: string, type: string): string | undefined {
  const sign = type[0]!;
  switch (name) {
    case 'min':
    case 'max':
      return atomicUpdate(`${sign === 'f' ? 'f' : sign === 'i' ? 's' : 'u'}${name}`);
    case 'add':
      return atomicUpdate(sign === 'f' ? 'fadd' : 'add');
    case 'wrxchg':
      return atomicUpdate('swap');
    case 'cmpst':
      return `M = the second data if M equals the first${sign === 'f' ? ', as floats' : ''}`;
    case 'mskor':
      return 'M = (M without the bits of the first data) | the second data';
    case 'wrap':
      return 'M = M − the first data if M is not below it, else M + the second data';
    default:
      return atomicUpdate(name);
  }
}
