import { GUEST_PAGE_BYTES } from './guest-memory.ts'
import { markStores } from './store-marking.ts'
import { concatenate, decode, encode } from './wasm-encoding.ts'

/** The section ids of WebAssembly 2.0, binary format, section 5.5.2. */
const SECTION = { custom: 0, type: 1, function: 3, memory: 5, export: 7, code: 10, data: 11, dataCount: 12 } as const
const HEADER_BYTES = 8
const EXPORT_KIND = { memory: 2, global: 3 } as const

/** The changes to make to a module. Its first `exportGlobals` globals are exported as `global0`, `global1` and so on. */
export interface ModulePatch {
  exportGlobals: number
  maximumPages: number
  /** Set for instances whose memory is copied from a snapshot of this many pages, so that they need no initial data. */
  snapshot?: {
    pages: number
    /** Whether the code marks every page that it writes in a second memory, which is exported as `marks`. */
    marked: boolean
  }
}

export function patchModule(bytes: Uint8Array, patch: ModulePatch): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [bytes.subarray(0, HEADER_BYTES)]
  const all = [...sections(bytes)]
  for (const section of all) {
    const body = patchSection(section, patch, all)
    if (body) parts.push(Uint8Array.of(section.id), encode(body.length), body)
  }
  return concatenate(parts)
}

interface Section {
  id: number
  body: Uint8Array
}

function* sections(bytes: Uint8Array): Generator<Section> {
  let offset = HEADER_BYTES
  while (offset < bytes.length) {
    const id = bytes[offset]!
    const [size, start] = decode(bytes, offset + 1)
    yield { id, body: bytes.subarray(start, start + size) }
    offset = start + size
  }
}

function patchSection({ id, body }: Section, patch: ModulePatch, all: Section[]): Uint8Array | null {
  if (id === SECTION.custom) return null
  if (id === SECTION.memory) return memories(body, patch)
  if (id === SECTION.export) return withState(body, patch.exportGlobals)
  if (!patch.snapshot) return body
  if (id === SECTION.data || id === SECTION.dataCount) return encode(0)
  if (id === SECTION.code && patch.snapshot.marked) return markStores(body, parameterCounts(all))
  return body
}

/** Returns the memory section: the module's own memory with its limits, and a second memory with one byte per page of the first. */
function memories(body: Uint8Array, { snapshot, maximumPages }: ModulePatch): Uint8Array {
  const [count, flags] = decode(body, 0)
  if (count !== 1) throw new Error('The module must have exactly one memory')
  const [minimum] = decode(body, flags + 1)
  const marksPages = Math.ceil(maximumPages / GUEST_PAGE_BYTES)
  return concatenate([encode(2), bounds(snapshot?.pages ?? minimum, maximumPages), bounds(marksPages, marksPages)])
}

function bounds(minimum: number, maximum: number): Uint8Array {
  return concatenate([Uint8Array.of(1), encode(minimum), encode(maximum)])
}

function withState(body: Uint8Array, globals: number): Uint8Array {
  const [count, start] = decode(body, 0)
  const added = Array.from({ length: globals }, (_, index) => exported(`global${index}`, EXPORT_KIND.global, index))
  added.push(exported('marks', EXPORT_KIND.memory, 1))
  return concatenate([encode(count + added.length), body.subarray(start), ...added])
}

function exported(name: string, kind: number, index: number): Uint8Array {
  const bytes = new TextEncoder().encode(name)
  return concatenate([encode(bytes.length), bytes, Uint8Array.of(kind), encode(index)])
}

function parameterCounts(all: Section[]): number[] {
  const types = items(all, SECTION.type, (body, offset) => {
    const [parameters, parametersAt] = decode(body, offset + 1)
    const [results, resultsAt] = decode(body, parametersAt + parameters)
    return [parameters, resultsAt + results]
  })
  return items(all, SECTION.function, (body, offset) => {
    const [type, next] = decode(body, offset)
    return [types[type]!, next]
  })
}

/** Reads the items of a section. `read` returns one item and the offset after it. */
function items(
  all: Section[],
  id: number,
  read: (body: Uint8Array, offset: number) => [item: number, next: number],
): number[] {
  const { body } = all.find((section) => section.id === id)!
  const [count, start] = decode(body, 0)
  let offset = start
  return Array.from({ length: count }, () => {
    const [item, next] = read(body, offset)
    offset = next
    return item
  })
}
