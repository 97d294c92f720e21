/**
 * The statement loop: labels, assignments, directives, instructions. One pass; fields that need labels are patched at
 * the end, so every size is known when its statement is read. A statement with an error yields no code and the next line
 * goes on; nothing throws.
 */
import { TARGETS, type Target, type WaveSize } from '../../base/dispatch.ts';
import type { GuestAddress } from '../../base/guest-address.ts';
import { encodeInstruction } from '../encode/index.ts';
import { illegalReason } from '../illegal.ts';
import { clearFields, Instruction } from '../instruction.ts';
import { Cursor, isDigit } from './cursor.ts';
import { Directives } from './directives.ts';
import { applyFixups } from './fixups.ts';
import { MatchContext } from './match/context.ts';
import { matchInstruction } from './match/index.ts';
import { acceptedModifiers, acceptsModifier, ModifierParser, Modifiers, modifierId } from './modifiers.ts';
import { Operand } from './operand.ts';
import { OperandParser } from './operand-parser.ts';
import { Output } from './output.ts';
import { type Plan, type PlanTable, planTable } from './plan.ts';
import { ASM, Reporter } from './reporter.ts';
import { parseSpecial } from './special/index.ts';
import { StatementMemory } from './statement-memory.ts';
import { didYouMean, explainOtherTarget, nearestWords, similarMnemonics } from './suggest.ts';
import { SymbolTable } from './symbols.ts';

/** More operands than any instruction has (an image address list counts as one). */
const MAX_OPERANDS = 16;

const OBJDUMP_LABEL = /[0-9a-f]{8,16} <([A-Za-z_.$][\w.$]*)>:/y;
const HASH = 35;
const COMMA = 44;
const COLON = 58;
const EQUALS = 61;

export interface AssembledLine {
  /** Line of the text, from 1. */
  readonly line: number;
  readonly address: GuestAddress;
  /** Rounded up for data that is no multiple of 4 bytes. */
  readonly sizeDwords: number;
  readonly kind: 'instruction' | 'data';
}

export class Assembler {
  readonly reporter: Reporter;
  readonly output: Output;
  readonly symbols: SymbolTable;
  readonly lines: AssembledLine[] = [];
  target: Target;
  waveSize: WaveSize;
  private readonly cursor: Cursor;
  private readonly operandParser: OperandParser;
  private readonly modifierParser: ModifierParser;
  private readonly directives: Directives;
  private readonly operands: Operand[] = [];
  private readonly modifiers = new Modifiers();
  private readonly instruction = new Instruction();
  private readonly context: MatchContext;
  private readonly words = new Uint32Array(8);
  private readonly memory = new StatementMemory();
  private plans: PlanTable;

  constructor(
    source: string,
    target: Target,
    waveSize: WaveSize,
    address: GuestAddress,
    outside: ReadonlyMap<string, GuestAddress> | undefined,
    file: string | undefined,
  ) {
    this.target = target;
    this.waveSize = target === 'gfx700' ? 64 : waveSize;
    this.cursor = new Cursor(source);
    this.reporter = new Reporter(this.cursor, file);
    this.output = new Output(address);
    this.symbols = new SymbolTable(outside);
    this.operandParser = new OperandParser(this.cursor, this.reporter, this.symbols);
    this.modifierParser = new ModifierParser(this.cursor, this.reporter, this.operandParser);
    for (let i = 0; i <= MAX_OPERANDS; i++) this.operands.push(new Operand());
    this.context = new MatchContext(this.operands, this.modifiers, this.instruction, this.reporter);
    const assembler = this;
    this.directives = new Directives(this.cursor, this.reporter, this.operandParser, this.output, this.symbols, {
      get target() {
        return assembler.target;
      },
      get hasCode() {
        return assembler.output.length > 0;
      },
      setTarget: (value) => this.selectTarget(value, value === 'gfx700' ? 64 : this.waveSize),
      setWaveSize: (value) => this.selectTarget(this.target, value),
    });
    this.plans = planTable(this.target, this.waveSize);
    this.selectTarget(this.target, this.waveSize);
  }

  private selectTarget(target: Target, waveSize: WaveSize): void {
    this.memory.forget();
    this.target = target;
    this.waveSize = waveSize;
    this.plans = planTable(target, waveSize);
    this.operandParser.setTarget(target);
    this.modifierParser.target = target;
  }

  run(): void {
    const { cursor } = this;
    while (!cursor.atTextEnd() && !this.reporter.full) {
      if (cursor.position === cursor.lineStart && cursor.peek() === HASH) cursor.skipLine();
      else this.statement();
    }
    if (cursor.openComment) {
      const { line, column } = cursor.openComment;
      this.reporter.add(ASM.SYNTAX, 'badInput', "the comment is not closed: expected '*/'", line, column, 2);
    }
    applyFixups(this.output, this.symbols, this.reporter);
  }

  /** Reads one statement and goes to the next line; after a label the rest of the line is a statement of its own. */
  private statement(): void {
    const { cursor } = this;
    if (cursor.atStatementEnd()) {
      cursor.skipLine();
      return;
    }
    const start = cursor.position;
    const text = this.directives.skipping ? '' : this.memory.textOf(cursor.text, start);
    if (this.appendRemembered(text)) return;
    if (isDigit(cursor.peek()) && (this.localLabel() || this.objdumpLabel())) return;
    const word = cursor.word();
    if (word === '') {
      this.reporter.error(ASM.SYNTAX, 'expected an instruction, a label or a directive', start, start + 1);
      cursor.skipLine();
      return;
    }
    cursor.skipBlanks();
    const next = cursor.peek();
    if (next === COLON && word !== '.') {
      cursor.position++;
      this.label(word, start);
      return;
    }
    if (next === EQUALS) {
      cursor.position += cursor.peekAt(1) === EQUALS ? 2 : 1;
      if (this.directives.skipping || !this.directives.assign(word, start)) cursor.skipLine();
      else this.endStatement();
      return;
    }
    const before = this.output.length;
    const { line } = cursor;
    this.symbols.address = this.output.address;
    if (word[0] === '.') {
      const good = this.directives.run(word, start);
      if (this.output.length > before) this.recordLine(line, before, 'data');
      if (good) this.endStatement();
      else cursor.skipLine();
      return;
    }
    if (this.directives.skipping) {
      cursor.skipLine();
      return;
    }
    const entanglements = this.entanglements();
    this.instructionStatement(word, start);
    if (this.output.length > before) {
      this.recordLine(line, before, 'instruction');
      if (entanglements === this.entanglements()) {
        this.memory.remember(text, this.words, (this.output.length - before) >> 2);
      }
    }
    cursor.skipLine();
  }

  /** Grows with everything that ties a statement to its place: symbols asked for, fixups left, things said. */
  private entanglements(): number {
    return this.symbols.questions + this.output.fixups.length + this.reporter.diagnostics.length;
  }

  /** A statement that was assembled before; whatever is not one goes the long way. */
  private appendRemembered(text: string): boolean {
    const { memory, output } = this;
    const entry = memory.find(text);
    if (entry === undefined || output.address % 4 !== 0) return false;
    const before = output.length;
    output.appendWords(memory.words, memory.placeOf(entry), memory.countOf(entry));
    this.recordLine(this.cursor.line, before, 'instruction');
    this.cursor.skipLine();
    return true;
  }

  private recordLine(line: number, before: number, kind: AssembledLine['kind']): void {
    const address = (this.output.base + before) as GuestAddress;
    this.lines.push({ line, address, sizeDwords: (this.output.length - before + 3) >> 2, kind });
  }

  private endStatement(): void {
    const { cursor } = this;
    if (!cursor.atStatementEnd()) {
      this.reporter.error(ASM.SYNTAX, 'expected the end of the line', cursor.position, cursor.position + 1);
    }
    cursor.skipLine();
  }

  private localLabel(): boolean {
    const { cursor } = this;
    const start = cursor.position;
    let at = start;
    while (isDigit(cursor.text.charCodeAt(at))) at++;
    if (cursor.text.charCodeAt(at) !== COLON || at - start > 9) return false;
    if (!this.directives.skipping) this.symbols.defineLocal(Number(cursor.text.slice(start, at)), this.output.address);
    cursor.position = at + 1;
    return true;
  }

  /** `0000000000002d00 <name>:`, as objdump heads a function. The address is where it was, not where it will be. */
  private objdumpLabel(): boolean {
    const { cursor } = this;
    OBJDUMP_LABEL.lastIndex = cursor.position;
    const match = OBJDUMP_LABEL.exec(cursor.text);
    if (!match) return false;
    this.label(match[1]!, cursor.position + match[0].indexOf('<') + 1);
    cursor.position += match[0].length;
    return true;
  }

  private label(word: string, start: number): void {
    if (this.directives.skipping || this.symbols.defineLabel(word, this.output.address)) return;
    this.reporter.error(ASM.SYMBOL, `'${word}' is defined already`, start, start + word.length);
  }

  private instructionStatement(word: string, start: number): void {
    const plan = this.lookUp(word, start);
    if (!plan) return;
    const { context, cursor, output } = this;
    this.operandParser.bad = false;
    this.modifierParser.swizzle = plan.imm === 'swizzle';
    this.modifiers.reset();
    context.begin(plan);
    context.start = start;
    context.nameEnd = start + word.length;
    if (!this.parseOperands(plan)) return;
    context.end = cursor.position;
    if (this.operandParser.bad) return;
    const { instruction } = this;
    resetInstruction(instruction, plan);
    if (!matchInstruction(context)) return;
    if (output.address % 4 !== 0) {
      context.errorAtName(ASM.ALIGNMENT, 'an instruction starts at a multiple of 4 bytes; use .p2align 2');
      return;
    }
    const offset = output.length;
    const size = encodeInstruction(this.target, instruction, this.words);
    if (size <= 0) {
      context.errorAtName(ASM.COMBINATION, `cannot be encoded: ${illegalReason(size)}`);
      return;
    }
    output.appendWords(this.words, 0, size);
    if (context.branchTarget) {
      this.addFixup('branch', offset, 2, context.branchTarget, this.operands[context.count - 1]!);
    }
    if (context.literalExpression) {
      const operand =
        this.operands.find((entry) => entry.expression === context.literalExpression) ?? this.operands[0]!;
      this.addFixup('literal', offset + (size - 1) * 4, 4, context.literalExpression, operand);
    }
  }

  private addFixup(
    kind: 'branch' | 'literal',
    offset: number,
    sizeBytes: 2 | 4,
    expression: NonNullable<MatchContext['branchTarget']>,
    operand: Operand,
  ): void {
    this.output.fixups.push({
      kind,
      offset,
      sizeBytes,
      expression,
      line: this.cursor.line,
      column: this.cursor.columnOf(operand.start),
      length: operand.end - operand.start,
      name: this.context.plan.name,
    });
  }

  private lookUp(word: string, start: number): Plan | undefined {
    let found = this.plans.find(word);
    let name = word;
    if (found.kind === 'unknown') {
      name = word.toLowerCase();
      if (name !== word) found = this.plans.find(name);
    }
    const end = start + word.length;
    switch (found.kind) {
      case 'plan':
        return found.plan;
      case 'unknown': {
        const hint = didYouMean(similarMnemonics(name, this.target));
        this.reporter.error(ASM.UNKNOWN_MNEMONIC, `unknown instruction '${word}'${hint}`, start, end);
        return undefined;
      }
      case 'otherTarget': {
        const where = explainOtherTarget(found.mnemonic, this.target);
        this.reporter.error(ASM.WRONG_TARGET, `${name}: not an instruction of ${this.target} (${where})`, start, end);
        return undefined;
      }
      case 'noEncoding':
        this.reporter.error(
          ASM.ENCODING_SUFFIX,
          `${found.mnemonic} has no _${found.suffix} encoding on ${this.target}`,
          start,
          end,
        );
        return undefined;
    }
  }

  private parseOperands(plan: Plan): boolean {
    const { cursor, operands, context } = this;
    let count = 0;
    context.count = 0;
    while (!cursor.atStatementEnd()) {
      const special = plan.special[count];
      if (special) {
        if (!parseSpecial(special, operands[count]!, cursor, this.reporter, this.operandParser, plan)) return false;
        count++;
      } else {
        // Nearly all operands are registers, and those are no modifiers.
        const word = this.operandParser.atNumberedRegister() ? '' : cursor.peekWord();
        const id = word === '' ? -1 : modifierId(word);
        if (id >= 0 && (acceptsModifier(plan, id) || (!takesLabel(plan) && this.looksLikeModifier(word)))) {
          if (!acceptsModifier(plan, id)) return this.refuseModifier(plan, word, id);
          if (!this.modifierParser.parse(word, id, this.modifiers)) return false;
        } else {
          if (count >= MAX_OPERANDS) return context.expectCount(0, MAX_OPERANDS, []);
          if (!this.operandParser.parse(operands[count]!)) return false;
          count++;
        }
      }
      context.count = count;
      const at = cursor.position;
      if (!cursor.accept(COMMA) && !this.separated(at)) return this.refuseRest(plan, operands[count - 1]);
    }
    return true;
  }

  /** Operands may be separated by blanks alone, as in LLVM, but not run into each other. */
  private separated(at: number): boolean {
    const { cursor } = this;
    const before = cursor.text.charCodeAt(cursor.position - 1);
    return cursor.position > at || before === 32 || before === 9 || cursor.atStatementEnd();
  }

  /** A modifier's name where an operand could stand: only with its colon, or when it can be nothing else. */
  private looksLikeModifier(word: string): boolean {
    const { cursor } = this;
    if (cursor.text.charCodeAt(cursor.position + word.length) === COLON) return true;
    return this.symbols.resolve(word) === undefined;
  }

  /** What runs into the operand or modifier before it: a colon after something else than a modifier, or anything. */
  private refuseRest(plan: Plan, operand: Operand | undefined): false {
    const { cursor, reporter } = this;
    const at = cursor.position;
    if (cursor.peek() !== COLON || operand?.end !== at) {
      reporter.error(ASM.SYNTAX, "expected ',' or the end of the line", at, at + 1);
    } else if (operand.form === 'register') {
      reporter.error(ASM.SYNTAX, "expected ',': a group of registers is written s[0:1] or v[0:1]", at, at + 1);
    } else {
      const word = cursor.text.slice(operand.start, at);
      const hint = didYouMean(nearestWords(word, acceptedModifiers(plan)));
      reporter.error(ASM.MODIFIER, `${plan.name}: '${word}' is no modifier${hint}`, operand.start, at);
    }
    return false;
  }

  private refuseModifier(plan: Plan, word: string, id: number): false {
    const { position } = this.cursor;
    const others = TARGETS.filter((target) => {
      const found = planTable(target, this.waveSize).find(plan.name);
      return target !== this.target && found.kind === 'plan' && acceptsModifier(found.plan, id);
    });
    const elsewhere = others.length > 0 ? ` (it is on ${others.join(' and ')})` : '';
    const hint = elsewhere || didYouMean(nearestWords(word, acceptedModifiers(plan)));
    const reason = `${plan.name}: '${word}' is no modifier of this instruction on ${this.target}${hint}`;
    this.reporter.error(ASM.MODIFIER, reason, position, position + word.length);
    return false;
  }
}

/** Branches and calls: a label may have the name of a modifier (`done`), also before it is defined. */
function takesLabel(plan: Plan): boolean {
  return /^s_(c?branch|call)/.test(plan.mnemonic);
}

function resetInstruction(instruction: Instruction, plan: Plan): void {
  clearFields(instruction);
  instruction.mnemonic = plan.mnemonic;
  instruction.op = plan.op;
  instruction.format = plan.format;
  instruction.index = 0;
  instruction.sizeDwords = 1;
}
