import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { AccessField, Credentials, SimulatedBehavior } from '../../outside/social/provider.ts'
import { USERNAME } from '../../resources/social/social_account/credentials.ts'
import type { SocialAccount } from '../../resources/social/social_account/social_account.ts'
import { closedPage } from '../parts/closed.ts'
import { document, type Frame, type Page } from '../parts/document.ts'
import { field, notice, summaryOf } from '../parts/fields.ts'
import type { Problem } from '../parts/problem.ts'

/** An account that somebody is asked to give access to. */
export interface Connecting {
  account: Row<typeof SocialAccount>
  /** Of this page. */
  address: string
  /** The platform's name. */
  platform: string
  frame: Frame
  /** Access can be given now. */
  open: boolean
  /** What this page can let the platform do where it plays it; null for a real platform. */
  simulation: readonly SimulatedBehavior[] | null
  /** What a person enters here; null where the platform asks. */
  entry: readonly AccessField[] | null
  /** Where the platform asks the person. */
  platformUrl: string
}

interface Entered {
  problems: Problem[]
  form: URLSearchParams
}

const NOTHING: Entered = { problems: [], form: new URLSearchParams() }

export function connectPage(connecting: Connecting, entered: Entered = NOTHING): Page {
  const { account, frame, platform } = connecting
  const title = `Connect ${platform}`
  const said = account.error_message === null || entered.problems.length > 0 ? '' : notice('bad', account.error_message)
  return document(
    title,
    frame,
    html`<div class="message"><h1>${title}</h1>${summaryOf(entered.problems)}${said}
<p><strong>${frame.shop?.name ?? ''}</strong> requests access to publish posts${account.username === null ? '' : html` as <strong>${account.username}</strong>`} on ${platform} and to read its comments and analytics.</p>
${connecting.simulation ? simulatedForm(connecting, connecting.simulation, entered) : connecting.entry ? accessForm(connecting, connecting.entry, entered) : html`<p><a class="button primary" href="${connecting.platformUrl}" rel="noreferrer">Continue to ${platform}</a></p>`}</div>`,
  )
}

/** There is no page of a simulated platform to go to, so this one plays it. */
function simulatedForm(
  { account, address, platform }: Connecting,
  behaviors: readonly SimulatedBehavior[],
  { problems, form }: Entered,
): Page {
  return html`<p class="hint">This is the built-in sandbox. Nothing is sent to ${platform}: posts stay on this service, and comments and figures are invented.</p>
<form method="post" action="${address}">
${account.username === null ? usernameField(problems, form.get('username') ?? '') : ''}
${field({
  id: 'token',
  label: 'Simulated behavior',
  problems,
  input: (described) =>
    html`<select id="token" name="token"${described}>${behaviors.map(
      ({ token, description }) => html`<option value="${token}">${description}</option>`,
    )}</select>`,
})}
<button class="primary" type="submit" name="do" value="allow">Allow access</button>
<button type="submit" name="do" value="decline">Deny</button>
</form>`
}

/** The platform takes passwords for apps, which people make in its settings. */
function accessForm({ address }: Connecting, fields: readonly AccessField[], { problems, form }: Entered): Page {
  return html`<form method="post" action="${address}">
${fields.map(({ name, label, secret, optional, hint }) =>
  field({
    id: name,
    label,
    problems,
    input: (described) =>
      html`<input id="${name}" name="${name}" type="${secret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="300" value="${secret ? '' : (form.get(name) ?? '')}"${optional ? '' : html` required`}${described}><p class="hint">${hint}</p>`,
  }),
)}
<button class="primary" type="submit" name="do" value="allow">Allow access</button>
<button type="submit" name="do" value="decline" formnovalidate>Deny</button>
</form>`
}

function usernameField(problems: Problem[], value: string): Page {
  return field({
    id: 'username',
    label: 'Account name',
    problems,
    input: (described) =>
      html`<input id="username" name="username" type="text" autocomplete="off" spellcheck="false" maxlength="100" value="${value}" required${described}>`,
  })
}

/** What was entered in the form of a simulated platform, as the credentials that it checks. */
export function readEntered(
  form: URLSearchParams,
  { account, simulation, entry }: Connecting,
): { credentials: Credentials; problems: Problem[] } {
  if (entry) return readAccess(form, entry)
  const token = form.get('token') ?? ''
  const problems: Problem[] = []
  if (!simulation?.some((one) => one.token === token))
    problems.push({ field: 'token', message: 'Choose an option from the list.' })
  if (account.username !== null) return { credentials: { token }, problems }
  const username = USERNAME.spec.schema.safeParse(form.get('username') ?? '')
  if (!username.success) problems.push({ field: 'username', message: `The name ${username.error.issues[0]!.message}.` })
  return { credentials: { token, username: String(username.data ?? '').replace(/^@/, '') }, problems }
}

function readAccess(form: URLSearchParams, fields: readonly AccessField[]) {
  const given = fields.map(({ name, label, optional }) => ({
    name,
    label,
    optional,
    value: (form.get(name) ?? '').trim(),
  }))
  const problems = given
    .filter(({ value, optional }) => value === '' && !optional)
    .map(({ name, label }) => ({ field: name, message: `${label} can't be blank.` }))
  return {
    credentials: Object.fromEntries(given.filter(({ value }) => value !== '').map(({ name, value }) => [name, value])),
    problems,
  }
}

/** Nobody is asked for access any more. */
export function endedPage({ account, frame, platform }: Connecting): Page {
  const connected = account.status === 'connected'
  const title = connected ? `${platform} is connected` : `${platform} is not connected`
  const words = connected
    ? `${account.username} is connected to ${frame.shop?.name}. You can close this page.`
    : 'This link is no longer valid. Ask the shop for a new one.'
  return closedPage({ frame, title, words, way: null })
}
