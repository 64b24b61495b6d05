import { include } from '../../../../contract/declarations/role-rights.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import { compileOnce } from '../../../../database/compile-once.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import { rowsOf, send } from '../../../../records/rows-of.ts'
import { type Member, membersOf } from '../../../company/user/members.ts'
import { type BuyerLetter, type GatheredLetter, PAUSE_MS, TEAM_LETTERS, type TeamLetter } from './letters.ts'

/** The user id of the account's own settings, which apply to letters to buyers. */
export const THE_ACCOUNT = ''

type InAccount = Pick<Context, 'db' | 'accountId'>

export async function buyersGet(context: InAccount, letter: BuyerLetter): Promise<boolean> {
  return (await choicesOf(context, THE_ACCOUNT)).get(letter) ?? true
}

/** Returns the choices of one person or, for `THE_ACCOUNT`, of the account. */
export async function choicesOf(context: InAccount, userId: string): Promise<Map<string, boolean>> {
  const rows = await rowsOf(context, 'letter_choices')
    .select(['letter', 'wanted'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ letter, wanted }) => [letter, wanted === 1]))
}

export async function choose(
  context: InAccount,
  { userId, letter, wanted }: { userId: string; letter: string; wanted: boolean },
): Promise<void> {
  const row = { account_id: context.accountId, user_id: userId, letter, wanted: Number(wanted) }
  await context.db
    .insertInto('letter_choices')
    .values(row)
    .onConflict((known) => known.columns(['account_id', 'user_id', 'letter']).doUpdateSet({ wanted: row.wanted }))
    .execute()
}

/** Returns the members who want a letter and may open the page that it links to, but none with the role `member`. */
export async function readersOf(context: InAccount, letter: TeamLetter): Promise<Member[]> {
  const chosen = await rowsOf(context, 'letter_choices')
    .select(['user_id', 'wanted'])
    .where('letter', '=', letter)
    .where('user_id', '!=', THE_ACCOUNT)
    .execute()
  const choices = new Map(chosen.map(({ user_id, wanted }) => [user_id, wanted === 1]))
  const members = [...(await membersOf(context)).values()]
  const { needs, wanted } = TEAM_LETTERS[letter]
  return members.filter(({ id, role }) => role !== 'member' && include([role], needs) && (choices.get(id) ?? wanted))
}

/** Whether any member may want a letter, without reading the members. */
async function anybodyMayWant(context: InAccount, letter: TeamLetter): Promise<boolean> {
  if (TEAM_LETTERS[letter].wanted) return true
  const question = { name: `readers of ${letter}`, tables: ['letter_choices'] as const }
  const [asked] = await memoize(context, question, () => choicesFor(context.db, context.accountId, letter))
  return asked !== undefined
}

const choicesFor = compileOnce((db: InAccount['db'], accountId: string, letter: TeamLetter) =>
  rowsOf({ db, accountId }, 'letter_choices')
    .select('letter')
    .where('letter', '=', letter)
    .where('wanted', '=', 1)
    .limit(1),
)

/** The job is enqueued by name, because its file imports resources that import this file. */
export const WRITE_TO_TEAM: Enqueueable<{ letter: GatheredLetter }> = { name: 'letter.write_to_team' }

/** Schedules a letter about an event, in the same transaction. Further events until it is written are reported in the same letter. */
export async function noteForTeam(context: Context, letter: GatheredLetter): Promise<void> {
  const [isWanted, turn] = await readTurn(context, letter)
  if (!isWanted || (turn && turn.job !== null)) return
  const next = turn?.last_at ? laterBy(turn.last_at, PAUSE_MS[letter]) : context.now
  const job = await context.enqueue(WRITE_TO_TEAM, { letter }, next > context.now ? { runAt: next } : {})
  const planned = { job, since: context.now }
  const kept = context.db
    .insertInto('letter_turns')
    .values({ account_id: context.accountId, letter, last_at: null, ...planned })
    .onConflict((known) => known.columns(['account_id', 'letter']).doUpdateSet(planned))
  await send(context, kept)
}

/** Callers may start the reads of `noteForTeam` early. */
export function readTurn(context: Context, letter: GatheredLetter) {
  const question = { name: `turn of ${letter}`, tables: ['letter_turns'] as const }
  return Promise.all([
    anybodyMayWant(context, letter),
    memoize(context, question, async () => (await turnsOf(context.db, context.accountId, letter))[0]),
  ])
}

const turnsOf = compileOnce((db: Context['db'], accountId: string, letter: GatheredLetter) =>
  rowsOf({ db, accountId }, 'letter_turns').selectAll().where('letter', '=', letter),
)
