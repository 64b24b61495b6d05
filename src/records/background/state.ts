import { type Caller, isUser } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { decidersOf, rightOf, withoutImplied } from '../../contract/declarations/rights.ts'
import { cover, mayDo, rolesOf } from '../../contract/declarations/role-rights.ts'
import { currentTimestamp, laterBy } from '../../contract/values/values.ts'
import type { Context, Enqueueable, InAccount } from '../context.ts'
import { insertJob } from '../enqueue.ts'
import { seesProgram } from '../program-sight.ts'
import { rowsOf, updateRowsOf } from '../rows-of.ts'
import { keptEnd } from './first-end.ts'
import type { BackgroundRow } from './row.ts'
import { keepIdsUntil } from './rows.ts'

type CallerContext = Pick<Context, 'db' | 'accountId' | 'caller'>

export const CONTINUE: Enqueueable<{ program: string }> = { name: 'continue_background_program' }

/** States in which a job runs, or will run, the next batch. */
export const AT_WORK = ['queued', 'running'] as const
/** The maximum of queued and running programs in an account. Only callers who may change the shop can take the last place. */
const MOST_AT_WORK = 5
/** The maximum number of queued and running programs of one person, or of a token that belongs to no person. */
const MOST_PER_PERSON = 3
/** How long a program can be viewed after its end, and resumed unless it is done. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

function endedUntil(now: string): string {
  return laterBy(now, KEPT_MS)
}

/** Returns a background program if the caller may see it: callers see their own, and owners and admins see all of the account. */
export async function findBackground(context: CallerContext, id: string): Promise<BackgroundRow | undefined> {
  const row = await rowsOf(context, 'background_programs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && seesProgram(context.caller, row) ? row : undefined
}

/** Like `findBackground`, but throws `permission_denied` if the program does not exist or the caller may not see it. */
export async function requireBackground(context: CallerContext, id: string): Promise<BackgroundRow> {
  const row = await findBackground(context, id)
  if (row) return row
  throw new ApiError('permission_denied', 'Only whoever began it, an owner or an admin can stop it or let it go on.')
}

/**
 * Throws `invalid_state` if the program's user or the account already has the maximum of queued and running programs, or if only
 * the account's last place is free and `starter`, who starts or resumes the program, may not change the shop.
 */
export async function requireTurn(
  account: InAccount,
  { user_id, caller_id }: ProgramOwner,
  starter: Caller,
): Promise<void> {
  const working = rowsOf(account, 'background_programs').select(['user_id', 'caller_id']).where('state', 'in', AT_WORK)
  const found = await working.execute()
  const own = found.filter((one) => (user_id === '' ? one.caller_id === caller_id : one.user_id === user_id))
  if (own.length >= MOST_PER_PERSON)
    throw tooManyAtWork(
      `${MOST_PER_PERSON} background programs of the same person are at work, which is the most at a time.`,
    )
  if (found.length >= MOST_AT_WORK)
    throw tooManyAtWork(`${MOST_AT_WORK} background programs of this account are at work, which is the most at a time.`)
  if (found.length === MOST_AT_WORK - 1 && !mayChange(starter))
    throw tooManyAtWork(
      `${found.length} background programs of this account are at work, and the last place is for people who may change the shop.`,
    )
}

type ProgramOwner = Pick<BackgroundRow, 'user_id' | 'caller_id'>

function mayChange(caller: Caller): boolean {
  return rightOf(caller) === 'write' && mayDo(caller, 'programs.write')
}

function tooManyAtWork(why: string): ApiError {
  return new ApiError('invalid_state', `${why} Wait for one to end, or stop one.`)
}

export function enqueueBatch(account: InAccount, { id, origin }: Pick<BackgroundRow, 'id' | 'origin'>, afterMs = 0) {
  const now = currentTimestamp()
  const place = { ...account, now, realNow: now, test: false }
  const runAt = afterMs > 0 ? { runAt: laterBy(now, afterMs) } : {}
  const from = origin === null ? {} : { origin: JSON.parse(origin) }
  return insertJob(place, { ...CONTINUE, lane: 'outside' }, { program: id }, { inRealTime: true, ...runAt, ...from })
}

/** Stops a background program, so that the batch in progress is rolled back. Finished batches stay, and the program can be resumed. */
export async function stopBackground(context: CallerContext, row: BackgroundRow): Promise<BackgroundRow> {
  const stoppable = isAtWork(row) || (row.state === 'waiting_for_approval' && row.batches_count > 0)
  if (!stoppable) throw new ApiError('invalid_state', refusalText('stop', row))
  return updateUnlessChanged(context, row, { ...endedAs('stopped'), asked_operations: null, job: null, next_at: null })
}

/** Resumes a program that was stopped, has failed, or waits for approval of the operations that its next batch calls. */
export async function resumeBackground(context: CallerContext, row: BackgroundRow): Promise<BackgroundRow> {
  const waits = row.state === 'waiting_for_approval' && row.batches_count > 0
  if (!waits && row.state !== 'stopped' && row.state !== 'failed')
    throw new ApiError('invalid_state', refusalText('resume', row))
  if (row.batches_count === 0) throw new ApiError('invalid_state', 'Its plan was not applied, so it cannot go on.')
  if (!isUser(context.caller) || rightOf(context.caller) !== 'write')
    throw new ApiError('permission_denied', 'This API token cannot resume a background program; a person can.')
  await requireCoverOfMaker(context, row)
  await requireTurn(context, row, context.caller)
  const job = await enqueueBatch(context, row)
  const approved = waits ? approvedBy(context, row) : {}
  const fresh: Partial<BackgroundRow> = {
    state: 'queued',
    finished_at: null,
    expires_at: null,
    next_at: null,
    first_end: keptEnd(row),
    ...NO_ERROR,
  }
  return updateUnlessChanged(context, row, { ...fresh, ...approved, asked_operations: null, job })
}

/** Throws if the caller's role lacks rights of the program's author, because the program runs with the author's rights. */
async function requireCoverOfMaker(context: CallerContext, { user_id }: BackgroundRow): Promise<void> {
  const { caller } = context
  if (!isUser(caller) || caller.userId === user_id) return
  const maker = await rowsOf(context, 'memberships').select('role').where('user_id', '=', user_id).executeTakeFirst()
  if (!maker || cover(rolesOf(caller), maker.role)) return
  throw new ApiError(
    'permission_denied',
    `It goes on with the rights of whoever began it, whose role is ${maker.role}; yours, ${caller.role}, does not include all of these.`,
  )
}

export const NO_ERROR = { error_type: null, error: null, error_line: null, error_hint: null }

function approvedBy({ caller }: CallerContext, row: BackgroundRow): Partial<BackgroundRow> {
  const asked: string[] = JSON.parse(row.asked_operations ?? '[]')
  const before: string[] = JSON.parse(row.operations ?? '[]')
  const approvers = withoutImplied([...JSON.parse(row.approvers), ...decidersOf(caller)])
  return { operations: JSON.stringify([...before, ...asked]), approvers: JSON.stringify(approvers) }
}

export function endedAs(state: 'stopped' | 'failed' | 'done') {
  const now = currentTimestamp()
  return { state, finished_at: now, expires_at: endedUntil(now), updated_at: now }
}

export function isAtWork({ state }: Pick<BackgroundRow, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Updates a program. Throws `invalid_state` if its state has changed since the row was read. */
async function updateUnlessChanged(
  context: CallerContext,
  row: BackgroundRow,
  changes: Partial<BackgroundRow>,
): Promise<BackgroundRow> {
  const values = { ...changes, updated_at: currentTimestamp() }
  const { numUpdatedRows } = await updateRowsOf(context, 'background_programs')
    .set(values)
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ApiError('invalid_state', 'Its state changed in the meantime. Look at it again.')
  await keepIdsUntil(context, row.id, values.expires_at ?? null)
  return { ...row, ...values }
}

function refusalText(what: string, { state, batches_count, plan }: BackgroundRow): string {
  if (state === 'waiting_for_approval' && batches_count === 0)
    return `It begins when its plan ${plan} is applied; reject the plan to drop it.`
  return `A background program that is ${state} cannot ${what === 'stop' ? 'be stopped' : 'be resumed'}.`
}
