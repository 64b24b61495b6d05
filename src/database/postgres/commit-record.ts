import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { codeOf } from './errors.ts'
import { connect } from './pool.ts'

/** How long to find out whether an interrupted COMMIT took effect, including the time while the server is down. */
const LOOK_MS = 20_000
const PAUSE_MS = 250
/** How long records are kept. They are needed only for seconds; the rest allows for replicas whose clocks differ. */
const KEPT_MS = 15 * 60_000
const UNIQUE_VIOLATION = '23505'
/** The number of base-36 digits of the time in an id. With nine digits, ids sort by age until the year 5188. */
const TIME_DIGITS = 9

export type CommitOutcome = 'committed' | 'undone' | 'unknown'

/** Creates a table with one row for each transaction that wrote. Only this engine uses it, so no migration creates it. */
export const CREATE_COMMIT_RECORDS = 'create table if not exists commit_records (id text not null primary key)'

/** Returns a new transaction id. Ids sort by their creation time. */
export function newCommitId(): string {
  return timeOf(Date.now()) + randomBytes(9).toString('hex')
}

/** Records a transaction by its id. The statement is sent in the same batch as the COMMIT. */
export const RECORD_COMMIT = 'insert into commit_records (id) values ($1)'

/**
 * Finds out whether a transaction whose connection was lost during its COMMIT was committed, by inserting the transaction's record. The
 * insert waits while the transaction still runs, fails if it was committed, and otherwise prevents a later commit.
 */
export async function outcomeOf(pool: Pool, id: string, lookMs = LOOK_MS): Promise<CommitOutcome> {
  const until = performance.now() + lookMs
  do {
    const outcome = await lookFor(pool, id)
    if (outcome !== 'unknown') return outcome
    await sleep(PAUSE_MS)
  } while (performance.now() < until)
  return 'unknown'
}

export async function pruneCommitRecords(pool: Pool): Promise<void> {
  await pool.query('delete from commit_records where id < $1', [timeOf(Date.now() - KEPT_MS)])
}

async function lookFor(pool: Pool, id: string): Promise<CommitOutcome> {
  let client: PoolClient | undefined
  try {
    client = await connect(pool)
    return (await isClaimed(client, id)) ? 'undone' : await confirmed(client)
  } catch {
    return 'unknown'
  } finally {
    client?.release()
  }
}

async function isClaimed(client: PoolClient, id: string): Promise<boolean> {
  try {
    await client.query(RECORD_COMMIT, [id])
    return true
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return false
    throw error
  }
}

/** Commits once more: with synchronous replication, this waits until the standby has the earlier, already visible transaction, too. */
async function confirmed(client: PoolClient): Promise<CommitOutcome> {
  await client.query(RECORD_COMMIT, [newCommitId()])
  return 'committed'
}

function timeOf(ms: number): string {
  return ms.toString(36).padStart(TIME_DIGITS, '0')
}
