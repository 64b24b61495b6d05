import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { allMigrations } from '../../src/migrations.ts'
import { SharedBuckets } from '../../src/pipeline/shared-buckets.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines } from '../database/engines.ts'

const MINUTE_MS = 60_000
const postgres = engines.find(({ name }) => name === 'postgres')!

describe.skipIf(!postgres.available)('Buckets that replicas share', () => {
  let database: Database<Tables>
  let clock = Date.parse('2026-06-01T00:00:00Z')
  beforeAll(async () => {
    database = await postgres.open<Tables>(await allMigrations())
  })
  afterAll(() => database.close())

  const bucketOf = (client_key: string) => ({ table: 'client_buckets' as const, key: { client_key } })
  const refill = { perMinute: 60, burst: 25 }
  const all = (buckets: SharedBuckets, key: string, costs: number[]) =>
    Promise.all(costs.map((cost) => buckets.take(bucketOf(key), refill, cost)))

  it('give each of those who ask at once what would be left if they came one after the other', async () => {
    const buckets = new SharedBuckets(database, () => clock)
    const left = await all(buckets, 'at once', Array(40).fill(1))
    expect(left.filter((permits) => permits >= 0)).toEqual(Array.from({ length: 25 }, (_, index) => 24 - index))
    expect(left.filter((permits) => permits < 0)).toHaveLength(15)
  })

  it('let a small wish have what a large one before it could not', async () => {
    const buckets = new SharedBuckets(database, () => clock)
    expect(await all(buckets, 'large', [20, 10, 5])).toEqual([5, -10, 0])
  })

  it('fill again with time, never above their size', async () => {
    const buckets = new SharedBuckets(database, () => clock)
    await all(buckets, 'time', [25])
    clock += MINUTE_MS / 6
    expect(await all(buckets, 'time', [4, 4, 4])).toEqual([6, 2, -4])
    clock += MINUTE_MS
    expect(await all(buckets, 'time', [1])).toEqual([24])
  })

  it('take back what was not used, never above their size, and count none of it for those who ask meanwhile', async () => {
    const buckets = new SharedBuckets(database, () => clock)
    await all(buckets, 'back', [24.5])
    expect(await all(buckets, 'back', [1, -9])).toEqual([-1, 9.5])
    expect(await all(buckets, 'back', [1])).toEqual([8.5])
    expect(await all(buckets, 'back', [-25])).toEqual([25])
    expect(await all(buckets, 'back', [1])).toEqual([24])
  })

  it('are counted once by two replicas', async () => {
    const replicas = [new SharedBuckets(database, () => clock), new SharedBuckets(database, () => clock)]
    const keys = Array.from({ length: 30 }, (_, index) => `of two ${index}`)
    const left = await Promise.all(
      replicas.flatMap((buckets) => keys.map((key) => all(buckets, key, Array(20).fill(1)))),
    )
    const taken = left.flat().filter((permits) => permits >= 0).length
    expect(taken).toBe(keys.length * refill.burst)
  })
})
