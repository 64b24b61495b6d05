import { describe, expect, it } from 'vitest'
import { GUEST_PAGE_BYTES, GuestFault, GuestMemory } from '../../src/sandbox/guest-memory.ts'
import { ForbiddenImport, importTable } from '../../src/sandbox/import-table.ts'
import { brokenOutcome, guestOutcome } from '../../src/sandbox/outcome.ts'
import { Restorer } from '../../src/sandbox/restore.ts'
import { type QueueLimits, RoundRobin } from '../../src/sandbox/round-robin.ts'
import { rubyModulePath } from '../../src/sandbox/snapshot-builder.ts'
import { patchModule } from '../../src/sandbox/wasm-bytes.ts'

const PAGE = 65536

/** A memory of so many pages of 64 KiB, nothing of which is marked as written. */
function guestMemory(pages: number): GuestMemory {
  return new GuestMemory(new WebAssembly.Memory({ initial: pages }), new Uint8Array((pages * PAGE) / GUEST_PAGE_BYTES))
}

describe('pointers of a hostile guest', () => {
  const memory = guestMemory(1)
  const hostile: [pointer: number, length: number][] = [
    [PAGE, 1],
    [PAGE - 3, 4],
    [-1, 1],
    [0, PAGE + 1],
    [0, -1],
    [0xffffffff, 0xffffffff],
    [-PAGE, PAGE + 8],
    [2 ** 31, 1],
  ]

  it.each(hostile)('%i, %i bytes', (pointer, length) => {
    expect(() => memory.slice(pointer, length)).toThrow(GuestFault)
  })

  it('cannot be written or read through either', () => {
    for (const pointer of [PAGE, PAGE - 3, -1, -4]) {
      expect(() => memory.write32(pointer, 1)).toThrow(GuestFault)
      expect(() => memory.read32(pointer)).toThrow(GuestFault)
      expect(() => memory.write(pointer, new Uint8Array(8))).toThrow(GuestFault)
    }
    memory.write32(PAGE - 4, 7)
    expect(memory.read32(PAGE - 4)).toBe(7)
  })
})

describe('the import table', async () => {
  const { readFileSync } = await import('node:fs')
  const bytes = readFileSync(rubyModulePath)
  const module = await WebAssembly.compile(patchModule(bytes, { exportGlobals: 3, maximumPages: 3072 }))
  const memory = guestMemory(1)
  const received: string[] = []
  const host = {
    receive: (message: Uint8Array) => void received.push(Buffer.from(message).toString()),
    reply: () => new Uint8Array(4),
  }
  const table = importTable(module, () => ({ memory, allocate: () => PAGE - 2 }), host) as Record<
    string,
    Record<string, (...parameters: unknown[]) => unknown>
  >
  const js = table['rb-js-abi-host']!
  const wasi = table.wasi_snapshot_preview1!
  const named = (name: string) => js[Object.keys(js).find((key) => key.startsWith(`${name}:`))!]!

  it('allows two of the JavaScript imports and throws on every other', () => {
    const allowed = ['string-to-js-string', 'js-value-to-string']
    const others = Object.entries(js).filter(([name]) => !allowed.includes(name.split(':')[0]!))
    expect(others).toHaveLength(19)
    for (const [, call] of others) expect(() => call(0, 0, 0, 0, 0)).toThrow(ForbiddenImport)
  })

  it('bounds-checks both ends of the bridge', () => {
    expect(() => named('string-to-js-string')(PAGE - 1, 2)).toThrow(GuestFault)
    expect(() => named('string-to-js-string')(-8, 4)).toThrow(GuestFault)
    expect(() => named('js-value-to-string')(0, 16)).toThrow(GuestFault)
    expect(received).toEqual([])
    expect(() => wasi.random_get!(PAGE - 1, 2)).toThrow(GuestFault)
    expect(() => wasi.clock_time_get!(0, 0n, PAGE)).toThrow(GuestFault)
  })

  it('has no files, no environment, no exit and no waiting', () => {
    for (const [name, call] of Object.entries(wasi)) {
      if (name.startsWith('path_')) expect(call()).toBe(52)
      if (name.startsWith('fd_')) expect(call()).toBe(8)
    }
    expect(wasi.environ_sizes_get!(0, 4)).toBe(0)
    expect([memory.read32(0), memory.read32(4)]).toEqual([0, 0])
    expect(() => wasi.proc_exit!(0)).toThrow(ForbiddenImport)
    expect(() => wasi.poll_oneoff!(0, 0, 1, 0)).toThrow(ForbiddenImport)
  })
})

describe('what the guest reports of its end', () => {
  const forged = [
    '',
    'null',
    '[]',
    '5',
    '{',
    '{"ok":true}',
    '{"ok":false}',
    '{"ok":false,"error":{"type":"canceled"}}',
    '{"ok":false,"error":[]}',
  ]

  it.each(forged)('%s is not believed', (text) => {
    expect(guestOutcome(text, 'x', new Set())).toMatchObject({ ok: false, error: { type: 'invalid_result' } })
  })

  it('has every field checked', () => {
    const text = '{"ok":false,"error":{"type":"ruby_error","message":{},"line":99,"hint":[],"extra":1}}'
    expect(guestOutcome(text, 'a\nb', new Set())).toEqual({
      ok: false,
      error: { type: 'ruby_error', message: 'The program failed.', line: 2, source: 'b', hint: null },
      warnings: [],
      overlooked: [],
      returned: [],
    })
    expect(brokenOutcome('memory', null, '').error.type).toBe('memory_limit')
  })
})

it('restoring puts back the marked pages, and what a store wrote beyond their end', () => {
  const memory = guestMemory(48)
  const snapshot = new SharedArrayBuffer(memory.bytes.length)
  new Uint8Array(snapshot).fill(1, 0, 1024 * 1024)
  memory.bytes.set(new Uint8Array(snapshot))
  const last = memory.bytes.length - 8
  for (const at of [0, 4092, 40_960, 1_048_575, 2_000_000, last]) memory.write64(at, 0x0909090909090909n)
  memory.marks[1] = 0 // As a store at 4092 leaves it, which marks the page of its first byte.
  new Restorer(snapshot).restore(memory)
  expect(Buffer.from(snapshot).equals(memory.bytes)).toBe(true)
  expect(memory.marks.every((mark) => mark === 0)).toBe(true)
})

it('every write of the host is marked', () => {
  const memory = guestMemory(1)
  memory.write(4094, new Uint8Array(4))
  memory.write32(3 * 4096, 1)
  memory.write64(6 * 4096 - 1, 1n)
  memory.writable(9 * 4096, 2 * 4096)
  memory.slice(12 * 4096, 4096)
  expect([...memory.marks]).toEqual([1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0])
})

describe('the queue', () => {
  const filled = (limits: QueueLimits, items: string[]) => {
    const queue = new RoundRobin<string>(limits)
    return { queue, dropped: items.map((item) => queue.add(item[0]!, item) ?? null) }
  }
  const rest = (queue: RoundRobin<string>) => Array.from({ length: queue.size }, () => queue.take())

  it('gives turns to keys and takes out what was removed', () => {
    const { queue } = filled({ total: 9, perKey: 9 }, ['a1', 'a2', 'b1', 'c1'])
    expect([queue.remove('c', 'c1'), queue.remove('c', 'c1')]).toEqual([true, false])
    expect(rest(queue)).toEqual(['a1', 'b1', 'a2'])
    expect(queue.take()).toBeUndefined()
  })

  it('passes over keys that may not go', () => {
    const { queue } = filled({ total: 9, perKey: 9 }, ['a1', 'a2', 'b1'])
    expect([queue.next(), queue.next((key) => key !== 'a')]).toEqual(['a1', 'b1'])
    expect(queue.take((key) => key !== 'a')).toBe('b1')
    expect(queue.take((key) => key !== 'a')).toBeUndefined()
    expect(rest(queue)).toEqual(['a1', 'a2'])
  })

  it('is bounded for each key', () => {
    const { queue, dropped } = filled({ total: 9, perKey: 2 }, ['a1', 'a2', 'a3', 'b1'])
    expect(dropped).toEqual([null, null, 'a3', null])
    expect(rest(queue)).toEqual(['a1', 'b1', 'a2'])
  })

  it('drops the newest of the longest line when it is full', () => {
    const { queue, dropped } = filled({ total: 4, perKey: 9 }, ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'a4', 'c2'])
    expect(dropped).toEqual([null, null, null, null, 'a3', 'b2', 'a4', 'c2'])
    expect(rest(queue)).toEqual(['a1', 'b1', 'c1', 'a2'])
  })
})
