import { inOnePiece } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { TEAM_LETTERS, type TeamLetter } from './letters.ts'

const PURPOSE = 'stop letter'

/** An unsubscribe link stops letters of one kind to one person. */
export interface Stopped {
  accountId: string
  userId: string
  letter: TeamLetter
}

type VaultContext = Pick<Context, 'services'>

/** Returns the URL of a page that needs no sign-in. */
export function stopUrl(context: VaultContext & Pick<Context, 'publicUrl'>, stopped: Stopped): string {
  const named = nameOf(stopped)
  return inOnePiece(context.publicUrl, '/letters/', `${named}.${context.services.vault.derive(PURPOSE, named)}`)
}

/** Returns null if the key, the last part of the URL, is invalid. */
export function stoppedBy({ services }: VaultContext, key: string): Stopped | null {
  const [accountId = '', userId = '', letter = '', given = '', ...more] = key.split('.')
  if (more.length > 0 || !isTeamLetter(letter)) return null
  const stopped = { accountId, userId, letter }
  return services.vault.matches(PURPOSE, nameOf(stopped), given) ? stopped : null
}

function nameOf({ accountId, userId, letter }: Stopped): string {
  return `${accountId}.${userId}.${letter}`
}

function isTeamLetter(letter: string): letter is TeamLetter {
  return Object.hasOwn(TEAM_LETTERS, letter)
}
