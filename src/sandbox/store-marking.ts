import { GUEST_PAGE_SHIFT } from './guest-memory.ts'
import { decode, encodeSigned } from './wasm-encoding.ts'
import { instructionEnd, isBulkStore, isStore, OPCODE, PREFIXED } from './wasm-instructions.ts'

const TYPE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c } as const
type ValueType = (typeof TYPE)[keyof typeof TYPE]

/** The value types of the store instructions from i32.store (0x36) to i64.store32 (0x3e). */
const STORED_TYPES: ValueType[] = [
  TYPE.i32,
  TYPE.i64,
  TYPE.f32,
  TYPE.f64,
  TYPE.i32,
  TYPE.i32,
  TYPE.i64,
  TYPE.i64,
  TYPE.i64,
]

/** The index of the second memory, which has one byte per page of the first. No instruction of the original module uses it. */
const MARKS_MEMORY = 1
const WITH_MEMORY_INDEX = 0x40
const STORE_MARK = [OPCODE.i32Const, 1, OPCODE.i32Store8, WITH_MEMORY_INDEX, MARKS_MEMORY, 0]
const FILL_MARKS = [OPCODE.prefix, PREFIXED.memoryFill, MARKS_MEMORY]
const TO_PAGE = [OPCODE.i32Const, GUEST_PAGE_SHIFT, OPCODE.i32ShiftRight]
const OFFSET_IN_PAGE = [OPCODE.i32Const, ...encodeSigned((1 << GUEST_PAGE_SHIFT) - 1)]

/**
 * Rewrites a code section so that every instruction that writes memory first marks the page as written. A store marks only the page of its
 * first byte, so readers of the marks must treat the bytes after a marked page as written, too. `parameterCounts` contains the number of
 * parameters of each function.
 */
export function markStores(section: Uint8Array, parameterCounts: number[]): Uint8Array {
  const [count, start] = decode(section, 0)
  const rewritten = new ByteWriter(section.length * 2)
  rewritten.number(count)
  let offset = start
  for (let index = 0; index < count; index++) {
    const [size, bodyStart] = decode(section, offset)
    offset = bodyStart + size
    const body = withMarks(section.subarray(bodyStart, offset), parameterCounts[index]!)
    rewritten.number(body.length)
    rewritten.bytes(body)
  }
  return rewritten.written()
}

/** The offsets of a function's instructions that write memory, and the types of the locals that hold their operands. */
interface StoreSites {
  offsets: number[]
  types: Set<ValueType>
}

function withMarks(body: Uint8Array, parameters: number): Uint8Array {
  const { locals, declarations, codeStart } = localsOf(body, parameters)
  const { offsets, types } = sitesIn(body, codeStart)
  if (offsets.length === 0) return body
  const scratch = new Scratch(locals, types)
  const out = new ByteWriter(body.length * 2)
  out.number(declarations.count + scratch.declarations.length)
  out.bytes(declarations.bytes)
  for (const [number, type] of scratch.declarations) out.bytes([number, type])
  let copied = codeStart
  for (const site of offsets) {
    out.bytes(body.subarray(copied, site))
    copied = instructionEnd(body, site)
    const instruction = body.subarray(site, copied)
    if (isStore(instruction[0]!)) writeStore(out, instruction, scratch)
    else writeBulkStore(out, instruction, scratch)
  }
  out.bytes(body.subarray(copied))
  return out.written()
}

/** Parses the declarations of a function's locals. `locals` also counts the parameters. */
function localsOf(body: Uint8Array, parameters: number) {
  const [count, start] = decode(body, 0)
  let locals = parameters
  let offset = start
  for (let group = 0; group < count; group++) {
    const [number, typeAt] = decode(body, offset)
    locals += number
    offset = typeAt + 1
  }
  return { locals, declarations: { count, bytes: body.subarray(start, offset) }, codeStart: offset }
}

function sitesIn(body: Uint8Array, codeStart: number): StoreSites {
  const offsets: number[] = []
  const types = new Set<ValueType>()
  for (let offset = codeStart; offset < body.length; offset = instructionEnd(body, offset)) {
    const opcode = body[offset]!
    const bulk = isBulkStore(body, offset)
    if (!bulk && !isStore(opcode)) continue
    offsets.push(offset)
    types.add(bulk ? TYPE.i32 : storedType(opcode))
  }
  return { offsets, types }
}

function storedType(opcode: number): ValueType {
  return STORED_TYPES[opcode - OPCODE.firstStore]!
}

/** Extra locals of a rewritten function: the address, a length, and a value of each stored type. */
class Scratch {
  readonly address: number
  readonly length: number
  readonly declarations: [number: number, type: ValueType][]
  readonly #values = new Map<ValueType, number>()

  constructor(first: number, types: Set<ValueType>) {
    this.address = first
    this.length = first + 1
    this.declarations = [[2, TYPE.i32], ...[...types].map((type): [number, ValueType] => [1, type])]
    for (const [index, type] of [...types].entries()) this.#values.set(type, first + 2 + index)
  }

  value(type: ValueType): number {
    return this.#values.get(type)!
  }
}

/** Writes a store with its mark. The operands are the address and the value. The mark's index is the page of address plus static offset. */
function writeStore(out: ByteWriter, instruction: Uint8Array, scratch: Scratch): void {
  const value = scratch.value(storedType(instruction[0]!))
  const [, offsetAt] = decode(instruction, 1)
  const [staticOffset] = decode(instruction, offsetAt)
  local(out, OPCODE.localSet, value)
  local(out, OPCODE.localTee, scratch.address)
  if (staticOffset > 0) {
    // If the sum exceeds 32 bits, a wrong page is marked. That does no harm: the store is then outside of the memory and traps.
    out.byte(OPCODE.i32Const)
    out.bytes(encodeSigned(staticOffset))
    out.byte(OPCODE.i32Add)
  }
  out.bytes(TO_PAGE)
  out.bytes(STORE_MARK)
  local(out, OPCODE.localGet, scratch.address)
  local(out, OPCODE.localGet, value)
  out.bytes(instruction)
}

/**
 * Writes a memory.copy or memory.fill with its marks. The operands are the address, the source or byte, and the length. Marks as many pages
 * as the length can touch. If a sum exceeds 32 bits, too few pages are marked, but then the instruction traps and writes nothing.
 */
function writeBulkStore(out: ByteWriter, instruction: Uint8Array, scratch: Scratch): void {
  const value = scratch.value(TYPE.i32)
  local(out, OPCODE.localSet, scratch.length)
  local(out, OPCODE.localSet, value)
  local(out, OPCODE.localTee, scratch.address)
  out.bytes(TO_PAGE)
  out.bytes([OPCODE.i32Const, 1])
  local(out, OPCODE.localGet, scratch.address)
  out.bytes([...OFFSET_IN_PAGE, OPCODE.i32And])
  local(out, OPCODE.localGet, scratch.length)
  out.bytes([OPCODE.i32Add, ...OFFSET_IN_PAGE, OPCODE.i32Add, ...TO_PAGE])
  out.bytes(FILL_MARKS)
  local(out, OPCODE.localGet, scratch.address)
  local(out, OPCODE.localGet, value)
  local(out, OPCODE.localGet, scratch.length)
  out.bytes(instruction)
}

function local(out: ByteWriter, opcode: number, index: number): void {
  out.byte(opcode)
  out.number(index)
}

/** A byte buffer that grows as it is written. */
class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#makeRoom(1)
    this.#bytes[this.#length++] = value
  }

  bytes(values: Uint8Array | readonly number[]): void {
    if (this.#length + values.length > this.#bytes.length) this.#makeRoom(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** Writes an unsigned LEB128 number. */
  number(value: number): void {
    let rest = value >>> 0
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  /** Returns a view of the written bytes, not a copy. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  #makeRoom(length: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length))
    larger.set(this.written())
    this.#bytes = larger
  }
}
