import { Ticket } from '../ticket.ts'

/** Gives a place back. Only the first call counts. */
export type Leave = () => void

interface Room {
  taken: number
  waiting: Set<Ticket<Leave>>
}

/** Lets at most `count` holders in at a time for each key; the others wait in the order they came. */
export class Places {
  readonly #count: number
  readonly #rooms = new Map<string, Room>()

  constructor(count: number) {
    this.#count = count
  }

  /** Waits for a place. An abort while waiting rejects with its reason. */
  async take(key: string, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted()
    const room = this.#rooms.get(key) ?? { taken: 0, waiting: new Set() }
    this.#rooms.set(key, room)
    const ticket = new Ticket(this.#leaving(key, room), (left) => room.waiting.delete(left), signal)
    if (room.taken < this.#count) {
      room.taken += 1
      ticket.admit()
    } else {
      room.waiting.add(ticket)
    }
    return ticket.admitted
  }

  #leaving(key: string, room: Room): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      this.#freeOne(key, room)
    }
  }

  #freeOne(key: string, room: Room): void {
    const [next] = room.waiting
    if (next) {
      room.waiting.delete(next)
      next.admit()
      return
    }
    room.taken -= 1
    if (room.taken === 0) this.#rooms.delete(key)
  }
}
