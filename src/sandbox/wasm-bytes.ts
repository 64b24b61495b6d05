/** The section ids of WebAssembly 2.0, binary format, section 5.5.2. */
const SECTION = { custom: 0, memory: 5, export: 7, data: 11, dataCount: 12 } as const
const HEADER_BYTES = 8
const EXPORT_KIND_GLOBAL = 3

/** What to change in a module. Its first `exportGlobals` globals are exported as `global0`, `global1` … */
export interface Patch {
  exportGlobals: number
  minimumPages?: number
  maximumPages: number
  /** An instance whose memory comes from a snapshot needs no initial data. */
  dropData?: boolean
}

/** Rewrites a WebAssembly module's bytes: bounds its memory and exports the globals that hold its state. */
export function patchModule(bytes: Uint8Array, patch: Patch): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [bytes.subarray(0, HEADER_BYTES)]
  for (const section of sections(bytes)) {
    const body = patchSection(section, patch)
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

function patchSection({ id, body }: Section, patch: Patch): Uint8Array | null {
  if (id === SECTION.custom) return null
  if (id === SECTION.memory) return boundedMemory(body, patch)
  if (id === SECTION.export) return withGlobals(body, patch.exportGlobals)
  if ((id === SECTION.data || id === SECTION.dataCount) && patch.dropData) return encode(0)
  return body
}

function boundedMemory(body: Uint8Array, { minimumPages, maximumPages }: Patch): Uint8Array {
  const [count, flags] = decode(body, 0)
  if (count !== 1) throw new Error('The module must have exactly one memory')
  const [minimum] = decode(body, flags + 1)
  return concatenate([Uint8Array.of(1, 1), encode(minimumPages ?? minimum), encode(maximumPages)])
}

function withGlobals(body: Uint8Array, globals: number): Uint8Array {
  const [count, start] = decode(body, 0)
  const added = Array.from({ length: globals }, (_, index) => {
    const name = new TextEncoder().encode(`global${index}`)
    return concatenate([encode(name.length), name, Uint8Array.of(EXPORT_KIND_GLOBAL), encode(index)])
  })
  return concatenate([encode(count + globals), body.subarray(start), ...added])
}

/** Unsigned LEB128 at an offset: the value and the offset behind it. */
function decode(bytes: Uint8Array, offset: number): [value: number, next: number] {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++]!
    value |= (byte & 0x7f) << shift
    if (!(byte & 0x80)) return [value >>> 0, offset]
  }
}

function encode(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest ? low | 0x80 : low)
  } while (rest)
  return Uint8Array.from(bytes)
}

function concatenate(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
