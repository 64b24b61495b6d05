import { html } from 'hono/html'
import type { Row } from '../../../contract/declarations/noun.ts'
import { closedPage, document, type Frame } from '../../../pages/parts/document.ts'
import { field, notice, type Page, type Problem, summaryOf } from '../../../pages/parts/markup.ts'
import type { AccessField, Choice, SimulatedBehavior } from '../providers/provider.ts'
import type { SocialAccount } from '../resources/social-account/social-account.ts'

/** The data of the page on which a person gives access to a social account. */
export interface ConnectView {
  account: Row<typeof SocialAccount>
  address: string
  platform: string
  frame: Frame
  open: boolean
  /** The behaviors of a simulated platform from which the person chooses; null for a real platform. */
  simulation: readonly SimulatedBehavior[] | null
  /** The fields to fill in before the person goes to the network's page; null if the network has no such page. */
  asks: readonly AccessField[] | null
  /** The fields for entering credentials on our page; null if that is not possible. */
  entry: readonly AccessField[] | null
  /** The profiles to choose from, once the person has allowed access at the network. */
  choices: Choice[]
}

/** The query with which the page asks for credentials, even if the network has its own page for allowing access. */
export const BY_ENTRY = 'by=entry'

interface EnteredForm {
  problems: Problem[]
  form: URLSearchParams
  byEntry?: boolean
}

const EMPTY_FORM: EnteredForm = { problems: [], form: new URLSearchParams() }

export function connectPage(connecting: ConnectView, entered: EnteredForm = EMPTY_FORM): Page {
  const { account, frame, platform } = connecting
  const title = `Connect ${platform}`
  const said = account.error_message === null || entered.problems.length > 0 ? '' : notice('bad', account.error_message)
  const content = html`<div class="message"><h1>${title}</h1>${summaryOf(entered.problems)}${said}
<p><strong>${frame.shop?.name ?? ''}</strong> requests access to publish posts${account.username === null ? '' : html` as <strong>${account.username}</strong>`} on ${platform} and to read its comments and analytics.</p>
${formOf(connecting, entered)}</div>`
  return document(title, frame, content)
}

function formOf(connecting: ConnectView, entered: EnteredForm): Page {
  const { simulation, choices, asks, entry } = connecting
  if (simulation) return simulatedForm(connecting, simulation, entered)
  if (choices.length > 0) return choiceForm(connecting, entered)
  if (asks && !(entry && entered.byEntry)) return leavingForm(connecting, asks, entered)
  return entryForm(connecting, entry ?? [], entered)
}

/** Renders the page that a simulated platform would show. */
function simulatedForm(
  { account, address, platform }: ConnectView,
  behaviors: readonly SimulatedBehavior[],
  { problems, form }: EnteredForm,
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

/** Renders the form from which the person goes to the network's own page. */
function leavingForm(
  { address, platform, entry }: ConnectView,
  asks: readonly AccessField[],
  { problems, form }: EnteredForm,
): Page {
  const secret = entry?.find((one) => one.secret)
  return html`<form method="post" action="${address}">
${accessFields(asks, { problems, form })}
<button class="primary" type="submit" name="do" value="continue">Continue to ${platform}</button>
<button type="submit" name="do" value="decline" formnovalidate>Deny</button>
</form>
${secret ? html`<p class="hint other-way"><a href="${address}?${BY_ENTRY}">Connect with an ${secret.label.toLowerCase()} instead</a></p>` : ''}`
}

function entryForm(
  { address, platform, asks }: ConnectView,
  fields: readonly AccessField[],
  { problems, form }: EnteredForm,
): Page {
  return html`<form method="post" action="${address}${asks ? `?${BY_ENTRY}` : ''}">
${accessFields(fields, { problems, form })}
<button class="primary" type="submit" name="do" value="allow">Allow access</button>
<button type="submit" name="do" value="decline" formnovalidate>Deny</button>
</form>
${asks ? html`<p class="hint other-way"><a href="${address}">Allow access at ${platform} instead</a></p>` : ''}`
}

function choiceForm({ address, platform, choices }: ConnectView, { problems }: EnteredForm): Page {
  const problem = problems.find((one) => one.field === 'choice')
  return html`<form method="post" action="${address}">
<fieldset class="field${problem ? ' wrong' : ''}" id="choice"><legend>Choose what to connect</legend>
${problem ? html`<p class="problem">${problem.message}</p>` : ''}${choices.map(
  ({ profile: { displayName, username } }, index) =>
    html`<label class="option"><input type="radio" name="choice" value="${index}" required><span><strong>${displayName ?? username}</strong>${displayName === null || displayName === username ? '' : html` <span class="hint">${username}</span>`}</span></label>`,
)}</fieldset>
<button class="primary" type="submit" name="do" value="choose">Connect</button>
<button type="submit" name="do" value="again" formnovalidate>Go to ${platform} again</button>
</form>`
}

function accessFields(fields: readonly AccessField[], { problems, form }: EnteredForm): Page {
  return html`${fields.map(({ name, label, secret, optional, hint }) =>
    field({
      id: name,
      label,
      problems,
      input: (described) =>
        html`<input id="${name}" name="${name}" type="${secret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="300" value="${secret ? '' : (form.get(name) ?? '')}"${optional ? '' : html` required`}${described}><p class="hint">${hint}</p>`,
    }),
  )}`
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

/** Renders a page that redirects to the network with a Refresh header. Its link is a fallback. */
export function leavingPage({ frame, platform }: ConnectView, url: string): Page {
  const title = `Continue to ${platform}`
  const content = html`<div class="message"><h1>${title}</h1><p>${new URL(url).host} asks you to allow access, and sends you back here.</p>
<p><a class="button primary" href="${url}" rel="noreferrer">${title}</a></p></div>`
  return document(title, frame, content)
}

/** Renders the page of a connect_url that is no longer open. */
export function endedPage({ account, frame, platform }: ConnectView): Page {
  const connected = account.status === 'connected'
  const title = connected ? `${platform} is connected` : `${platform} is not connected`
  const words = connected
    ? `${account.username} is connected to ${frame.shop?.name}. You can close this page.`
    : 'This link is no longer valid. Ask the shop for a new one.'
  return closedPage({ frame, title, words, way: null })
}

/** Renders the page for a person who returns from a network after the authorization has ended, or without one. */
export function lostPage(platform: string): Page {
  return closedPage({
    frame: { shop: null, test: false },
    title: `${platform} was not connected`,
    words:
      'This address works once, for 20 minutes, in the browser that opened the link of the shop. Open that link again.',
    way: null,
  })
}
