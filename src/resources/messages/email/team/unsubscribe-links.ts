import { inOnePiece } from '../../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../../records/context.ts'
import { isTeamLetter, type TeamLetter } from './letters.ts'

const PURPOSE = 'stop letter'

/** What an unsubscribe link stops: letters of one kind to one person. */
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
