import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Build } from './snapshot-builder.ts'

/** The JSON at the start of the file. The module's bytes and the memory's bytes follow it. */
interface Header extends Omit<Build, 'module' | 'memory'> {
  moduleBytes: number
  memoryBytes: number
  /** The stretches of memory that are not zero; only they are stored. */
  runs: [start: number, end: number][]
}

const CHECKSUM_BYTES = 32
const LENGTH_BYTES = 4
const PAGE_BYTES = 65536
const PREFIX = 'sandbox-'

/** The stored build of a key, or null when there is none or the file is damaged. */
export async function readBuild(directory: string, key: string): Promise<Build | null> {
  try {
    const file = await readFile(pathOf(directory, key))
    const content = file.subarray(CHECKSUM_BYTES)
    if (!checksum([content]).equals(file.subarray(0, CHECKSUM_BYTES))) return null
    const build = unpack(content)
    file.buffer.transfer(0) // Gives its memory back at once; an idle process may not collect garbage for hours.
    return build
  } catch {
    return null
  }
}

/** Which file the stored build of a key is: another one after each writing. Null when there is none. */
export async function versionOfBuild(directory: string, key: string): Promise<string | null> {
  const path = pathOf(directory, key)
  const file = await stat(path, { bigint: true }).catch(() => null)
  return file && [path, file.ino, file.size, file.mtimeNs].join(' ')
}

/** Stores a build completely or not at all. If the directory cannot be written, the next start is slower, and nothing else. */
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

/** Builds of older preludes and catalogues are not needed any more. */
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

function pack({ module, memory, ...rest }: Build): Uint8Array[] {
  const runs = nonZeroRuns(Buffer.from(memory.buffer))
  const header: Header = { ...rest, moduleBytes: module.length, memoryBytes: memory.length, runs }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(text.length)
  return [length, text, module, ...runs.map(([start, end]) => memory.subarray(start, end))]
}

function unpack(content: Buffer): Build {
  const headerEnd = LENGTH_BYTES + content.readUInt32LE(0)
  const { moduleBytes, memoryBytes, runs, ...rest } = JSON.parse(
    content.toString('utf8', LENGTH_BYTES, headerEnd),
  ) as Header
  const module = new Uint8Array(content.subarray(headerEnd, headerEnd + moduleBytes))
  const memory = new Uint8Array(memoryBytes)
  let offset = headerEnd + moduleBytes
  for (const [start, end] of runs) {
    memory.set(content.subarray(offset, offset + end - start), start)
    offset += end - start
  }
  return { ...rest, module, memory }
}

function nonZeroRuns(memory: Buffer): [number, number][] {
  const zeros = Buffer.alloc(PAGE_BYTES)
  const runs: [number, number][] = []
  for (let start = 0; start < memory.length; start += PAGE_BYTES) {
    if (zeros.compare(memory, start, start + PAGE_BYTES) === 0) continue
    const last = runs.at(-1)
    if (last?.[1] === start) last[1] = start + PAGE_BYTES
    else runs.push([start, start + PAGE_BYTES])
  }
  return runs
}
