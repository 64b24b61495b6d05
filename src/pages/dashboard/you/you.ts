import { html } from 'hono/html'
import { PASSKEY_NAME_LENGTH, PASSWORD_LENGTHS } from '../../../access/people/limits.ts'
import type { PasskeySummary, SessionSummary } from '../../../access/people/people.ts'
import { MAX_EMAIL, normalizeEmail } from '../../../contract/values/email.ts'
import { waitInWords } from '../../../format/durations.ts'
import { type Column, dataTable, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import {
  emailInput,
  nameInput,
  newPasswordInput,
  passwordInput,
  problemsOfEmail,
  problemsOfName,
  problemsOfPassword,
} from '../../sign-in/document.ts'
import { withCookies } from '../../sign-in/own-path.ts'
import { framed, goDone } from '../kit/answers.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { moment } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'

/** The limit on attempts to enter the current password, so that nobody can guess it in a session that is left open. */
const CHECKS = { name: 'present passwords', perMinute: 5, burst: 10 }

const WRONG = 'This is not your current password.'

/** The limits on confirmation e-mails per person and per address: three at once, then one every five minutes. */
const BY_PERSON = { name: 'addresses of a person', perMinute: 1 / 5, burst: 3 }
const TO_ADDRESS = { name: 'letters that confirm an address', perMinute: 1 / 5, burst: 3 }

export const profilePages: DashboardPage[] = [
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

/** Checks the current password and sends the confirmation e-mail. The response does not reveal whether the address is taken. */
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

/** Patterns of user agents with the browser's name, from the most specific to the most general. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

interface RefusedProfile {
  problems: readonly Problem[]
  typed?: { name: string; email: string }
}

async function youPage(
  visit: DashboardContext,
  { problems, typed }: RefusedProfile = { problems: [] },
): Promise<Response> {
  const { people } = visit.parts
  const { userId, name, email } = visit.person
  const [notice, sessions, passkeys, hasPassword] = await Promise.all([
    addressNotice(visit),
    people.sessions.list(userId),
    people.passkeys.list(userId),
    people.hasPassword(userId),
  ])
  const content = html`<div class="profile">${summaryOf(problems)}
${notice}
${detailsForm(visit, typed ?? { name, email }, problems)}
${hasPassword ? passwordForm(visit, problems) : ''}
${passkeySection(visit, passkeys)}
${sessionSection(visit, sessions)}</div>`
  const lead = 'Your name and how you sign in, the same in all your accounts.'
  return framed(visit, { title: 'Your profile', lead, status: problems.length > 0 ? 422 : 200 }, content)
}

function form(visit: DashboardContext, path: string, content: Page): Page {
  return html`<form class="card form" method="post" novalidate action="${visit.base}${path}"><input type="hidden" name="csrf" value="${visit.csrf}">${content}</form>`
}

function detailsForm(
  visit: DashboardContext,
  typed: { name: string; email: string },
  problems: readonly Problem[],
): Page {
  const hint =
    'Required only to change your e-mail address. We send a link to the new address and notify the current one. The change takes effect when you use the link.'
  const content = html`<h2>Name and address</h2>
${nameInput(typed.name, problems)}${emailInput(typed.email, problems)}
${passwordInput({ id: 'password-for-email', label: 'Current password', hint, problems })}
<div class="form-buttons"><button class="primary">Save</button></div>`
  return form(visit, '/you/details', content)
}

function passwordForm(visit: DashboardContext, problems: readonly Problem[]): Page {
  const content = html`<h2>Password</h2><p class="card-lead">Changing your password signs you out everywhere else.</p>
<input type="email" name="username" value="${visit.person.email}" autocomplete="username" readonly hidden>
${passwordInput({ id: 'present', label: 'Current password', problems })}${newPasswordInput(problems, 'New password')}
<div class="form-buttons"><button class="primary">Change password</button></div>`
  return form(visit, '/you/password', content)
}

function passkeySection(visit: DashboardContext, passkeys: PasskeySummary[]): Page {
  const columns: Column<PasskeySummary>[] = [
    { words: 'Name', cell: (passkey) => renameForm(visit, passkey) },
    { words: 'Created', cell: ({ created_at }) => moment(visit, created_at) },
    { words: 'Stored', cell: ({ synced }) => (synced ? 'On all your devices' : 'On one device') },
    {
      words: 'Delete',
      acts: true,
      cell: ({ id, name }) =>
        buttonForm(visit, { path: `/you/passkeys/${id}/delete`, words: 'Delete', look: 'danger', about: name ?? '' }),
    },
  ]
  return html`<section class="card" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p class="card-lead">A passkey signs you in with your fingerprint, face or device PIN. There is no password to steal.</p>
${passkeys.length > 0 ? dataTable({ caption: 'Your passkeys', columns, rows: passkeys }) : ''}
<noscript><p class="hint">Adding a passkey needs JavaScript.</p></noscript>
<form class="form" hidden data-controller="passkey" data-action="passkey#add" data-turbo="false">
<div class="field"><label for="passkey-name">Name of the new passkey</label><input id="passkey-name" data-passkey-target="name" maxlength="${PASSKEY_NAME_LENGTH}" placeholder="Laptop" autocomplete="off"></div>
<p class="problem" role="alert" hidden data-passkey-target="problem"></p>
<div class="form-buttons"><button data-passkey-target="button">Add a passkey</button></div></form></section>`
}

function renameForm({ base, csrf }: DashboardContext, { id, name }: PasskeySummary): Page {
  return html`<form class="at-once in-line" method="post" action="${base}/you/passkeys/${id}"><input type="hidden" name="csrf" value="${csrf}"><input name="name" value="${name ?? 'Passkey'}" maxlength="${PASSKEY_NAME_LENGTH}" required aria-label="Name of the passkey"><button>Rename<span class="unseen"> ${name}</span></button></form>`
}

function sessionSection(visit: DashboardContext, sessions: SessionSummary[]): Page {
  const here = visit.person.sessionId
  const columns: Column<SessionSummary>[] = [
    {
      words: 'Browser',
      cell: ({ id, user_agent }) =>
        html`${deviceOf(user_agent)}${id === here ? html` <span class="badge good">This one</span>` : ''}`,
    },
    { words: 'Network', cell: ({ ip_address }) => ip_address || 'Unknown' },
    { words: 'Signed in', cell: ({ created_at }) => moment(visit, created_at) },
    { words: 'Last used', cell: ({ updated_at }) => moment(visit, updated_at) },
    {
      words: 'End',
      acts: true,
      cell: ({ id, user_agent }) =>
        id === here
          ? ''
          : buttonForm(visit, { path: `/you/sessions/${id}`, words: 'Sign out', about: deviceOf(user_agent) }),
    },
  ]
  const others = sessions.length > 1
  return html`<section class="card" aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
${dataTable({ caption: 'Your sessions', columns, rows: sessions })}
${others ? html`<div class="after-table">${buttonForm(visit, { path: '/you/other-sessions', words: 'Sign out everywhere else' })}</div>` : ''}</section>`
}

async function addressNotice(visit: DashboardContext): Promise<Page | string> {
  const { person, parts } = visit
  const asked = await parts.people.addresses.asked(person.userId)
  if (asked !== null && asked !== person.email)
    return html`<div class="notice wait"><p>A link is on its way to <strong>${asked}</strong>. Until you have opened it and confirmed the address, you sign in with <strong>${person.email}</strong>.</p>
${withoutServer(visit, html`${person.email} ${asked}`)}${buttonForm(visit, { path: '/you/address/cancel', words: 'Keep the current address' })}</div>`
  if (person.verified) return ''
  return html`<div class="notice wait"><p><strong>${person.email}</strong> is not confirmed yet. ${asked === null ? 'Until it is, you cannot be added to another account with this address.' : 'A link is on its way there: open it and confirm the address.'}</p>
${withoutServer(visit, html`${person.email}`)}${buttonForm(visit, { path: '/you/address/confirm', words: asked === null ? 'Send me a link' : 'Send the link again' })}</div>`
}

/** Explains that e-mails are written to files if no mail server is configured. */
function withoutServer({ parts }: DashboardContext, args: Page): Page | string {
  if (parts.services.mail.providerFor({ test: false }).sends) return ''
  return html`<p>This service has no mail server: messages are saved as files in its <code>outbox</code> directory, which the operator can read. The operator can also confirm the address with <code>npm run account -- address ${args}</code>.</p>`
}

/** Returns the browser and system of a user agent, such as `Firefox on Linux`, or as much as is known. */
function deviceOf(userAgent: string | null): string {
  const named = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}
