import { html } from 'hono/html'
import { CONFIGURATION_NOTE, clientConfigurations } from '../../../access/client-configuration.ts'
import { cover, OFFERED_ROLES } from '../../../contract/declarations/role-rights.ts'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, describedBy, field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { readBody } from '../derived/read-form.ts'
import { goDone, goTo } from '../kit/answers.ts'
import { answeredRows, type RefusedForm, refusedForm, shown } from '../kit/call.ts'
import { copyable } from '../kit/copy-buttons.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { moment } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, may, pageAt } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { developerPage } from './tabs.ts'

type Token = Shown<'api_token'>

const PATH = '/developers/tokens'

const MOST_SHOWN = 100

const RIGHTS: [right: Token['right'], words: string, meaning: string][] = [
  ['write', 'Write', 'Can do everything you can do.'],
  ['propose', 'Propose', 'Its programs become plans that a person applies. Best for an agent you do not know yet.'],
  ['read', 'Read', 'Can see everything but change nothing.'],
]

const RIGHT_WORDS = new Map<string, string>(RIGHTS.map(([right, words]) => [right, words]))

export const tokensPage: DashboardPage = {
  path: PATH,
  see: 'self.read',
  send: 'self.token',
  get: (visit) => showTokens(visit),
  post: async (visit, _, form) => {
    const caps = readBody(visit, capFields(visit), form, null)
    const body = {
      ...{ name: form.get('name') ?? '', right: form.get('right') || 'propose', role: form.get('role') || null },
      ...caps,
    }
    const answer = await visit.call('POST /api_tokens', { body })
    const refused = refusedForm(form, answer)
    if (refused) return showTokens(visit, refused)
    return newTokenPage(visit, answer.body)
  },
}

export const developersPage: DashboardPage = {
  path: '/developers',
  get: async ({ base }) => goTo(`${base}${PATH}`),
}

export const deleteTokenPage = pageAt({
  path: `${PATH}/:id/delete`,
  see: 'self.read',
  send: 'self.write',
  get: async (visit, { id }) => {
    const token = await shown(visit.call('GET /api_tokens/{id}', { path: { id } }))
    const crumbs = [{ words: 'Tokens', address: `${visit.base}${PATH}` }]
    const content = html`<section class="card form"><p>Anything that uses the token ending in <code>${token.last_four}</code> stops working immediately. This cannot be undone.</p>
<div class="form-buttons">${buttonForm(visit, { path: `${PATH}/${token.id}/delete`, words: 'Delete this token', look: 'danger-solid' })}<a class="button quiet" href="${visit.base}${PATH}">Cancel</a></div></section>`
    return developerPage(visit, { title: `Delete ${token.name}?`, crumbs }, content)
  },
  post: async (visit, { id }) => {
    await shown(visit.call('DELETE /api_tokens/{id}', { path: { id } }))
    return goDone(visit, `${visit.base}${PATH}`, 'deleted')
  },
})

function capFields({ catalogue }: DashboardContext) {
  const { credits_per_day, emails_per_day, refunds_per_day } = catalogue.bodyOf('POST /api_tokens')
  return { credits_per_day, emails_per_day, refunds_per_day }
}

async function showTokens(visit: DashboardContext, refused: RefusedForm | null = null): Promise<Response> {
  const { rows } = await answeredRows(visit.call('GET /api_tokens', { query: { limit: MOST_SHOWN } }))
  const problems = problemsOf(refused?.refusal ?? null, visit.catalogue.knownAt('api_tokens').create!.body!)
  const lead = 'A token lets a program or an agent act for you in this account. Its value is shown once.'
  const content = html`${summaryOf(problems)}${list(visit, rows)}${may(visit, 'self.token') ? form(visit, refused?.sent ?? null, problems) : CONNECT_INSTEAD}`
  return developerPage(visit, { title: 'API tokens', lead, status: refused?.status }, content)
}

const CONNECT_INSTEAD = html`<p class="hint">Your role makes no tokens. An agent can act for you all the same, with no more rights than you have: give it the address of <a href="/docs/clients">the connection</a>, and sign in.</p>`

function list(visit: DashboardContext, rows: Token[]): Page {
  if (rows.length === 0)
    return html`<div class="empty"><p>${may(visit, 'people.access') ? 'There are no tokens yet.' : 'You have not created any tokens yet. Owners and admins can see everyone’s tokens.'}</p></div>`
  const columns: Column<Token>[] = [
    { words: 'Name', cell: ({ name }) => name },
    { words: 'Right', cell: ({ right }) => html`<span class="badge">${RIGHT_WORDS.get(right) ?? right}</span>` },
    { words: 'Role', cell: ({ role }) => (role === null ? 'That of the person' : valueTitle(role)) },
    { words: 'Value', cell: ({ last_four }) => html`<code>…${last_four}</code>` },
    { words: 'Daily caps', cell: usedToday },
    { words: 'Acts as', cell: ({ user_name }) => user_name },
    { words: 'Last used', cell: ({ last_used_at }) => moment(visit, last_used_at) },
    { words: 'Created', cell: ({ created_at }) => moment(visit, created_at) },
    {
      words: 'Delete',
      acts: true,
      cell: ({ id, name }) =>
        html`<a class="danger" href="${visit.base}${PATH}/${id}/delete">Delete<span class="unseen"> ${name}</span></a>`,
    },
  ]
  return html`<section class="related" aria-label="Tokens">${dataTable({ caption: 'API tokens', columns, rows })}</section>`
}

function usedToday(token: Token): Page | string {
  const { refunds_currency: currency } = token
  const counts = [
    [token.credits_per_day, token.credits_today, 'credits', formatNumber],
    [token.emails_per_day, token.emails_today, 'e-mails', formatNumber],
    [token.refunds_per_day, token.refunds_today, 'refunded', (value: number) => formatMoney(value, currency ?? 'usd')],
  ] as const
  const lines = counts.flatMap(([most, used, words, inUnits]) =>
    most === null ? [] : [`${inUnits(used)} of ${inUnits(most)} ${words}`],
  )
  return lines.length === 0 ? 'No caps' : lines.join(', ')
}

const CAPS = [
  ['credits_per_day', 'Credits', 'numeric'],
  ['emails_per_day', 'E-mails to customers', 'numeric'],
  ['refunds_per_day', 'Refunds', 'decimal'],
] as const

function capsFields(visit: DashboardContext, sent: URLSearchParams | null, problems: Problem[]): Page {
  const currency = currencyCode(visit.account.default_currency)
  const inputs = CAPS.map(([name, words, mode]) => {
    const id = `field-${name}`
    const label = name === 'refunds_per_day' ? `${words} in ${currency}` : words
    const input = (described: Page) =>
      html`<input id="${id}" name="${name}" inputmode="${mode}" autocomplete="off" value="${sent?.get(name) ?? ''}"${described}>`
    return field({ id, label, problems, input })
  })
  return html`<fieldset class="field"><legend class="label">Daily caps</legend><p class="hint">What it may use in a day, until midnight UTC. Leave a field empty for no cap.</p>${inputs}</fieldset>`
}

function form(visit: DashboardContext, sent: URLSearchParams | null, problems: Problem[]): Page {
  const id = 'field-name'
  const hint = 'What the token is for, such as the name of an agent.'
  const given = sent?.get('right') ?? 'propose'
  const name = field({
    id,
    label: 'Name',
    hint,
    problems,
    input: () =>
      html`<input type="text" id="${id}" name="name" maxlength="100" autocomplete="off" value="${sent?.get('name') ?? ''}"${describedBy(id, hint, problems)}>`,
  })
  const rights = RIGHTS.map(
    ([right, words, meaning]) =>
      html`<label class="option"><input type="radio" name="right" value="${right}"${right === given ? html` checked` : ''}><span><strong>${words}</strong> ${meaning}</span></label>`,
  )
  return html`<section aria-labelledby="new-token"><h2 id="new-token" class="above-card">New token</h2>
<form class="card form" method="post" action="${visit.path}" data-turbo="false"><input type="hidden" name="csrf" value="${visit.csrf}">
${name}<fieldset class="field"><legend class="label">Right</legend>${rights}</fieldset>
${roleField(visit, sent?.get('role') ?? '', problems)}${capsFields(visit, sent, problems)}
<div class="form-buttons"><button class="primary">Create token</button></div></form></section>`
}

/** Renders the select of the token's role, which cannot exceed the person's own role. */
function roleField({ base, membership }: DashboardContext, chosen: string, problems: Problem[]): Page {
  const roles = OFFERED_ROLES.filter((role) => role !== membership.role && cover([membership.role], role))
  return field({
    ...{ id: 'field-role', label: 'Role', problems },
    hint: html`The token never does more than you may, now and later. <a href="${base}/settings/members#roles">What each role may</a>`,
    input: (described) =>
      html`<select id="field-role" name="role"${described}><option value="">As mine (${valueTitle(membership.role)})</option>${roles.map((role) => html`<option value="${role}"${role === chosen ? html` selected` : ''}>${valueTitle(role)}</option>`)}</select>`,
  })
}

/** Shows a new token. Its value is never shown again after this page. */
function newTokenPage(
  visit: DashboardContext,
  { name, value }: Pick<Shown<'api_token'>, 'name' | 'value'>,
): Promise<Response> {
  const crumbs = [{ words: 'Tokens', address: `${visit.base}/developers/tokens` }]
  const content = html`<div class="notice good" role="status"><p><strong>${name} is ready.</strong> Copy its value now: it is not shown again.</p></div>
<section class="card" aria-labelledby="value"><h2 id="value">The token</h2>${copyable(value ?? '', 'Value of the token')}</section>
<h2 class="above-card">Connect a client</h2>
<p class="lead">${CONFIGURATION_NOTE}</p>
${configurations(visit.parts.publicUrl, value ?? '')}
<p><a class="button" href="${visit.base}/developers/tokens">Done, I have copied it</a></p>`
  return developerPage(visit, { title: 'Your new token', crumbs }, content)
}

function configurations(publicUrl: string, value: string): Page {
  const clients = clientConfigurations(publicUrl).map(({ client, place, text }) => ({ title: client, place, text }))
  const all = [
    { title: 'Environment', place: 'a terminal', text: `export SHOPWRIGHT_TOKEN=${value}` },
    ...clients,
    {
      title: 'curl',
      place: 'a terminal',
      text: `curl ${publicUrl}/v1/products -H "Authorization: Bearer $SHOPWRIGHT_TOKEN"`,
    },
  ]
  const blocks = all.map(
    ({ title, place, text }) =>
      html`<section class="card configuration" aria-label="${title}"><h3>${title}</h3><p class="hint">In ${place}</p>${copyable(text, `Configuration for ${title}`)}</section>`,
  )
  return html`${blocks}
<section class="card configuration" aria-label="Clients that sign in"><h3>claude.ai, ChatGPT and others</h3><p class="hint">Clients that support sign-in need only this address, not a token</p>${copyable(`${publicUrl}/connect`, 'Address for clients that sign in')}</section>`
}
