import { PASSWORD_LENGTHS } from '../../../access/people/limits.ts'
import type { Problem } from '../../parts/markup.ts'
import type { Visit } from '../kit/visit.ts'

/** How often somebody may try the present password: a session that was left open is no way to guess it. */
const CHECKS = { name: 'present passwords', perMinute: 5, burst: 10 }

const WRONG = 'This is not your current password.'

/** What is wrong with a password that must be the present one, or null. */
export async function checkPassword(visit: Visit, password: string, field: string): Promise<Problem | null> {
  if (password === '') return { field, message: 'Enter your current password.' }
  if (password.length > PASSWORD_LENGTHS.max) return { field, message: WRONG }
  if ((await visit.parts.takeTurn(visit.person.userId, CHECKS)) > 0)
    return { field, message: 'Too many attempts. Wait a minute and try again.' }
  const isRight = await visit.parts.people.isPasswordOf(visit.incoming, password)
  return isRight ? null : { field, message: WRONG }
}
