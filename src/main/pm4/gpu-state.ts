/**
 * Register state of the command processor, persistent: a snapshot before any event costs nothing but the path that is
 * copied by the next write, and two states are compared by skipping what they share.
 *
 * Shape: 65,536 dword addresses in a tree of three 16-way levels over chunks of 16 registers. A chunk is one array of
 * 32 numbers: values 0…15, then 1 + the sequence number of the packet that wrote each (0 = never written). Plain arrays
 * of doubles, because V8 keeps small typed arrays off its heap at many times their size.
 *
 * Invariants: a `GpuState` never changes. A `GpuStateBuilder` changes a node in place only while it alone has seen it:
 * nodes carry the token of the edit that made them, and `snapshot` starts a new edit.
 */
import { assert } from '../base/assert.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { REGISTER_LIMIT } from './registers/spaces.ts';

/** Number of a packet in the order of execution, from 1; 0 stands for what was set before the first packet. */
export type PacketSequence = number;
export const BEFORE_FIRST_PACKET: PacketSequence = 0;

type EditToken = object;

interface Chunk {
  readonly edit: EditToken;
  readonly cells: number[];
}

interface Node<Child> {
  readonly edit: EditToken;
  readonly children: (Child | undefined)[];
}

type Root = Node<Node<Node<Chunk>>>;

/** What packets set apart from registers. */
export interface ProcessorState {
  /** SET_BASE 1: base of the arguments of indirect draws and dispatches. */
  readonly indirectBase: GuestAddress | undefined;
  readonly indexBase: GuestAddress | undefined;
  /** INDEX_BUFFER_SIZE: number of indices. */
  readonly indexBufferSize: number | undefined;
  /** Raw INDEX_TYPE: bits 1:0 size (0 16 bit, 1 32 bit, 2 8 bit). */
  readonly indexType: number | undefined;
  readonly instanceCount: number | undefined;
  /** Packets with the predicate bit are skipped while this is false. */
  readonly predicate: boolean;
  /** Old value of the last ATOMIC_MEM. */
  readonly atomicReturn: bigint;
}

const INITIAL_PROCESSOR_STATE: ProcessorState = {
  indirectBase: undefined,
  indexBase: undefined,
  indexBufferSize: undefined,
  indexType: undefined,
  instanceCount: undefined,
  predicate: true,
  atomicReturn: 0n,
};

export interface RegisterChange {
  /** Absolute dword address. */
  readonly index: number;
  /** Undefined where that state never had the register written. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Last writer in the later state. */
  readonly writer: PacketSequence | undefined;
  /** `redundant`: written again with the same value. */
  readonly kind: 'changed' | 'redundant';
}

const INITIAL_EDIT: EditToken = {};

export class GpuState {
  private readonly root: Root;
  readonly processor: ProcessorState;

  constructor(root?: Root, processor: ProcessorState = INITIAL_PROCESSOR_STATE) {
    this.root = root ?? { edit: INITIAL_EDIT, children: [] };
    this.processor = processor;
  }

  static readonly EMPTY = new GpuState();

  /** The value last written, or undefined when nothing wrote the register. */
  get(index: number): number | undefined {
    const cells = cellsAt(this.root, index);
    return cells && cells[16 + (index & 15)] !== 0 ? cells[index & 15] : undefined;
  }

  /** The value last written; 0 when nothing wrote it. */
  read(index: number): number {
    return this.get(index) ?? 0;
  }

  /** The packet that wrote the register last. */
  writer(index: number): PacketSequence | undefined {
    return writerOf(cellsAt(this.root, index)?.[16 + (index & 15)] ?? 0);
  }

  edit(): GpuStateBuilder {
    return new GpuStateBuilder(this.root, this.processor);
  }

  /** Registers ever written, by ascending address. */
  *written(): Generator<{ readonly index: number; readonly value: number; readonly writer: PacketSequence }> {
    for (const [base, chunk] of chunksOf(this.root)) {
      for (let i = 0; i < 16; i++) {
        const writer = writerOf(chunk.cells[16 + i]!);
        if (writer !== undefined) yield { index: base + i, value: chunk.cells[i]!, writer };
      }
    }
  }

  /** What differs in value or was written again between this state and a later one; ascending address. */
  changesTo(later: GpuState): RegisterChange[] {
    const changes: RegisterChange[] = [];
    if (this.root === later.root) return changes;
    for (let a = 0; a < 16; a++) {
      const a0 = this.root.children[a];
      const a1 = later.root.children[a];
      if (a0 === a1) continue;
      for (let b = 0; b < 16; b++) {
        const b0 = a0?.children[b];
        const b1 = a1?.children[b];
        if (b0 === b1) continue;
        for (let c = 0; c < 16; c++) {
          const c0 = b0?.children[c];
          const c1 = b1?.children[c];
          if (c0 !== c1) compareChunks((a << 12) | (b << 8) | (c << 4), c0, c1, changes);
        }
      }
    }
    return changes;
  }
}

function writerOf(cell: number): PacketSequence | undefined {
  return cell === 0 ? undefined : cell - 1;
}

function compareChunks(base: number, before: Chunk | undefined, after: Chunk | undefined, out: RegisterChange[]): void {
  for (let i = 0; i < 16; i++) {
    const cell0 = before?.cells[16 + i] ?? 0;
    const cell1 = after?.cells[16 + i] ?? 0;
    const value0 = cell0 === 0 ? undefined : before!.cells[i];
    const value1 = cell1 === 0 ? undefined : after!.cells[i];
    if (cell0 === cell1 && value0 === value1) continue;
    out.push({
      index: base + i,
      before: value0,
      after: value1,
      writer: writerOf(cell1),
      kind: value0 === value1 ? 'redundant' : 'changed',
    });
  }
}

function cellsAt(root: Root, index: number): number[] | undefined {
  return root.children[index >> 12]?.children[(index >> 8) & 15]?.children[(index >> 4) & 15]?.cells;
}

function* chunksOf(root: Root): Generator<readonly [number, Chunk]> {
  for (let a = 0; a < 16; a++) {
    for (let b = 0; b < 16; b++) {
      for (let c = 0; c < 16; c++) {
        const chunk = root.children[a]?.children[b]?.children[c];
        if (chunk) yield [(a << 12) | (b << 8) | (c << 4), chunk];
      }
    }
  }
}

export class GpuStateBuilder {
  private root: Root;
  private token: EditToken = {};
  private current: GpuState | undefined;
  processor: ProcessorState;

  constructor(root: Root, processor: ProcessorState) {
    this.root = root;
    this.processor = processor;
  }

  /** Value of a register, 0 when never written. */
  read(index: number): number {
    const cells = cellsAt(this.root, index);
    return cells ? cells[index & 15]! : 0;
  }

  write(index: number, value: number, writer: PacketSequence): void {
    assert(index >= 0 && index < REGISTER_LIMIT && writer >= 0, 'register write outside the state');
    const cells = this.ownCells(index);
    cells[index & 15] = value >>> 0;
    cells[16 + (index & 15)] = writer + 1;
  }

  /** Registers `first`… from `words[at]`…. */
  writeRun(first: number, words: Uint32Array, at: number, count: number, writer: PacketSequence): void {
    assert(first >= 0 && first + count <= REGISTER_LIMIT && writer >= 0, 'register run outside the state');
    let cells: number[] | undefined;
    for (let i = 0; i < count; i++) {
      const slot = (first + i) & 15;
      if (!cells || slot === 0) cells = this.ownCells(first + i);
      cells[slot] = words[at + i]!;
      cells[16 + slot] = writer + 1;
    }
  }

  /** The cells of the register's chunk, to be written in place. */
  private ownCells(index: number): number[] {
    this.current = undefined;
    if (this.root.edit !== this.token) this.root = { edit: this.token, children: this.root.children.slice() };
    const a = this.ownChild(this.root, index >> 12);
    const b = this.ownChild(a, (index >> 8) & 15);
    const slot = (index >> 4) & 15;
    let chunk = b.children[slot];
    if (!chunk || chunk.edit !== this.token) {
      chunk = { edit: this.token, cells: chunk ? chunk.cells.slice() : new Array<number>(32).fill(0) };
      b.children[slot] = chunk;
    }
    return chunk.cells;
  }

  setProcessor(change: Partial<ProcessorState>): void {
    this.processor = { ...this.processor, ...change };
    this.current = undefined;
  }

  /** The state as it is now; O(1). */
  snapshot(): GpuState {
    if (!this.current) {
      this.current = new GpuState(this.root, this.processor);
      this.token = {};
    }
    return this.current;
  }

  private ownChild<C>(parent: Node<Node<C>>, slot: number): Node<C> {
    const child = parent.children[slot];
    if (child && child.edit === this.token) return child;
    const owned: Node<C> = {
      edit: this.token,
      children: child ? child.children.slice() : new Array(16).fill(undefined),
    };
    parent.children[slot] = owned;
    return owned;
  }
}
