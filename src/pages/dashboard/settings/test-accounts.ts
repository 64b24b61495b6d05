import { html } from 'hono/html'
import { include } from '../../../contract/declarations/role-rights.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { describedBy, field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { readBody } from '../derived/read-form.ts'
import { goDone, goTo } from '../kit/answers.ts'
import { answeredRows, type RefusedForm, refusedForm, shown } from '../kit/call.ts'
import { moment } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, may, pageAt } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

type TestAccount = Shown<'test_account'>

const PATH = '/settings/test-accounts'
const UNITS = ['hours', 'days', 'weeks', 'months', 'years'] as const

interface RefusedTestAccount extends RefusedForm {
  id?: string
}

export const testAccountsPage: DashboardPage = {
  path: PATH,
  see: 'self.read',
  send: 'settings.write',
  get: (visit) => listPage(visit, null),
  post: async (visit, _, form) => {
    const answer = await visit.call('POST /test_accounts', { body: { name: form.get('name') ?? '' } })
    const refused = refusedForm(form, answer)
    if (refused) return listPage(visit, refused)
    return goDone(visit, `${visit.base}${PATH}`, 'created')
  },
}

export const advanceClock = pageAt({
  path: `${PATH}/:id/advance`,
  send: 'self.write',
  post: async (visit, { id }, form) => {
    const { count, unit } = visit.catalogue.bodyOf('POST /test_accounts/{id}/advance')
    const read = readBody(visit, { count, unit }, form, null)
    // A missing count is sent as 0, because the operation refuses 0 with a good message.
    const body = { ...read, count: read.count ?? 0 }
    const answer = await visit.call('POST /test_accounts/{id}/advance', { path: { id }, body })
    const refused = refusedForm(form, answer)
    if (refused) return listPage(visit, { ...refused, id })
    return goDone(visit, `${visit.base}${PATH}`, 'asked')
  },
})

export const deleteTestAccountPage = pageAt({
  path: `${PATH}/:id/delete`,
  see: 'self.read',
  send: 'self.write',
  get: (visit, { id }) => deletePage(visit, id, null),
  post: async (visit, { id }, form) => {
    const body = { subdomain: form.get('subdomain') ?? '' }
    const answer = await visit.call('POST /test_accounts/{id}/delete', { path: { id }, body })
    const refused = refusedForm(form, answer)
    if (refused) return deletePage(visit, id, refused)
    const isHere = visit.account.id === id
    return isHere ? goTo('/dashboard') : goDone(visit, `${visit.base}${PATH}`, 'deleted')
  },
})

async function listPage(visit: DashboardContext, refused: RefusedTestAccount | null): Promise<Response> {
  const { rows } = await answeredRows(visit.call('GET /test_accounts'))
  const problems = problemsOf(refused?.refusal ?? null, {
    ...visit.catalogue.bodyOf('POST /test_accounts'),
    ...visit.catalogue.bodyOf('POST /test_accounts/{id}/advance'),
  }).map(({ field, message }) => ({ message, field: field && refused?.id ? `${field}-${refused.id}` : field }))
  const busy = rows.some(({ state }) => state === 'moving' || state === 'requested')
  const list =
    rows.length === 0
      ? html`<div class="empty"><p>You have no test accounts yet.</p></div>`
      : html`<turbo-frame id="clocks" target="_top"${busy ? html` data-controller="refresh" data-refresh-seconds-value="1"` : ''}>${rows.map((one) => block(visit, one, { sent: refused?.id === one.id ? refused.sent : null, problems }))}</turbo-frame>`
  const add = !may(visit, 'settings.write')
    ? ''
    : newForm(visit, { sent: refused && refused.id === undefined ? refused.sent : null, problems })
  const lead =
    'For rehearsals: payments are never real, and you can move the clock forward. Everything due in between happens in order, including webhooks.'
  const content = html`${summaryOf(problems)}${list}${add}`
  return settingsPage(visit, { title: 'Test accounts', lead, status: refused?.status }, content)
}

interface Filled {
  sent: URLSearchParams | null
  problems: Problem[]
}

function block(visit: DashboardContext, one: TestAccount, filled: Filled): Page {
  const { id, name, subdomain, role, state, clock } = one
  const moving = state === 'moving' || state === 'requested'
  const status = moving
    ? html`<p class="notice wait" role="status">On its way to ${moment(visit, one.target)}.</p>`
    : state === 'lost'
      ? html`<p class="notice bad">The server stopped while moving the clock, at the time above. Move it again.</p>`
      : ''
  const forms = moving || !include([role], 'settings.write') ? '' : advanceForm(visit, one, filled)
  const remove = include([role], 'ownership.write')
    ? html`<a class="button danger" href="${visit.base}${PATH}/${id}/delete">Delete<span class="unseen"> ${name}</span></a>`
    : ''
  return html`<section class="card test-clock" aria-labelledby="${id}"><header><h2 id="${id}"><a href="/dashboard/${subdomain}" data-turbo="false">${name}</a></h2>${remove}</header>
<p class="clock"><span class="soft">Clock</span> <strong>${moment(visit, clock)}</strong></p>${status}${forms}</section>`
}

function advanceForm(visit: DashboardContext, { id, name }: TestAccount, { sent, problems }: Filled): Page {
  const unit = sent?.get('unit') ?? 'days'
  return html`<form class="filters" method="post" action="${visit.base}${PATH}/${id}/advance"><input type="hidden" name="csrf" value="${visit.csrf}">
<div class="filter">${field({ id: `field-count-${id}`, label: 'Move forward by', problems, input: (described) => html`<input type="text" inputmode="numeric" id="field-count-${id}" name="count" value="${sent?.get('count') ?? '1'}"${described}>` })}</div>
<div class="filter"><label for="unit-${id}">Unit</label><select id="unit-${id}" name="unit">${UNITS.map((one) => html`<option${one === unit ? html` selected` : ''}>${one}</option>`)}</select></div>
<div class="filter-buttons"><button>Move<span class="unseen"> the clock of ${name}</span></button></div></form>`
}

function newForm(visit: DashboardContext, { sent, problems }: Filled): Page {
  return html`<h2 class="above-card">New test account</h2><form class="card form" method="post" action="${visit.base}${PATH}"><input type="hidden" name="csrf" value="${visit.csrf}">
${nameField('name', 'Name of the shop', sent?.get('name') ?? '', problems)}<div class="form-buttons"><button class="primary">Open test account</button></div></form>`
}

function nameField(name: string, label: string | Page, value: string, problems: Problem[]): Page {
  const id = `field-${name}`
  return field({
    id,
    label,
    problems,
    input: () =>
      html`<input type="text" id="${id}" name="${name}" maxlength="100" autocomplete="off" spellcheck="false" value="${value}"${describedBy(id, undefined, problems)}>`,
  })
}

async function deletePage(visit: DashboardContext, id: string, refused: RefusedForm | null): Promise<Response> {
  const { name, subdomain } = await shown(visit.call('GET /test_accounts/{id}', { path: { id } }))
  const fields = visit.catalogue.bodyOf('POST /test_accounts/{id}/delete')
  const problems = problemsOf(refused?.refusal ?? null, fields)
  const content = html`${summaryOf(problems)}<form class="card form" method="post" action="${visit.path}"><input type="hidden" name="csrf" value="${visit.csrf}">
<p>Everything of the test account <strong>${name}</strong> is deleted immediately and cannot be restored.</p>
${nameField('subdomain', html`Type <code>${subdomain}</code> to confirm`, '', problems)}
<div class="form-buttons"><button class="danger-solid">Delete this test account</button><a class="button quiet" href="${visit.base}${PATH}">Cancel</a></div></form>`
  const crumbs = [{ words: 'Test accounts', address: `${visit.base}${PATH}` }]
  return settingsPage(visit, { title: `Delete ${name}?`, crumbs, status: refused?.status }, content)
}
