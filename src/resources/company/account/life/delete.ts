import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { timestampOf } from '../../../../contract/values/values.ts'
import { type AccountTable, accountTables } from '../../../../database/account-tables.ts'
import { insertUnless } from '../../../../database/compile-once.ts'
import type { FileStore } from '../../../../providers/files/provider.ts'
import type { Services } from '../../../../records/services.ts'
import type { ConnectionRow } from '../../../sales/payment/connection/current.ts'
import { endWebhook } from '../../../sales/payment/connection/inspect.ts'
import type { Db, ShopScope } from '../../../tables.ts'
import { forgetWithoutAccount } from '../../user/forget.ts'

export type DeletedRows = Map<string, number>

/** The number of rows per transaction adapts, because a transaction should block other writers for only about STEP_MS. */
const FIRST_STEP = 100
const LARGEST_STEP = 1_000
const STEP_MS = 20
/** During this pause, other writers can take the writer lock of the embedded database. */
const PAUSE_MS = 20
/** Only the process that began a deletion may continue it during this time; afterwards any server may. */
const EXCLUSIVE_MS = 10 * 60 * 1000
/** No request that began before the deletion can still write rows after this time. */
const STRAGGLERS_MS = 24 * 60 * 60 * 1000
/** A stopping server may have to wait this long for a round of deletions. */
const ROUND_MS = 5_000

/** Deletes an account and everything in it. Rows left after `withinMs` or a crash are deleted by the next call or a running server. */
export async function deleteAccount(
  database: ShopScope,
  accountId: string,
  { withinMs = Number.POSITIVE_INFINITY } = {},
): Promise<{ deleted: DeletedRows; finished: boolean }> {
  const until = performance.now() + withinMs
  const deleted = await database.transaction(({ db }) => revokeAllAccess(db, accountId))
  return { deleted, finished: await deleteRows(database, accountId, { deleted, until }) }
}

/** Deletes the rows that crashes and requests in flight left of deleted accounts. A running server calls this every few minutes. */
export async function finishDeletions(database: ShopScope, now = Date.now()): Promise<void> {
  const left = timestampOf(new Date(now - EXCLUSIVE_MS))
  const over = timestampOf(new Date(now - STRAGGLERS_MS))
  const until = performance.now() + ROUND_MS
  const begun = database.read.selectFrom('account_deletions').selectAll().where('begun_at', '<', left)
  for (const { id, begun_at } of await begun.execute()) {
    const done = await deleteRows(database, id, { deleted: new Map(), until })
    if (done && begun_at < over)
      await database.transaction(({ db }) => db.deleteFrom('account_deletions').where('id', '=', id).execute())
  }
}

/** Revokes all access to the account and deletes the users who belong to no other account. */
async function revokeAllAccess(db: Db, accountId: string): Promise<DeletedRows> {
  const begun = {
    id: accountId,
    begun_at: timestampOf(new Date()),
    payment_webhooks: await webhooksOf(db, accountId),
  }
  await insertUnless(db, 'account_deletions', begun, ['id'])
  const tokens = await db.deleteFrom('api_tokens').where('account_id', '=', accountId).executeTakeFirstOrThrow()
  const members = await db.selectFrom('memberships').select('user_id').where('account_id', '=', accountId).execute()
  const left = await db.deleteFrom('memberships').where('account_id', '=', accountId).executeTakeFirstOrThrow()
  const people = members.map(({ user_id }) => user_id)
  const users = await forgetWithoutAccount(db, people)
  return new Map([
    ['api_tokens', Number(tokens.numDeletedRows)],
    ['memberships', Number(left.numDeletedRows)],
    ['users', users],
  ])
}

/** Returns the payment connections with webhook endpoints as JSON, which is stored because their rows will be deleted. */
async function webhooksOf(db: Db, accountId: string): Promise<string | null> {
  const connections = db.selectFrom('payment_connections').selectAll().where('account_id', '=', accountId)
  const found = await connections.where('notices_id', 'is not', null).execute()
  return found.length > 0 ? JSON.stringify(found) : null
}

interface DeletionRound {
  deleted: DeletedRows
  /** A time of `performance.now()` after which no step begins. */
  until: number
}

/** Deletes rows in steps, the account's own row last. Resolves to true when no rows are left. */
async function deleteRows(database: ShopScope, accountId: string, { deleted, until }: DeletionRound): Promise<boolean> {
  for (const table of await accountTables(database.read)) {
    let size = FIRST_STEP
    while (await hasRows(database.read, table, accountId)) {
      const began = performance.now()
      if (began > until) return false
      const count = await database.transaction(({ db }) => deleteSome(db, table, accountId, size), {
        lowPriority: true,
      })
      deleted.set(table.name, (deleted.get(table.name) ?? 0) + count)
      size = nextSize(size, performance.now() - began)
      await sleep(PAUSE_MS)
    }
  }
  return true
}

function nextSize(size: number, tookMs: number): number {
  return tookMs > STEP_MS ? Math.max(1, Math.floor(size / 2)) : Math.min(LARGEST_STEP, size * 2)
}

async function hasRows(db: Db, { name }: AccountTable, accountId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(name)} where account_id = ${accountId} limit 1`.execute(db)
  return rows.length > 0
}

async function deleteSome(db: Db, { name, key }: AccountTable, accountId: string, most: number): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const some = sql`select ${columns} from ${sql.table(name)} where account_id = ${accountId} limit ${most}`
  const { numAffectedRows } = await sql`delete from ${sql.table(name)} where (${columns}) in (${some})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Removes the files of deleted accounts. Call it before `finishDeletions`, which forgets those accounts after a day. */
export async function removeFilesOfDeleted(
  { read }: Pick<ShopScope, 'read'>,
  stores: readonly Pick<FileStore, 'removeAccount'>[],
): Promise<void> {
  const deleted = await read.selectFrom('account_deletions').select('id').execute()
  for (const { id } of deleted) for (const store of stores) await store.removeAccount(id)
}

/** Removes webhook endpoints of deleted accounts. After a failure, later calls try again until `finishDeletions` forgets the account. */
export async function endWebhooksOfDeleted(database: ShopScope, services: Services): Promise<void> {
  const deletions = database.read.selectFrom('account_deletions').selectAll().where('payment_webhooks', 'is not', null)
  for (const { id, payment_webhooks } of await deletions.execute()) {
    const connections: ConnectionRow[] = JSON.parse(payment_webhooks ?? '[]')
    const leftOf = (one: ConnectionRow) =>
      endWebhook({ services }, one).then(
        () => [],
        () => [one],
      )
    const left = (await Promise.all(connections.map(leftOf))).flat()
    const values = { payment_webhooks: left.length > 0 ? JSON.stringify(left) : null }
    await database.transaction(({ db }) =>
      db.updateTable('account_deletions').set(values).where('id', '=', id).execute(),
    )
  }
}
