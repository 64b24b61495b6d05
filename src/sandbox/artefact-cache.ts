import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshot } from './snapshot.ts'
import type { Build } from './snapshot-builder.ts'

/** The JSON at the start of a cache file. The bytes of the module and of the memory's used ranges follow. */
interface Header extends Omit<Snapshot, 'memory'> {
  moduleBytes: number
  memoryBytes: number
}

const CHECKSUM_BYTES = 32
const LENGTH_BYTES = 4
const PREFIX = 'sandbox-'

/** Returns the stored build for a key; null if there is none or if its file is damaged. */
export async function readBuild(directory: string, key: string): Promise<Build | null> {
  try {
    const file = await readFile(pathOf(directory, key))
    const content = file.subarray(CHECKSUM_BYTES)
    if (!checksum([content]).equals(file.subarray(0, CHECKSUM_BYTES))) return null
    return unpack(content)
  } catch {
    return null
  }
}

/** Returns a text that changes with each write of a key's build; null if there is no build. */
export async function versionOfBuild(directory: string, key: string): Promise<string | null> {
  const path = pathOf(directory, key)
  const file = await stat(path, { bigint: true }).catch(() => null)
  return file && [path, file.ino, file.size, file.mtimeNs].join(' ')
}

/** Stores a build atomically. A failure is ignored, because the next start can build again. */
export async function writeBuild(directory: string, key: string, build: Build): Promise<void> {
  const path = pathOf(directory, key)
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await mkdir(directory, { recursive: true })
    const parts = pack(build)
    await writeParts(temporary, [checksum(parts), ...parts])
    await rename(temporary, path)
    await removeOthers(directory, key)
  } catch {
    await rm(temporary, { force: true }).catch(() => {})
  }
}

async function writeParts(path: string, parts: Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const part of parts) await writeFile(file, part)
  } finally {
    await file.close()
  }
}

/** Deletes the stored builds of earlier preludes and catalogues. */
async function removeOthers(directory: string, key: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const isBuild = name.startsWith(PREFIX) && name.endsWith('.bin')
    if (isBuild && name !== `${PREFIX}${key}.bin`) await rm(join(directory, name), { force: true })
  }
}

function pathOf(directory: string, key: string): string {
  return join(directory, `${PREFIX}${key}.bin`)
}

function checksum(parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function pack({ module, snapshot: { memory, ...rest } }: Build): Uint8Array[] {
  const header: Header = { ...rest, moduleBytes: module.length, memoryBytes: memory.byteLength }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(text.length)
  return [length, text, module, ...rest.runs.map(([start, end]) => new Uint8Array(memory, start, end - start))]
}

/** The module is a view of the file's buffer, which is freed once the module is compiled; the snapshot is a copy. */
function unpack(content: Buffer<ArrayBuffer>): Build {
  const headerEnd = LENGTH_BYTES + content.readUInt32LE(0)
  const { moduleBytes, memoryBytes, ...rest } = JSON.parse(content.toString('utf8', LENGTH_BYTES, headerEnd)) as Header
  let offset = headerEnd + moduleBytes
  const memory = new SharedArrayBuffer(memoryBytes)
  const bytes = new Uint8Array(memory)
  for (const [start, end] of rest.runs) {
    bytes.set(content.subarray(offset, offset + end - start), start)
    offset += end - start
  }
  return { module: content.subarray(headerEnd, headerEnd + moduleBytes), snapshot: { ...rest, memory } }
}
