import { waitInWords } from '../../../words/durations.ts'
import type { Problem } from '../../parts/markup.ts'
import { goDone } from '../kit/answers.ts'
import type { Visit } from '../kit/visit.ts'
import { checkPassword } from './check-password.ts'
import { youPage } from './show.ts'

/** Letters that one person has sent to confirm addresses, and that one address gets: three at once, and then one every five minutes. */
const BY_PERSON = { name: 'addresses of a person', perMinute: 1 / 5, burst: 3 }
const TO_ADDRESS = { name: 'letters that confirm an address', perMinute: 1 / 5, burst: 3 }

/** Asks for another address, which needs the password. What is wrong, or null. The answer is the same for every address. */
export async function askForAddress(visit: Visit, email: string, password: string): Promise<Problem | null> {
  const refused = await checkPassword(visit, password, 'password-for-email')
  return refused ?? mailLink(visit, email)
}

/** Mails the link that proves the address that the person has. */
export async function confirmPresent(visit: Visit): Promise<Response> {
  const refused = visit.person.verified ? null : await mailLink(visit, visit.person.email)
  if (refused) return youPage(visit, { problems: [refused] })
  return goDone(visit, `${visit.base}/you`, 'address')
}

async function mailLink({ parts, person }: Visit, email: string): Promise<Problem | null> {
  const own = await parts.takeTurn(person.userId, BY_PERSON)
  // Nobody else takes turns of the address that a person has, and a refusal takes none of anybody.
  const seconds = own > 0 || email === person.email ? own : await parts.takeTurn(email, TO_ADDRESS)
  if (seconds > 0) {
    const message = `Too many e-mails were requested. Try again in ${waitInWords(seconds)}.`
    return { field: 'email', message }
  }
  await parts.people.addresses.ask(person.userId, email)
  return null
}
