import { sql } from 'kysely'
import { timestampOf } from '../contract/values.ts'
import type { Database, Scope } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

interface Claim {
  /** The kinds of jobs that this process knows. */
  names: string[]
  /** How many it takes at the most. */
  room: number
  mostOfAccount: number
  /** The accounts of the jobs under way, once for each. */
  working: string[]
  leaseMs(name: string): number
}

/** Longest pause between two attempts. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_ERROR = 1_000

/** Takes due jobs, the oldest first and few of each account, and leases them; also those whose worker was lost. */
export async function claimDueJobs(database: Database<Tables>, claim: Claim): Promise<JobRow[]> {
  const now = timestampOf(new Date())
  const due = await dueJobs(database, claim, now)
  if (due.length === 0) return []
  const chosen = choose(due, claim)
  return database.transaction(async ({ db }) => {
    const claimed: JobRow[] = []
    for (const job of chosen) {
      const leased = { leased_until: timestampOf(new Date(Date.now() + claim.leaseMs(job.name))) }
      const taken = { ...leased, state: 'working' as const, attempts: job.attempts + 1 }
      // Another worker may have taken it meanwhile: then nothing is updated.
      const same = db.updateTable('jobs').set(taken).where('account_id', '=', job.account_id).where('id', '=', job.id)
      const { numUpdatedRows } = await same
        .where('state', '=', job.state)
        .where('attempts', '=', job.attempts)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) claimed.push({ ...job, ...taken })
    }
    return claimed
  })
}

/** The first due jobs of each account, the oldest first. */
async function dueJobs({ read }: Scope<Tables>, claim: Claim, now: string): Promise<JobRow[]> {
  const ranked = read
    .selectFrom('jobs')
    .selectAll()
    .select(sql<number>`row_number() over (partition by account_id order by run_at, id)`.as('place'))
    .where('name', 'in', claim.names)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'waiting'), eb('run_at', '<=', now)]),
        eb.and([eb('state', '=', 'working'), eb('leased_until', '<', now)]),
      ]),
    )
  const first = read.selectFrom(ranked.as('ranked')).selectAll().where('place', '<=', claim.mostOfAccount)
  const rows = await first
    .orderBy('run_at')
    .orderBy('id')
    .limit(claim.room * 4)
    .execute()
  return rows.map(({ place: _, ...job }) => job)
}

function choose(due: JobRow[], { room, mostOfAccount, working }: Claim): JobRow[] {
  const busy = new Map<string, number>()
  const chosen: JobRow[] = []
  for (const accountId of working) busy.set(accountId, (busy.get(accountId) ?? 0) + 1)
  for (const job of due) {
    const count = busy.get(job.account_id) ?? 0
    if (count >= mostOfAccount || chosen.length >= room) continue
    busy.set(job.account_id, count + 1)
    chosen.push(job)
  }
  return chosen
}

export async function markDone(database: Scope<Tables>, job: JobRow, now: string): Promise<void> {
  await settle(database, job, { state: 'done', leased_until: null, last_error: null, finished_at: now })
}

/** Another attempt after a pause that doubles, or the end after the last one. */
export async function giveBack(database: Scope<Tables>, job: JobRow, error: unknown, attempts: number): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR)
  const pauseMs = Math.min(1000 * 2 ** job.attempts, LONGEST_PAUSE_MS)
  const failed = job.attempts >= attempts
  await settle(database, job, {
    state: failed ? 'failed' : 'waiting',
    run_at: timestampOf(new Date(Date.now() + pauseMs)),
    leased_until: null,
    last_error: message,
    finished_at: failed ? timestampOf(new Date()) : null,
  })
}

/** An attempt whose lease another worker took over has nothing more to say. */
async function settle(database: Scope<Tables>, job: JobRow, change: Partial<JobRow>): Promise<void> {
  await database.transaction(({ db }) =>
    db
      .updateTable('jobs')
      .set(change)
      .where('account_id', '=', job.account_id)
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .execute(),
  )
}
