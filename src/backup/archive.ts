import type { FileHandle } from 'node:fs/promises'
import { Header } from 'tar'

/** The block size of the tar format. Two empty blocks end an archive. */
const BLOCK = 512
const CHUNK_BYTES = 1024 * 1024
/** Only the current user may read unpacked files. */
export const MODE = 0o600

/** Writes a tar archive sequentially, without holding it in memory. */
export class ArchiveWriter {
  readonly #target: FileHandle

  constructor(target: FileHandle) {
    this.#target = target
  }

  async addFile(name: string, file: FileHandle): Promise<void> {
    const { size } = await file.stat()
    await this.#header(name, size)
    let written = 0
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES, end: size })) {
      const bytes = (chunk as Buffer).subarray(0, size - written)
      await this.#target.appendFile(bytes)
      written += bytes.length
    }
    if (written !== size) throw new Error(`${name} became shorter while it was copied.`)
    await this.#pad(size)
  }

  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#header(name, bytes.length)
    await this.#target.appendFile(bytes)
    await this.#pad(bytes.length)
  }

  async end(): Promise<void> {
    await this.#target.appendFile(Buffer.alloc(2 * BLOCK))
    await this.#target.sync()
  }

  async #header(path: string, size: number): Promise<void> {
    const block = Buffer.alloc(BLOCK)
    const tooLong = new Header({ path, size, mode: MODE, mtime: new Date(), type: 'File' }).encode(block, 0)
    if (tooLong) throw new Error(`The name ${path} is too long for an archive.`)
    await this.#target.appendFile(block)
  }

  async #pad(size: number): Promise<void> {
    const rest = size % BLOCK
    if (rest > 0) await this.#target.appendFile(Buffer.alloc(BLOCK - rest))
  }
}
