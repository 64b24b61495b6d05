import { PASSKEY_NAME_LENGTH } from '../../../access/people/limits.ts'
import { MAX_EMAIL, normalizeEmail } from '../../../contract/values/email.ts'
import type { Problem } from '../../parts/markup.ts'
import { withCookies } from '../../sign-in/cookies.ts'
import { problemsOfEmail, problemsOfName, problemsOfPassword } from '../../sign-in/new-password.ts'
import { goDone } from '../kit/answers.ts'
import { type DashboardPage, pageAt, type Visit } from '../kit/visit.ts'
import { askForAddress, confirmPresent } from './address.ts'
import { checkPassword } from './check-password.ts'
import { youPage } from './show.ts'

/** What people look after that is theirs in every account: name and address, password, passkeys, sessions. */
export const you: DashboardPage[] = [
  { path: '/you', get: (visit) => youPage(visit) },
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

function done(visit: Visit, what: string): Response {
  return goDone(visit, `${visit.base}/you`, what)
}

/** The name changes at once; another address does once it is confirmed from there. */
async function changeDetails(visit: Visit, form: URLSearchParams): Promise<Response> {
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

async function changePassword(visit: Visit, form: URLSearchParams): Promise<Response> {
  const [present, next] = [form.get('present') ?? '', form.get('password') ?? '']
  const again = (problems: Problem[]) => youPage(visit, { problems })
  const wrong = problemsOfPassword(next)
  const refused = await checkPassword(visit, present, 'present')
  if (refused || wrong.length > 0) return again([...(refused ? [refused] : []), ...wrong])
  return withCookies(done(visit, 'saved'), await visit.parts.people.changePassword(visit.incoming, visit.person, next))
}
