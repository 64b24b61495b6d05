import { PASSKEY_NAME_LENGTH, PASSWORD_LENGTHS } from '../../../access/people/limits.ts'
import { MAX_EMAIL, normalizeEmail } from '../../../contract/email.ts'
import type { Problem } from '../../parts/problem.ts'
import { withCookies } from '../../sign-in/cookies.ts'
import { problemsOfName, problemsOfPassword } from '../../sign-in/new-password.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { youPage } from './show.ts'

/** How often somebody may try the present password: a session that was left open is no way to guess it. */
const CHECKS = { name: 'present passwords', perMinute: 5, burst: 10 }

/** What people look after that is theirs in every account: name and address, password, passkeys, sessions. */
export const you: DashboardPage[] = [
  { path: '/you', get: (visit) => youPage(visit) },
  { path: '/you/details', post: (visit, _, form) => changeDetails(visit, form) },
  { path: '/you/password', post: (visit, _, form) => changePassword(visit, form) },
  {
    path: '/you/sessions/:id',
    async post(visit, { id }) {
      await visit.parts.people.sessions.end(visit.person.userId, id!)
      return done(visit, 'done')
    },
  },
  {
    path: '/you/other-sessions',
    async post(visit) {
      await visit.parts.people.sessions.endOthers(visit.person.userId, visit.person.sessionId)
      return done(visit, 'done')
    },
  },
  {
    path: '/you/passkeys/:id',
    async post(visit, { id }, form) {
      const name = (form.get('name') ?? '').trim().slice(0, PASSKEY_NAME_LENGTH)
      if (name !== '') await visit.parts.people.passkeys.rename(visit.person.userId, id!, name)
      return done(visit, 'saved')
    },
  },
  {
    path: '/you/passkeys/:id/delete',
    async post(visit, { id }) {
      await visit.parts.people.passkeys.remove(visit.person.userId, id!)
      return done(visit, 'deleted')
    },
  },
]

function done(visit: Visit, what: string): Response {
  return goDone(visit, `${visit.base}/you`, what)
}

/** Another address needs the password: whoever has it can set another password by mail. */
async function changeDetails(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { parts, person } = visit
  const typed = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const again = (problems: Problem[]) => youPage(visit, { problems, typed })
  const { address, problem } = normalizeEmail(typed.email.slice(0, 4 * MAX_EMAIL))
  if (address === null)
    return again([...problemsOfName(typed.name), { field: 'email', message: `The e-mail address ${problem}.` }])
  const wrong = problemsOfName(typed.name)
  if (wrong.length > 0) return again(wrong)
  if (address !== person.email) {
    const refused = await checkPassword(visit, form.get('password-for-email') ?? '', 'password-for-email')
    if (refused) return again([refused])
  }
  const changed = await parts.people.changeDetails(person.userId, { name: typed.name.trim(), email: address })
  return changed
    ? done(visit, 'saved')
    : again([{ field: 'email', message: 'Somebody else signs in with this address.' }])
}

async function changePassword(visit: Visit, form: URLSearchParams): Promise<Response> {
  const [present, next] = [form.get('present') ?? '', form.get('password') ?? '']
  const again = (problems: Problem[]) => youPage(visit, { problems })
  const wrong = problemsOfPassword(next)
  const refused = await checkPassword(visit, present, 'present')
  if (refused || wrong.length > 0) return again([...(refused ? [refused] : []), ...wrong])
  const cookies = await visit.parts.people.changePassword(visit.incoming, { present, next })
  return cookies ? withCookies(done(visit, 'saved'), cookies) : again([{ field: 'present', message: WRONG }])
}

const WRONG = 'This is not your present password.'

/** What is wrong with a password that must be the present one, or null. */
async function checkPassword(visit: Visit, password: string, field: string): Promise<Problem | null> {
  if (password === '') return { field, message: 'Enter your present password.' }
  if (password.length > PASSWORD_LENGTHS.max) return { field, message: WRONG }
  if ((await visit.parts.takeTurn(visit.person.userId, CHECKS)) > 0)
    return { field, message: 'Too many tries. Wait a minute and try again.' }
  const isRight = await visit.parts.people.isPasswordOf(visit.incoming, password)
  return isRight ? null : { field, message: WRONG }
}
