import type { Socket } from 'node:net'
import { networkOf } from '../access/network.ts'
import type { ConnectionLimits } from './limits.ts'

const SWEEP_MS = 1_000

/** Limits the connections and unread bytes per client. A proxy and this machine are exempt, because many clients share them. */
export class Connections {
  readonly #limits: Pick<ConnectionLimits, 'connectionsOfClient' | 'unreadBytesOfClient'>
  readonly #behindProxy: boolean
  readonly #open = new Map<string, Set<Socket>>()
  readonly #timer: NodeJS.Timeout

  constructor(
    limits: Pick<ConnectionLimits, 'connectionsOfClient' | 'unreadBytesOfClient'>,
    { behindProxy }: { behindProxy: boolean },
  ) {
    this.#limits = limits
    this.#behindProxy = behindProxy
    this.#timer = setInterval(() => this.endUnread(), SWEEP_MS)
    this.#timer.unref()
  }

  /** Counts a connection until it is closed. Returns false if its client already has too many. */
  admit(socket: Socket): boolean {
    const client = this.#clientOf(socket)
    if (client === null) return true
    const open = this.#open.get(client) ?? new Set()
    if (open.size >= this.#limits.connectionsOfClient) return false
    this.#open.set(client, open.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) this.#open.delete(client)
    })
    return true
  }

  endUnread(): void {
    for (const open of this.#open.values()) {
      let unread = 0
      for (const socket of open) unread += socket.writableLength
      if (unread <= this.#limits.unreadBytesOfClient) continue
      for (const socket of [...open].sort((one, other) => other.writableLength - one.writableLength)) {
        if (unread <= this.#limits.unreadBytesOfClient) break
        unread -= socket.writableLength
        socket.destroy()
      }
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #clientOf({ remoteAddress }: Socket): string | null {
    if (remoteAddress === undefined || this.#behindProxy || LOOPBACK.test(remoteAddress)) return null
    return networkOf(remoteAddress)
  }
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/i
