import { include } from '../../../../contract/declarations/role-rights.ts'
import { inOnePiece } from '../../../../contract/values/values.ts'
import { compileOnce, insertSeveral } from '../../../../database/compile-once.ts'
import type { Context, InAccount, VaultContext } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { type Member, membersOf } from '../../../company/user/members.ts'
import { type BuyerLetter, isTeamLetter, TEAM_LETTERS, type TeamLetter } from './letters.ts'

/** The user id of the account's own settings, which apply to letters to buyers. */
export const THE_ACCOUNT = ''

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
  const taken = ['account_id', 'user_id', 'letter']
  await insertSeveral(context.db, 'letter_choices', [row], { taken, replace: true })
}

/** Returns the members who want a letter and may open its page. Members with the old role `member` are left out. */
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
export async function anybodyMayWant(context: InAccount, letter: TeamLetter): Promise<boolean> {
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

const PURPOSE = 'stop letter'

/** The letters that an unsubscribe link stops: one kind to one person. */
export interface Stopped {
  accountId: string
  userId: string
  letter: TeamLetter
}

/** Returns the URL of the unsubscribe page, which needs no sign-in. */
export function stopUrl(context: VaultContext & Pick<Context, 'publicUrl'>, stopped: Stopped): string {
  const named = nameOf(stopped)
  return inOnePiece(context.publicUrl, '/letters/', `${named}.${context.services.vault.derive(PURPOSE, named)}`)
}

/** Returns what an unsubscribe URL stops; null if the key, its last part, is invalid. */
export function stoppedBy({ services }: VaultContext, key: string): Stopped | null {
  const [accountId = '', userId = '', letter = '', given = '', ...more] = key.split('.')
  if (more.length > 0 || !isTeamLetter(letter)) return null
  const stopped = { accountId, userId, letter }
  return services.vault.matches(PURPOSE, nameOf(stopped), given) ? stopped : null
}

function nameOf({ accountId, userId, letter }: Stopped): string {
  return `${accountId}.${userId}.${letter}`
}
