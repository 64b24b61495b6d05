import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GUEST_PAGE_BYTES, STORE_OVERLAP_BYTES } from '../../src/sandbox/guest-memory.ts'
import { patchModule } from '../../src/sandbox/wasm-bytes.ts'
import { concatenate, encode } from '../../src/sandbox/wasm-encoding.ts'

const PAGES = 2
const BYTES = PAGES * 65536
const [I32, I64, F32, F64] = [0x7f, 0x7e, 0x7d, 0x7c]
const STATIC_OFFSETS = [0, 1, 4095, 70_000]

/** Every store of the format: its opcode, the type of its value, and how many bytes it writes. */
const stores: [name: string, opcode: number, type: number, bytes: number][] = [
  ['i32.store', 0x36, I32, 4],
  ['i64.store', 0x37, I64, 8],
  ['f32.store', 0x38, F32, 4],
  ['f64.store', 0x39, F64, 8],
  ['i32.store8', 0x3a, I32, 1],
  ['i32.store16', 0x3b, I32, 2],
  ['i64.store8', 0x3c, I64, 1],
  ['i64.store16', 0x3d, I64, 2],
  ['i64.store32', 0x3e, I64, 4],
]

/** Values none of whose bytes are zero. */
const VALUES: Record<number, number | bigint> = {
  [I32]: 0x11223344,
  [I64]: 0x1122334455667788n,
  [F32]: 1.1,
  [F64]: 1.1,
}

const nearPageEnds = fc
  .tuple(fc.integer({ min: 0, max: BYTES / GUEST_PAGE_BYTES }), fc.integer({ min: -9, max: 9 }))
  .map(([page, distance]) => Math.max(0, page * GUEST_PAGE_BYTES + distance))
const addresses = fc.oneof(nearPageEnds, fc.nat(BYTES + 10), fc.integer({ min: -20, max: -1 }))

describe('a rewritten module marks what it writes', () => {
  it.each(stores)('%s', (_name, opcode, type, width) => {
    for (const staticOffset of STATIC_OFFSETS) {
      const { run, memory, marks } = instance([I32, type], store(opcode, staticOffset))
      fc.assert(
        fc.property(addresses, (address) => {
          const start = (address >>> 0) + staticOffset
          const written = run(address, VALUES[type]!)
          expect(written).toBe(start + width <= BYTES)
          expectMarked(memory, marks, written ? start : 0, written ? width : 0)
        }),
      )
    }
  })

  const bulk: [name: string, instruction: number[], second: fc.Arbitrary<number>][] = [
    ['memory.fill', [0xfc, 11, 0], fc.constant(7)],
    ['memory.copy', [0xfc, 10, 0, 0], fc.constant(BYTES - 65536)],
  ]
  const lengths = fc.oneof(fc.nat(20), fc.nat(20_000), fc.constantFrom(4096, 8192, 65536, -1, -4096, 2 ** 31))

  it.each(bulk)('%s', (_name, instruction, seconds) => {
    const { run, memory, marks } = instance([I32, I32, I32], instruction)
    fc.assert(
      fc.property(addresses, seconds, lengths, (address, second, length) => {
        memory().fill(5, BYTES - 65536)
        const start = address >>> 0
        const written = run(address, second, length)
        if (written) expectMarked(memory, marks, start, length >>> 0)
        else
          expect(
            memory()
              .subarray(0, BYTES - 65536)
              .every((byte) => byte === 0),
          ).toBe(true)
        memory().fill(0)
        marks().fill(0)
      }),
    )
  })
})

describe('a module is refused when it has', () => {
  const unknown: [name: string, instruction: number[]][] = [
    ['table.set', [0x26, 0]],
    ['memory.init', [0xfc, 8, 0, 0]],
    ['data.drop', [0xfc, 9, 0]],
    ['table.copy', [0xfc, 14, 0, 0]],
    ['a vector instruction', [0xfd, 11, 0, 0]],
    ['an atomic instruction', [0xfe, 0x17, 2, 0]],
    ['a tail call', [0x12, 0]],
  ]

  it.each(unknown)('%s', (_name, instruction) => {
    expect(() => patched([I32, I32], instruction)).toThrow('an instruction')
  })
})

/** Everything that was written lies in marked pages, and only those are marked. Clears both. */
function expectMarked(memory: () => Uint8Array, marks: () => Uint8Array, start: number, length: number): void {
  const covered = (at: number) =>
    marks()[Math.floor(at / GUEST_PAGE_BYTES)] === 1 ||
    marks()[Math.floor((at - STORE_OVERLAP_BYTES) / GUEST_PAGE_BYTES)] === 1
  for (let at = start; at < start + length; at++) if (!covered(at)) expect.fail(`byte ${at} is not covered`)
  const pages = marks().reduce((sum, mark) => sum + mark, 0)
  if (length > 0) expect(pages).toBeLessThanOrEqual(Math.ceil(length / GUEST_PAGE_BYTES) + 1)
  memory().fill(0)
  marks().fill(0)
}

const store = (opcode: number, staticOffset: number) => [opcode, 0, ...encode(staticOffset)]

/** An instance of a module whose one function applies the instruction to its parameters; `run` says whether it ended. */
function instance(parameters: number[], instruction: number[]) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(patched(parameters, instruction)))
  const run = (...values: (number | bigint)[]) => {
    try {
      ;(exports.run as (...values: (number | bigint)[]) => void)(...values)
      return true
    } catch {
      return false
    }
  }
  const bytesOf = (name: string) => () => new Uint8Array((exports[name] as WebAssembly.Memory).buffer)
  return { run, memory: bytesOf('memory'), marks: bytesOf('marks') }
}

function patched(parameters: number[], instruction: number[]): Uint8Array<ArrayBuffer> {
  const loads = parameters.flatMap((_, index) => [0x20, index])
  const body = [0, ...loads, ...instruction, 0x0b]
  const module = concatenate([
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    section(3, [1, 0]),
    section(5, [1, 0, PAGES]),
    section(7, [2, ...named('run'), 0, 0, ...named('memory'), 2, 0]),
    section(10, [1, body.length, ...body]),
  ])
  return patchModule(module, { exportGlobals: 0, maximumPages: PAGES, snapshot: { pages: PAGES, marked: true } })
}

function section(id: number, bytes: number[]): Uint8Array {
  return Uint8Array.from([id, ...encode(bytes.length), ...bytes])
}

function named(name: string): number[] {
  return [name.length, ...Buffer.from(name)]
}
