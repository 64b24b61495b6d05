import type { AccessField, Credentials } from '../../outside/social/provider.ts'
import { USERNAME } from '../../resources/social/social_account/credentials.ts'
import type { Problem } from '../parts/markup.ts'
import { type Asked, problemOf } from '../parts/problem-words.ts'
import type { Connecting } from './connect-page.ts'

const USERNAME_ASKED: Asked = { id: 'username', label: 'Account name', kind: 'text' }

interface Read {
  credentials: Credentials
  problems: Problem[]
}

/** What was entered in the form of a simulated platform, as the credentials that it checks. */
export function readSimulated(form: URLSearchParams, { account, simulation }: Connecting): Read {
  const token = form.get('token') ?? ''
  const problems: Problem[] = []
  if (!simulation?.some((one) => one.token === token))
    problems.push({ field: 'token', message: 'Choose an option from the list.' })
  if (account.username !== null) return { credentials: { token }, problems }
  const username = USERNAME.spec.schema.safeParse(form.get('username') ?? '')
  if (!username.success) problems.push(problemOf(USERNAME_ASKED, username.error.issues[0]!.message))
  return { credentials: { token, username: String(username.data ?? '').replace(/^@/, '') }, problems }
}

/** What was entered in the fields of a network. */
export function readAccess(form: URLSearchParams, fields: readonly AccessField[]): Read {
  const given = fields.map(({ name, label, optional }) => ({
    ...{ name, label, optional },
    value: (form.get(name) ?? '').trim(),
  }))
  const problems = given
    .filter(({ value, optional }) => value === '' && !optional)
    .map(({ name, label }) => problemOf({ id: name, label, kind: 'text' }, "can't be blank"))
  return {
    credentials: Object.fromEntries(given.filter(({ value }) => value !== '').map(({ name, value }) => [name, value])),
    problems,
  }
}
