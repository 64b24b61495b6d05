import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { composed } from './compose.ts'
import type { MailProvider, Message } from './provider.ts'

interface Room {
  files: number
  bytes: number
}

/** Enough to look back at a rehearsal of several years, and never a disk full of mail. */
const ROOM: Room = { files: 5_000, bytes: 200_000_000 }
const EXTENSION = '.eml'

/**
 * Keeps messages as files that mail programs open, instead of sending them: `email_….eml`, in the order of their writing.
 * When there are too many, the oldest are removed.
 */
export function outboxIn(directory: string, room: Room = ROOM): MailProvider {
  const outbox = new Outbox(directory, room)
  return { send: (message) => outbox.keep(message) }
}

class Outbox {
  readonly #directory: string
  readonly #room: Room
  /** Bytes by file name, the oldest first; read with the first message. */
  #files: Promise<Map<string, number>> | null = null

  constructor(directory: string, room: Room) {
    this.#directory = directory
    this.#room = room
  }

  async keep(message: Message): Promise<void> {
    const bytes = await bytesOf(message)
    const file = `${message.id}${EXTENSION}`
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    await this.#write(file, bytes)
    const files = await this.#known()
    files.set(file, bytes.length)
    await this.#removeOldest(files)
  }

  /** A reader sees the whole file or none, and what counts as sent is on the disk. */
  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#directory, file)
    await writeFile(`${path}.part`, bytes, { mode: 0o600, flush: true })
    await rename(`${path}.part`, path)
  }

  #known(): Promise<Map<string, number>> {
    this.#files ??= this.#read().catch((error: unknown) => {
      this.#files = null
      throw error
    })
    return this.#files
  }

  async #read(): Promise<Map<string, number>> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(EXTENSION)).sort()
    const files = new Map<string, number>()
    for (const name of names) {
      const found = await stat(join(this.#directory, name)).catch(() => null)
      if (found) files.set(name, found.size)
    }
    return files
  }

  async #removeOldest(files: Map<string, number>): Promise<void> {
    let bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
    const tooMuch = () => files.size > this.#room.files || bytes > this.#room.bytes
    if (!tooMuch()) return
    for (const name of [...files.keys()].sort()) {
      bytes -= files.get(name)!
      files.delete(name)
      await rm(join(this.#directory, name), { force: true })
      if (!tooMuch()) return
    }
  }
}

async function bytesOf(message: Message): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: bytes } = await writer.sendMail(composed(message))
  if (!Buffer.isBuffer(bytes)) throw new Error('The message was not written in one piece.')
  return bytes
}
