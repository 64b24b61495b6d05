import { CompiledQuery } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** One of the buckets that replicas share. */
export interface SharedBucket {
  table: 'rate_buckets' | 'client_buckets'
  /** The columns of its key, always in the same order. */
  key: Record<string, string>
}

/** `perMinute` permits come back, and at most `burst` are there at once. */
export interface Refill {
  perMinute: number
  burst: number
}

interface Asked {
  bucket: SharedBucket
  name: string
  cost: number
  resolve(left: number): void
  reject(error: unknown): void
}

/** What one row of a statement asks for. */
interface Taking {
  bucket: SharedBucket
  name: string
  /** What all who ask want together. */
  cost: number
  asked: Asked[]
}

/** Permits: what sums of tenths may be wrong by. */
export const ROUNDING = 1e-6
/** Buckets of one statement. */
const MOST_BUCKETS = 20

/**
 * Buckets in a PostgreSQL database: whoever asks while a statement is under way is served by the next one, outside of every
 * transaction.
 */
export class SharedBuckets {
  readonly #database: Pick<Database<Tables>, 'read'>
  readonly #now: () => number
  readonly #waiting = new Map<string, Asked[]>()
  readonly #texts = new Map<string, string>()

  constructor(database: Pick<Database<Tables>, 'read'>, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /**
   * Takes `cost` permits and gives what is left, below 0 when there were not as many, in which case nothing is taken. A negative
   * cost gives back.
   */
  take(bucket: SharedBucket, refill: Refill, cost: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = { bucket, name: JSON.stringify(Object.values(bucket.key)), cost, resolve, reject }
      const alike = `${bucket.table} ${refill.perMinute} ${refill.burst}`
      const waiting = this.#waiting.get(alike)
      if (waiting) waiting.push(asked)
      else void this.#serve(alike, refill, [asked])
    })
  }

  /** Until nobody waits for buckets of this kind. */
  async #serve(alike: string, refill: Refill, waiting: Asked[]): Promise<void> {
    this.#waiting.set(alike, waiting)
    while (waiting.length > 0) {
      const takings = chosenFrom(waiting, refill.burst)
      await this.#takeAll(takings, refill).catch((error: unknown) => {
        for (const { reject } of takings.flatMap(({ asked }) => asked)) reject(error)
      })
    }
    this.#waiting.delete(alike)
  }

  /** Where a bucket has not enough for all who ask, each asks by itself. */
  async #takeAll(takings: Taking[], refill: Refill): Promise<void> {
    const left = await this.#takeSums(takings, refill)
    for (const taking of takings) {
      const { name, cost, asked } = taking
      const permits = left.get(name)
      if (permits !== undefined) share(taking, permits)
      // A refusal does not say how much there is; nothing is a safe guess.
      else if (asked.length === 1) for (const { resolve } of asked) resolve(-cost)
      else for (const one of asked) await this.#takeAll([takingOf(one)], refill)
    }
  }

  /** What is left by the name of the bucket; one that had too little is absent. */
  async #takeSums(takings: Taking[], { burst, perMinute }: Refill): Promise<Map<string, number>> {
    const [first] = takings
    if (!first) return new Map()
    const { table, key } = first.bucket
    const columns = Object.keys(key)
    const at = this.#now()
    const values = takings.flatMap(({ bucket, cost }) => [...Object.values(bucket.key), burst - cost, at])
    const query = CompiledQuery.raw(this.#textFor(table, columns, takings.length), [
      ...values,
      burst,
      perMinute / 60_000,
    ])
    const { rows } = await this.#database.read.executeQuery<Record<string, string> & { permits: number }>(query)
    return new Map(
      rows.map(({ permits, ...of }) => [JSON.stringify(columns.map((column) => of[column])), Math.min(permits, burst)]),
    )
  }

  #textFor(table: string, columns: string[], count: number): string {
    const known = `${table} ${count}`
    const text = this.#texts.get(known) ?? textOf(table, columns, count)
    this.#texts.set(known, text)
    return text
  }
}

/**
 * Takes out of the queue what the next statement can serve, by bucket: of each, no more than it ever holds. In the order of their names,
 * so that statements of two replicas do not wait for each other.
 */
function chosenFrom(waiting: Asked[], burst: number): Taking[] {
  const chosen = new Map<string, Taking>()
  const later: Asked[] = []
  for (const asked of waiting) {
    const known = chosen.get(asked.name)
    // What is given back never makes up for what others take: each of those is answered by what there was.
    const alike = known && known.cost < 0 === asked.cost < 0
    if (known && alike && known.cost + asked.cost <= burst) {
      known.cost += asked.cost
      known.asked.push(asked)
    } else if (!known && chosen.size < MOST_BUCKETS) chosen.set(asked.name, takingOf(asked))
    else later.push(asked)
  }
  waiting.splice(0, waiting.length, ...later)
  return [...chosen.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

function takingOf(asked: Asked): Taking {
  const { bucket, name, cost } = asked
  return { bucket, name, cost, asked: [asked] }
}

/** Each is answered as if it had asked in its turn. */
function share({ cost: all, asked }: Taking, permits: number): void {
  let after = all
  for (const { cost, resolve } of asked) {
    after -= cost
    resolve(permits + after)
  }
}

/** A row brings `burst` less what is asked for: that is how full a new bucket is then. */
function textOf(table: string, columns: string[], count: number): string {
  const width = columns.length + 2
  const rows = Array.from(
    { length: count },
    (_, row) => `(${Array.from({ length: width }, (_, at) => `$${row * width + at + 1}`)})`,
  )
  const [burst, perMs] = [`$${count * width + 1}::double precision`, `$${count * width + 2}::double precision`]
  const refilled = `least(${burst}, kept.permits + greatest(excluded.refilled_at - kept.refilled_at, 0) * ${perMs})`
  const cost = `(${burst} - excluded.permits)`
  return `insert into ${table} as kept (${columns}, permits, refilled_at) values ${rows}
    on conflict (${columns}) do update
    set permits = least(greatest(${refilled} - ${cost}, 0), ${burst}), refilled_at = greatest(excluded.refilled_at, kept.refilled_at)
    where ${refilled} >= ${cost} - ${ROUNDING}
    returning ${columns}, permits`
}
