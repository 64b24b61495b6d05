import { setTimeout as delay } from 'node:timers/promises'
import type { Replicas } from '../database/replicas.ts'
import type { Transaction } from './checker/history.ts'
import { act, type Done, type Place, readRow } from './client.ts'
import { Keys } from './keys.ts'

const ACCOUNTS = 4
const CLIENTS_OF_ACCOUNT = 5
/** After a refusal a client pauses for less than it is asked to. */
const REFUSED_PAUSE_MS = 200
const PROGRESS = 10_000
const LAST_READS_AT_ONCE = 16

/** What came of a run: the history, and what its clients heard. */
export interface Recorded {
  history: (Transaction & Pick<Done, 'how'>)[]
  said: Map<string, number>
  /** The longest that a client waited for an answer, in milliseconds. */
  longestMs: number
  seconds: number
}

export interface Limits {
  /** So many are committed, or so many minutes are over. */
  transactions: number
  minutes: number
  /** The share of transactions that are requests, not programs. */
  requests: number
}

/** Lets clients of several accounts work until so many transactions are committed or the time is over, and then reads all lists. */
export async function record(
  replicas: Replicas,
  { transactions, minutes, requests, url }: Limits & { url?: string },
): Promise<Recorded> {
  const recorder = new Recorder(replicas)
  const began = performance.now()
  for (let index = 0; index < ACCOUNTS; index++) await recorder.open(`history-${index}`, url)
  await recorder.work(transactions, began + minutes * 60_000, requests)
  await recorder.readAll()
  return { ...recorder.recorded, seconds: (performance.now() - began) / 1000 }
}

interface Account {
  token: string
  keys: Keys
}

class Recorder {
  readonly recorded: Recorded = { history: [], said: new Map(), longestMs: 0, seconds: 0 }
  readonly #replicas: Replicas
  readonly #accounts: Account[] = []
  #value = 0

  constructor(replicas: Replicas) {
    this.#replicas = replicas
  }

  async open(name: string, url?: string): Promise<void> {
    const { token } = await this.#replicas.openAccount(name, url)
    const keys = new Keys(async () => {
      const { status, body, text } = await this.#anyServer().api('POST', '/products', { name }, { token })
      if (status !== 201) throw new Error(`No product could be made: ${text}`)
      return body.id
    })
    await keys.fill()
    this.#accounts.push({ token, keys })
  }

  async work(transactions: number, untilMs: number, requests: number): Promise<void> {
    const isOver = () => (this.recorded.said.get('ok') ?? 0) >= transactions || performance.now() > untilMs
    const clients = this.#accounts.flatMap((account) => Array.from({ length: CLIENTS_OF_ACCOUNT }, () => account))
    await Promise.all(
      clients.map(async (account) => {
        while (!isOver()) {
          const said = await this.#note(() => act(this.#placeOf(account), requests))
          if (said !== 'ok') await delay(REFUSED_PAUSE_MS)
        }
      }),
    )
  }

  /** Until every list was read once more. */
  async readAll(): Promise<void> {
    for (const account of this.#accounts) {
      const left = [...account.keys.all]
      const reader = async () => {
        for (let key = left.pop(); key; key = left.pop()) {
          const asked = key
          while ((await this.#note(() => readRow(this.#placeOf(account), asked, 'last'))) !== 'ok') await delay(200)
        }
      }
      await Promise.all(Array.from({ length: LAST_READS_AT_ONCE }, reader))
    }
  }

  async #note(work: () => Promise<Done>): Promise<string> {
    const beganMs = performance.now()
    const { said, ...done } = await work()
    const endedMs = performance.now()
    const { history, said: counts } = this.recorded
    counts.set(said, (counts.get(said) ?? 0) + 1)
    this.recorded.longestMs = Math.max(this.recorded.longestMs, endedMs - beganMs)
    history.push({ ...done, id: history.length, beganMs, endedMs })
    if (history.length % PROGRESS === 0) console.log(`    ${history.length} transactions`)
    return said
  }

  #placeOf({ token, keys }: Account): Place {
    return { server: this.#anyServer(), token, keys, nextValue: () => ++this.#value }
  }

  #anyServer() {
    const { servers } = this.#replicas
    return servers[Math.floor(Math.random() * servers.length)]!
  }
}
