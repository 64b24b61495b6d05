import { decode, skipNumber } from './wasm-encoding.ts'

/** The opcodes of WebAssembly 2.0 (binary format, section 5.4) that are needed to rewrite a module. */
export const OPCODE = {
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalSet: 0x24,
  firstStore: 0x36,
  i32Store8: 0x3a,
  lastStore: 0x3e,
  i32Const: 0x41,
  i32Add: 0x6a,
  i32And: 0x71,
  i32ShiftRight: 0x76,
  prefix: 0xfc,
} as const

/** The opcodes that follow the prefix 0xfc. */
export const PREFIXED = { lastConversion: 7, memoryCopy: 10, memoryFill: 11 } as const

/** Returns the offset after an instruction. Throws on unknown ones, which could change state that is not restored or marked. */
export function instructionEnd(code: Uint8Array, offset: number): number {
  const opcode = code[offset]!
  const operands = offset + 1
  switch (opcode) {
    case 0x02: // block, loop, if with their type
    case 0x03:
    case 0x04:
    case 0x0c: // br, br_if
    case 0x0d:
    case 0x10: // call
    case 0x20: // local.get, local.set, local.tee, global.get, global.set
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x3f: // memory.size, memory.grow
    case 0x40:
    case 0x41: // i32.const, i64.const
    case 0x42:
      return skipNumber(code, operands)
    case 0x0e: {
      let [labels, next] = decode(code, operands)
      for (labels++; labels > 0; labels--) next = skipNumber(code, next)
      return next
    }
    case 0x11: // call_indirect
      return skipNumber(code, skipNumber(code, operands))
    case 0x43:
      return operands + 4
    case 0x44:
      return operands + 8
    case OPCODE.prefix:
      return prefixedEnd(code, operands)
  }
  if (opcode >= 0x28 && opcode <= 0x3e) return skipNumber(code, skipNumber(code, operands))
  if (isPlain(opcode)) return operands
  throw new Error(`The module has an instruction ${opcode.toString(16)} that its rewriting does not know`)
}

/** Returns whether an instruction has no immediate operands: control instructions, drop, select, and instructions that only compute. */
function isPlain(opcode: number): boolean {
  return (
    opcode <= 0x01 ||
    opcode === 0x05 ||
    opcode === 0x0b ||
    opcode === 0x0f ||
    opcode === 0x1a ||
    opcode === 0x1b ||
    (opcode >= 0x45 && opcode <= 0xc4)
  )
}

function prefixedEnd(code: Uint8Array, offset: number): number {
  const [opcode, operands] = decode(code, offset)
  if (opcode <= PREFIXED.lastConversion) return operands
  if (opcode === PREFIXED.memoryCopy) return operands + 2
  if (opcode === PREFIXED.memoryFill) return operands + 1
  throw new Error(`The module has an instruction fc ${opcode} that its rewriting does not know`)
}

export function isStore(opcode: number): boolean {
  return opcode >= OPCODE.firstStore && opcode <= OPCODE.lastStore
}

export function isBulkStore(code: Uint8Array, offset: number): boolean {
  if (code[offset] !== OPCODE.prefix) return false
  const [opcode] = decode(code, offset + 1)
  return opcode === PREFIXED.memoryCopy || opcode === PREFIXED.memoryFill
}
