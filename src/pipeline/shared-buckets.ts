import { CompiledQuery } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** A token bucket of a rate limit that replicas share. Each permit in the bucket allows one request. */
export interface SharedBucket {
  table: 'rate_buckets' | 'client_buckets'
  /** The columns of the bucket's primary key, always in the same order. */
  key: Record<string, string>
}

/** A bucket gains `perMinute` permits per minute and contains at most `burst`. */
export interface Refill {
  perMinute: number
  burst: number
}

interface BucketRequest {
  bucket: SharedBucket
  name: string
  cost: number
  resolve(left: number): void
  reject(error: unknown): void
}

interface BucketRow {
  bucket: SharedBucket
  name: string
  cost: number
  asked: BucketRequest[]
}

/** The maximum rounding error of a sum of tenths of a permit. */
export const ROUNDING = 1e-6
const MOST_BUCKETS = 20

/** Token buckets in PostgreSQL. Requests that arrive while a statement runs share the next one, outside of any transaction. */
export class SharedBuckets {
  readonly #database: Pick<Database<Tables>, 'read'>
  readonly #now: () => number
  readonly #waiting = new Map<string, BucketRequest[]>()
  readonly #texts = new Map<string, string>()

  constructor(database: Pick<Database<Tables>, 'read'>, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
  }

  /** Returns the remaining permits. If there are too few, takes none and returns a negative number. A negative cost puts permits back. */
  take(bucket: SharedBucket, refill: Refill, cost: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = { bucket, name: JSON.stringify(Object.values(bucket.key)), cost, resolve, reject }
      const alike = `${bucket.table} ${refill.perMinute} ${refill.burst}`
      const waiting = this.#waiting.get(alike)
      if (waiting) waiting.push(asked)
      else void this.#serve(alike, refill, [asked])
    })
  }

  async #serve(alike: string, refill: Refill, waiting: BucketRequest[]): Promise<void> {
    this.#waiting.set(alike, waiting)
    while (waiting.length > 0) {
      const takings = nextRows(waiting, refill.burst)
      await this.#takeAll(takings, refill).catch((error: unknown) => {
        for (const { reject } of takings.flatMap(({ asked }) => asked)) reject(error)
      })
    }
    this.#waiting.delete(alike)
  }

  /** Takes the summed costs. If a bucket has too few permits for all of its requests, tries each request separately. */
  async #takeAll(takings: BucketRow[], refill: Refill): Promise<void> {
    const left = await this.#takeSums(takings, refill)
    for (const taking of takings) {
      const { name, cost, asked } = taking
      const permits = left.get(name)
      if (permits !== undefined) answerAll(taking, permits)
      // The statement does not say how many permits a refused bucket has, so 0 is assumed.
      else if (asked.length === 1) for (const { resolve } of asked) resolve(-cost)
      else for (const one of asked) await this.#takeAll([rowOf(one)], refill)
    }
  }

  /** Returns the remaining permits by bucket name. Buckets with too few permits are absent. */
  async #takeSums(takings: BucketRow[], { burst, perMinute }: Refill): Promise<Map<string, number>> {
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
    const text = this.#texts.get(known) ?? statementOf(table, columns, count)
    this.#texts.set(known, text)
    return text
  }
}

/**
 * Removes from the queue the requests that the next statement serves, grouped by bucket, with at most `burst` permits per bucket. The
 * buckets are sorted by name, so that the statements of two replicas cannot deadlock.
 */
function nextRows(waiting: BucketRequest[], burst: number): BucketRow[] {
  const chosen = new Map<string, BucketRow>()
  const later: BucketRequest[] = []
  for (const asked of waiting) {
    const known = chosen.get(asked.name)
    // Requests that put permits back are not summed with requests that take permits.
    const alike = known && known.cost < 0 === asked.cost < 0
    if (known && alike && known.cost + asked.cost <= burst) {
      known.cost += asked.cost
      known.asked.push(asked)
    } else if (!known && chosen.size < MOST_BUCKETS) chosen.set(asked.name, rowOf(asked))
    else later.push(asked)
  }
  waiting.splice(0, waiting.length, ...later)
  return [...chosen.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

function rowOf(asked: BucketRequest): BucketRow {
  const { bucket, name, cost } = asked
  return { bucket, name, cost, asked: [asked] }
}

/** Resolves each request as if the requests had been made one after the other. */
function answerAll({ cost: all, asked }: BucketRow, permits: number): void {
  let after = all
  for (const { cost, resolve } of asked) {
    after -= cost
    resolve(permits + after)
  }
}

/** Returns the SQL. Each row contains `burst` minus the cost, which is the number of permits that remain in a new bucket. */
function statementOf(table: string, columns: string[], count: number): string {
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
