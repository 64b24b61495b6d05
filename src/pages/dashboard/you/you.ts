import { PASSKEY_NAME_LENGTH, PASSWORD_LENGTHS } from '../../../access/people/limits.ts'
import { MAX_EMAIL, normalizeEmail } from '../../../contract/values/email.ts'
import { waitInWords } from '../../../format/durations.ts'
import type { Problem } from '../../parts/markup.ts'
import { problemsOfEmail, problemsOfName, problemsOfPassword } from '../../sign-in/new-password.ts'
import { withCookies } from '../../sign-in/next.ts'
import { goDone } from '../kit/answers.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { youPage } from './show.ts'

/** The limit on attempts to enter the current password, so that nobody can guess it in a session that is left open. */
const CHECKS = { name: 'present passwords', perMinute: 5, burst: 10 }

const WRONG = 'This is not your current password.'

/** The limit on confirmation e-mails of one person and to one address: three at once, then one every five minutes. */
const BY_PERSON = { name: 'addresses of a person', perMinute: 1 / 5, burst: 3 }
const TO_ADDRESS = { name: 'letters that confirm an address', perMinute: 1 / 5, burst: 3 }

export const you: DashboardPage[] = [
  { path: '/you', label: 'Your profile', get: (visit) => youPage(visit) },
  { path: '/you/details', post: (visit, _, form) => changeDetails(visit, form) },
  { path: '/you/address/confirm', post: (visit) => confirmPresent(visit) },
  {
    path: '/you/address/cancel',
    async post(visit) {
      await visit.parts.people.addresses.cancel(visit.person.userId)
      return done(visit, 'done')
    },
  },
  { path: '/you/password', post: (visit, _, form) => changePassword(visit, form) },
  pageAt({
    path: '/you/sessions/:id',
    async post(visit, { id }) {
      await visit.parts.people.sessions.end(visit.person.userId, id)
      return done(visit, 'done')
    },
  }),
  {
    path: '/you/other-sessions',
    async post(visit) {
      await visit.parts.people.sessions.endOthers(visit.person.userId, visit.person.sessionId)
      return done(visit, 'done')
    },
  },
  pageAt({
    path: '/you/passkeys/:id',
    async post(visit, { id }, form) {
      const name = (form.get('name') ?? '').trim().slice(0, PASSKEY_NAME_LENGTH)
      if (name !== '') await visit.parts.people.passkeys.rename(visit.person.userId, id, name)
      return done(visit, 'saved')
    },
  }),
  pageAt({
    path: '/you/passkeys/:id/delete',
    async post(visit, { id }) {
      await visit.parts.people.passkeys.remove(visit.person.userId, id)
      return done(visit, 'deleted')
    },
  }),
]

function done(visit: DashboardContext, what: string): Response {
  return goDone(visit, `${visit.base}/you`, what)
}

/** Changes the name at once. A new e-mail address takes effect when the person confirms it. */
async function changeDetails(visit: DashboardContext, form: URLSearchParams): Promise<Response> {
  const { parts, person } = visit
  const typed = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const again = (problems: Problem[]) => youPage(visit, { problems, typed })
  const email = typed.email.slice(0, 4 * MAX_EMAIL)
  const wrong = [...problemsOfName(typed.name), ...problemsOfEmail(email)]
  const { address } = normalizeEmail(email)
  if (address === null || wrong.length > 0) return again(wrong)
  if (address !== person.email) {
    const refused = await askForAddress(visit, address, form.get('password-for-email') ?? '')
    if (refused) return again([refused])
  }
  await parts.people.rename(person.userId, typed.name.trim())
  return address === person.email ? done(visit, 'saved') : done(visit, 'address')
}

async function changePassword(visit: DashboardContext, form: URLSearchParams): Promise<Response> {
  const [present, next] = [form.get('present') ?? '', form.get('password') ?? '']
  const again = (problems: Problem[]) => youPage(visit, { problems })
  const wrong = problemsOfPassword(next)
  const refused = await checkPassword(visit, present, 'present')
  if (refused || wrong.length > 0) return again([...(refused ? [refused] : []), ...wrong])
  return withCookies(done(visit, 'saved'), await visit.parts.people.changePassword(visit.incoming, visit.person, next))
}

/** Requires the current password. The response does not reveal whether the address is taken. */
async function askForAddress(visit: DashboardContext, email: string, password: string): Promise<Problem | null> {
  const refused = await checkPassword(visit, password, 'password-for-email')
  return refused ?? mailLink(visit, email)
}

async function confirmPresent(visit: DashboardContext): Promise<Response> {
  const refused = visit.person.verified ? null : await mailLink(visit, visit.person.email)
  if (refused) return youPage(visit, { problems: [refused] })
  return goDone(visit, `${visit.base}/you`, 'address')
}

async function mailLink({ parts, person }: DashboardContext, email: string): Promise<Problem | null> {
  const own = await parts.takeTurn(person.userId, BY_PERSON)
  // Other people can use up the limit of an address, so the limit does not apply to the person's own address.
  const seconds = own > 0 || email === person.email ? own : await parts.takeTurn(email, TO_ADDRESS)
  if (seconds > 0) {
    const message = `Too many e-mails were requested. Try again in ${waitInWords(seconds)}.`
    return { field: 'email', message }
  }
  await parts.people.addresses.ask(person.userId, email)
  return null
}

async function checkPassword(visit: DashboardContext, password: string, field: string): Promise<Problem | null> {
  if (password === '') return { field, message: 'Enter your current password.' }
  if (password.length > PASSWORD_LENGTHS.max) return { field, message: WRONG }
  if ((await visit.parts.takeTurn(visit.person.userId, CHECKS)) > 0)
    return { field, message: 'Too many attempts. Wait a minute and try again.' }
  const isRight = await visit.parts.people.isPasswordOf(visit.incoming, password)
  return isRight ? null : { field, message: WRONG }
}
