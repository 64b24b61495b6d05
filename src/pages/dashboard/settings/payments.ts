import { html } from 'hono/html'
import { listed } from '../../../format/lists.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { paymentSettings } from '../../../resources/dashboard/payment-settings/settings.ts'
import { factCard, field, type Page, summaryOf } from '../../parts/markup.ts'
import { formPage } from '../derived/form-page.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { goDone, goFailed } from '../kit/answers.ts'
import { type Refusal, type RefusedForm, refusalOf, refusedForm } from '../kit/call.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { type DashboardContext, type DashboardPage, may, pageAt } from '../kit/visit.ts'
import { forOperator } from './connections.ts'
import { settingsPage } from './tabs.ts'

type Settings = ValueOf<typeof paymentSettings>
type Connection = Settings['connections'][number]

const PATH = '/settings/payments'

export const paymentsPage: DashboardPage = formPage({
  path: PATH,
  see: 'settings.read',
  send: 'settings.write',
  show: (visit, _, refused) => page(visit, refused),
  take: async (visit, _, form) => {
    const body = { key: (form.get('key') ?? '').trim() }
    const answer = await visit.call('POST /payment_settings/connections', { body })
    // The secret key is removed, so that the form that is shown again does not contain it.
    form.delete('key')
    return refusedForm(form, answer) ?? goDone(visit, `${visit.base}${PATH}`, 'saved', 'The key works, and is stored.')
  },
})

export const checkPayments = pageAt({
  path: `${PATH}/:id/check`,
  send: 'settings.write',
  post: (visit, { id }) => checked(visit, id),
})

async function checked(visit: DashboardContext, id: string): Promise<Response> {
  const answer = await visit.call('POST /payment_settings/connections/{id}/check', { path: { id } })
  const refusal = refusalOf(answer)
  const address = `${visit.base}${PATH}`
  return refusal ? goFailed(visit, address, refusal.message) : goDone(visit, address, 'done', 'Checked just now.')
}

/** Sends the person to the payment provider's page where they create or complete their account there. */
export const startPayOnboarding: DashboardPage = {
  path: `${PATH}/onboarding`,
  send: 'settings.write',
  post: async (visit) => {
    const answer = await visit.call('POST /payment_settings/onboarding')
    const refusal = refusalOf(answer)
    if (refusal) return goFailed(visit, `${visit.base}${PATH}`, refusal.message)
    const { url } = answer.body
    const link = html`<p><a class="button primary" href="${url}" rel="noreferrer">Go on to the payment provider</a></p>`
    const page = await settingsPage(visit, { title: 'Payments' }, link)
    // The page redirects with a Refresh header, because the content security policy forbids redirects of forms to other sites.
    page.headers.set('Refresh', `0; url=${url}`)
    return page
  },
}

/** Checks the shop's account at the payment provider, which redirects to this page after the onboarding. */
export const payOnboardedPage = pageAt({
  path: `${PATH}/:id/onboarded`,
  see: 'settings.write',
  get: (visit, { id }) => checked(visit, id),
})

async function page(visit: DashboardContext, refused: RefusedForm | null): Promise<Response> {
  const settings = await visit.read(paymentSettings)
  const { taken_by, takes_real_money: live, reason, missing, connections, notices_from, notices_url } = settings
  const steps =
    taken_by === 'service' || missing.length === 0
      ? forOperator(missing)
      : html`<section class="card form" aria-labelledby="missing"><h2 id="missing">To take real payments</h2><ol class="setting-steps">${missing.map((step) => html`<li>${step}</li>`)}</ol></section>`
  const provider = factCard('Payments', [
    ['Provider', settings.provider_title],
    ['Real money', live ? 'Yes' : 'No'],
    ...(notices_url === null ? [] : [[`${notices_from} webhook URL`, html`<code>${notices_url}</code>`] as const]),
  ])
  const content = html`<p class="notice ${live ? 'good' : 'wait'}">${reason}</p>
${connections.map((one) => connectionCard(visit, one))}${taken_by === 'connection' ? '' : provider}${steps}${platformForm(visit, settings)}${keyForm(visit, settings, refused?.refusal ?? null)}`
  const lead = 'Buyers pay into your own account at a payment provider.'
  return settingsPage(visit, { title: 'Payments', lead, status: refused?.status }, content)
}

const STATES: Record<Connection['status'], string> = {
  onboarding: 'Being set up: takes no payments yet',
  current: 'Takes new payments',
  replaced: 'Replaced: renewals and refunds of earlier sales go on',
  removed: 'Removed: renewals wait, refunds and disputes go on',
}

function connectionCard(visit: DashboardContext, connection: Connection): Page {
  const { id, provider_title, name, live, status, key_hint, methods, payouts, refused_reason } = connection
  const title = `${provider_title}: ${name}`
  const card = factCard(title, [
    ['Account', title],
    ['State', refused_reason === null ? STATES[status] : html`Out of order. ${refused_reason}`],
    ['Mode', live ? 'Live: real money' : 'Test mode: no money moves'],
    key_hint !== null && ['Key', html`<code>…${key_hint}</code>`],
    methods.length > 0 && ['Buyers pay with', listed(methods)],
    payouts !== null && ['Payouts', payouts],
    ['Subscriptions', String(connection.subscriptions)],
  ])
  if (!may(visit, 'settings.write')) return card
  const remove = html`<a class="button danger" href="${visit.base}${PATH}/${id}/remove">${status === 'removed' ? 'Delete' : 'Remove'}<span class="unseen"> ${title}</span></a>`
  return html`${card}<div class="form-buttons connection-buttons">${buttonForm(visit, { path: `${PATH}/${id}/check`, words: 'Check again', about: title })}${remove}</div>`
}

function platformForm(visit: DashboardContext, { connectable, connections }: Settings): Page {
  const [provider] = connectable
  if (!provider?.makes_accounts || !may(visit, 'settings.write')) return html``
  const begun = connections.some(({ status }) => status === 'onboarding')
  return html`<h2 class="above-card">Connect with ${provider.title}</h2>
<form class="card form" method="post" action="${visit.base}${PATH}/onboarding" data-turbo="false"><input type="hidden" name="csrf" value="${visit.csrf}">
<p>${provider.title} asks for what it needs to pay you out, and leads back here. You need no key.</p>
<div class="form-buttons"><button class="primary">${begun ? `Go on at ${provider.title}` : `Connect with ${provider.title}`}</button></div></form>`
}

function keyForm(visit: DashboardContext, { connectable, connections }: Settings, refusal: Refusal | null): Page {
  const [provider] = connectable
  if (!provider || !may(visit, 'settings.write')) return html``
  const { title, permissions, key_url } = provider
  const problems = problemsOf(refusal, visit.catalogue.bodyOf('POST /payment_settings/connections'))
  const key = field({
    id: 'field-key',
    label: `Restricted key of ${title}`,
    hint: 'Tested at once, stored encrypted, and never shown again.',
    problems,
    input: (described) =>
      html`<input type="password" id="field-key" name="key" maxlength="300" autocomplete="off" spellcheck="false" required${described}>`,
  })
  const isFirst = connections.every(({ status }) => status !== 'current')
  const isFormerRefused = connections.some((one) => one.status !== 'current' && one.refused_reason !== null)
  return html`<h2 class="above-card">${isFirst ? `Connect ${title}` : 'Another key'}</h2>${summaryOf(problems)}
<form class="card form" method="post" action="${visit.base}${PATH}"><input type="hidden" name="csrf" value="${visit.csrf}">
<p><a href="${key_url}" rel="noreferrer" target="_blank">Make a restricted key at ${title}</a> and paste it here. ${isFirst ? '' : 'A key of the same account takes the place of the present one. Another account takes the new payments; renewals and refunds of earlier sales stay where they are.'}${isFirst || !isFormerRefused ? '' : ' A new key of an account that is out of order only lets its renewals and refunds go on.'}</p>
<details class="key-permissions"><summary>What the key has to be allowed</summary><ul class="setting-steps">${permissions.map((one) => html`<li>${one}</li>`)}</ul></details>
${key}<div class="form-buttons"><button class="primary">Test and save the key</button></div></form>`
}
