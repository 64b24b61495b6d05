import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../../runtime/make-directory.ts'
import { composed } from '../compose.ts'
import type { MailProvider, Message } from '../provider.ts'

interface OutboxLimits {
  files: number
  bytes: number
}

/** The default limits of an outbox: enough for a simulation of several years, without filling the disk. */
const ROOM: OutboxLimits = { files: 5_000, bytes: 200_000_000 }
const EXTENSION = '.eml'

interface OutboxOptions {
  room?: OutboxLimits
  setUp?: string
}

/** Stores messages as files named `email_….eml`, which sort by time, instead of sending them. Deletes the oldest beyond the limits. */
export function outboxIn(directory: string, { room = ROOM, setUp = '' }: OutboxOptions = {}): MailProvider {
  const outbox = new Outbox(directory, room)
  return {
    sends: false,
    reason: 'No mail server is set up, so e-mails are saved as files in the outbox and not sent.',
    setUp,
    destination: `kept in ${directory}`,
    send: (message) => outbox.keep(message),
    check: async () => {},
    close() {},
  }
}

interface StoredMessages {
  /** Sizes in bytes by file name, the oldest first. */
  files: Map<string, number>
  bytes: number
}

class Outbox {
  readonly #directory: string
  readonly #room: OutboxLimits
  /** Null until the first message is written. */
  #held: Promise<StoredMessages> | null = null

  constructor(directory: string, room: OutboxLimits) {
    this.#directory = directory
    this.#room = room
  }

  async keep(message: Message): Promise<void> {
    const bytes = await bytesOf(message)
    const held = await this.#known()
    const file = `${message.id}${EXTENSION}`
    await this.#write(file, bytes)
    held.bytes += bytes.length - (held.files.get(file) ?? 0)
    held.files.set(file, bytes.length)
    await this.#removeOldest(held)
  }

  /** Writes to a temporary file and renames it, so that no reader sees an incomplete message. */
  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#directory, file)
    const write = () => writeFile(`${path}.part`, bytes, { mode: 0o600 })
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await this.#makeDirectory()
      await write()
    })
    await rename(`${path}.part`, path)
  }

  async #makeDirectory(): Promise<void> {
    await makeDirectory(this.#directory)
  }

  #known(): Promise<StoredMessages> {
    this.#held ??= this.#read().catch((error: unknown) => {
      this.#held = null
      throw error
    })
    return this.#held
  }

  async #read(): Promise<StoredMessages> {
    await this.#makeDirectory()
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(EXTENSION)).sort()
    const held: StoredMessages = { files: new Map(), bytes: 0 }
    for (const name of names) {
      const found = await stat(join(this.#directory, name)).catch(() => null)
      if (!found) continue
      held.files.set(name, found.size)
      held.bytes += found.size
    }
    return held
  }

  async #removeOldest(held: StoredMessages): Promise<void> {
    for (const [name, size] of held.files) {
      if (held.files.size <= this.#room.files && held.bytes <= this.#room.bytes) return
      held.files.delete(name)
      held.bytes -= size
      await rm(join(this.#directory, name), { force: true })
    }
  }
}

async function bytesOf(message: Message): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: bytes } = await writer.sendMail(composed(message))
  if (!Buffer.isBuffer(bytes)) throw new Error('The message could not be written completely.')
  return bytes
}
