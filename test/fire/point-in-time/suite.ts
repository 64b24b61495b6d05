import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDirectory } from '../../database/engines.ts'
import { booksOf } from '../../process/sales/books.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import type { Server } from '../../support/server.ts'
import { baseBackup, type Cluster, makeCluster, postgresDirectory } from '../database/cluster.ts'
import { Replicas } from '../database/replicas.ts'
import { BurningShop } from '../database/shop.ts'
import { Report } from '../report.ts'

/** A PostgreSQL database with an archive of its log, brought back as it was at a moment in the middle of sales. */
const SELLING_MS = 8_000
/** Deliveries begin within a second. */
const QUIET_MS = 4_000
const ARCHIVED_LIMIT_MS = 60_000

const report = new Report()
const undo: (() => unknown)[] = []
try {
  await main()
} finally {
  for (const step of undo.reverse()) await step()
}
report.end()

async function main(): Promise<void> {
  const archive = postgresDirectory(undo)
  const settings = { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` }
  const cluster = await makeCluster(undo, settings)
  await cluster.start()
  const { directory, remove } = await freshDirectory()
  const receiver = await startReceiver()
  undo.push(remove, () => receiver.close())
  const replicas = new Replicas(directory, { DATABASE_URL: cluster.url })
  await replicas.start(1)
  let stopped: Promise<unknown> | undefined
  const stop = () => {
    stopped ??= replicas.stop()
    return stopped
  }
  undo.push(stop)
  const shop = new BurningShop({ replicas, receiver, url: () => cluster.url })
  await shop.open('moment')
  const copy = await baseBackup(cluster, undo)
  const { moment, expected } = await sellAround(shop, cluster, replicas)
  await archived(cluster, archive)
  restoreTo(copy, archive, moment)
  await copy.start()
  await report.check('the copy has ended its recovery at the moment', async () => {
    for (let waited = 0; waited < ARCHIVED_LIMIT_MS; waited += 200) {
      const [row] = await copy.query<{ on: boolean }>('select pg_is_in_recovery() as on')
      if (row?.on === false) return
      await delay(200)
    }
    throw new Error(`It still recovers:\n${copy.log.slice(-1_000)}`)
  })
  const books = await replicas.within((database) => booksOf(database, shop.accountId), copy.url)
  report.figure(
    'rows of the copy',
    Object.values(books).reduce((sum, rows) => sum + rows.length, 0),
  )
  await report.check('every row is as it was at the moment', () => assert.deepEqual(sorted(books), sorted(expected)))
  await stop()
  await report.check('the copy serves, and sends nothing while it is quiet', () => sellsAgain(copy, shop, receiver))
}

/** Sells, stops for a moment whose rows are remembered, and goes on selling. */
async function sellAround(shop: BurningShop, cluster: Cluster, replicas: Replicas) {
  shop.start()
  await delay(SELLING_MS)
  await shop.stop()
  await shop.settle()
  const expected = await replicas.within((database) => booksOf(database, shop.accountId), cluster.url)
  await delay(1_500)
  const [row] = await cluster.query<{ moment: string }>('select clock_timestamp()::text as moment')
  await delay(1_500)
  shop.start()
  await delay(SELLING_MS)
  await shop.stop()
  await shop.settle()
  const later = await replicas.within((database) => booksOf(database, shop.accountId), cluster.url)
  report.figure('orders at the moment and at the end', `${expected.orders!.length}, ${later.orders!.length}`)
  return { moment: row!.moment, expected }
}

/** Waits until the archive has the log up to now. */
async function archived(cluster: Cluster, archive: string): Promise<void> {
  const [row] = await cluster.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
  for (let waited = 0; waited < ARCHIVED_LIMIT_MS; waited += 100) {
    if (existsSync(join(archive, row!.file))) return
    await delay(100)
  }
  throw new Error(`${row!.file} was not archived.`)
}

function restoreTo({ data }: Cluster, archive: string, moment: string): void {
  const lines = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${moment}'`,
    `recovery_target_action = 'promote'`,
  ]
  writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  writeFileSync(join(data, 'recovery.signal'), '')
}

function sorted(books: Awaited<ReturnType<typeof booksOf>>) {
  return Object.fromEntries(
    Object.entries(books).map(([table, rows]) => [table, rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))]),
  )
}

/** A quiet copy takes a sale and sends nothing; the same copy sends what waited once it is said to be the service. */
async function sellsAgain(copy: Cluster, shop: BurningShop, receiver: Receiver): Promise<void> {
  const before = receiver.received.length
  const quiet = await heardWhile(copy, receiver, { OUTBOUND_DISABLED: 'true' }, async (server) => {
    const answer = await server.api('POST', '/products', { name: 'After' }, { token: shop.token })
    assert.equal(answer.status, 201, answer.text)
    await delay(QUIET_MS)
  })
  assert.equal(quiet, before)
  const live = await heardWhile(copy, receiver, {}, async () => {
    await receiver.until(before + 1)
  })
  assert.ok(live > before)
}

/** How many requests the receiver has had in all, once a service on the copy has done this. */
async function heardWhile(
  copy: Cluster,
  receiver: Receiver,
  settings: Record<string, string>,
  work: (server: Server) => Promise<void>,
): Promise<number> {
  const { directory, remove } = await freshDirectory()
  const replicas = new Replicas(directory, { DATABASE_URL: copy.url, ...settings })
  try {
    await replicas.start(1)
    await work(replicas.servers[0]!)
    return receiver.received.length
  } finally {
    await replicas.stop()
    await remove()
  }
}
