import { webcrypto } from 'node:crypto'
import type { GuestMemory } from './guest-memory.ts'

/** The host's side of the bridge to the guest: receives the guest's messages and provides the replies. */
export interface GuestHost {
  /** The message is one letter for its type, then its body. The bytes are valid only during this call. */
  receive(message: Uint8Array): void
  reply(): Uint8Array
  /** Returns the time that the guest sees, in Unix milliseconds; the system time if absent. */
  now?(): number
}

/** The parts of an instance that its imports use. Imports are created before the instance, so they get it through a function. */
export interface GuestInstance {
  memory: GuestMemory
  allocate(length: number): number
}

/** Thrown when the guest calls an import that no program needs. The interpreter instance is then discarded. */
export class ForbiddenImport extends Error {}

type Import = (...parameters: never[]) => unknown

const ERRNO = { success: 0, badDescriptor: 8, notSupported: 52 } as const
const NANOSECONDS = 1e6
const CLOCK_REALTIME = 0
const RANDOM_CHUNK_BYTES = 65536

/** Returns everything that the guest can reach outside of its memory, even if a program gets hold of a method that strip.rb removes. */
export function importTable(
  module: WebAssembly.Module,
  guest: () => GuestInstance,
  host: GuestHost,
  environment: string[] = [],
): WebAssembly.Imports {
  const allowed: Record<string, Record<string, Import>> = {
    wasi_snapshot_preview1: { ...wasi(guest, host), ...environ(guest, environment) },
    'rb-js-abi-host': bridge(guest, host),
    canonical_abi: rawHandles,
  }
  const table: Record<string, Record<string, Import>> = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    table[from] ??= {}
    const shortName = name.split(':', 1)[0]!
    table[from][name] = allowed[from]?.[shortName] ?? refusal(from, shortName)
  }
  return table as WebAssembly.Imports
}

function refusal(from: string, name: string): Import {
  if (from === 'wasi_snapshot_preview1' && name.startsWith('path_')) return () => ERRNO.notSupported
  if (from === 'wasi_snapshot_preview1' && name.startsWith('fd_')) return () => ERRNO.badDescriptor
  return () => {
    throw new ForbiddenImport(name)
  }
}

/** Handles are the interpreter's own values, which never move, so the host needs no table to map them. */
const rawHandles = {
  'resource_new_rb-abi-value': (value: number) => value,
  'resource_get_rb-abi-value': (value: number) => value,
  'resource_drop_js-abi-value': () => {},
}

function bridge(guest: () => GuestInstance, host: GuestHost): Record<string, Import> {
  return {
    'string-to-js-string': (pointer: number, length: number) => {
      host.receive(guest().memory.slice(pointer, length))
      return 0
    },
    'js-value-to-string': (_handle: number, result: number) => {
      const bytes = host.reply()
      const instance = guest()
      const pointer = bytes.length ? instance.allocate(bytes.length) : 1
      instance.memory.write(pointer, bytes)
      instance.memory.write32(result, pointer)
      instance.memory.write32(result + 4, bytes.length)
    },
  }
}

function wasi(guest: () => GuestInstance, host: GuestHost): Record<string, Import> {
  return {
    clock_res_get: (_clock: number, result: number) => {
      guest().memory.write64(result, BigInt(NANOSECONDS))
      return ERRNO.success
    },
    clock_time_get: (clock: number, _precision: bigint, result: number) => {
      const milliseconds = clock === CLOCK_REALTIME ? (host.now?.() ?? Date.now()) : performance.now()
      guest().memory.write64(result, BigInt(Math.round(milliseconds * NANOSECONDS)))
      return ERRNO.success
    },
    random_get: (pointer: number, length: number) => {
      const bytes = guest().memory.writable(pointer, length)
      for (let start = 0; start < bytes.length; start += RANDOM_CHUNK_BYTES) {
        webcrypto.getRandomValues(bytes.subarray(start, start + RANDOM_CHUNK_BYTES))
      }
      return ERRNO.success
    },
  }
}

function environ(guest: () => GuestInstance, variables: string[]): Record<string, Import> {
  const entries = variables.map((variable) => new TextEncoder().encode(`${variable}\0`))
  return {
    environ_sizes_get: (count: number, size: number) => {
      guest().memory.write32(count, entries.length)
      guest().memory.write32(
        size,
        entries.reduce((sum, entry) => sum + entry.length, 0),
      )
      return ERRNO.success
    },
    environ_get: (pointers: number, buffer: number) => {
      let offset = buffer
      for (const [index, entry] of entries.entries()) {
        guest().memory.write32(pointers + 4 * index, offset)
        guest().memory.write(offset, entry)
        offset += entry.length
      }
      return ERRNO.success
    },
  }
}
