import { html } from 'hono/html'
import { formatNumber } from '../../../format/numbers.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { modelSettings } from '../../../resources/dashboard/model-settings/settings.ts'
import type { BodyFields } from '../../../resources/operation-types.ts'
import { factCard, type Page } from '../../parts/markup.ts'
import { formOf } from '../derived/form.ts'
import { formPage } from '../derived/form-page.ts'
import { readBody } from '../derived/read-form.ts'
import { goDone } from '../kit/answers.ts'
import { type RefusedForm, refusedForm, shown } from '../kit/call.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

type Settings = ValueOf<typeof modelSettings>

const VIEW = {
  groups: [{ names: ['provider', 'model_id', 'base_url', 'api_key', 'tokens_per_day'] }],
  labels: {
    model_id: 'Model',
    base_url: 'URL of its API',
    api_key: 'API key',
    tokens_per_day: 'Tokens a day',
  },
} as const

export const modelPage: DashboardPage = formPage({
  path: '/settings/model',
  see: 'settings.read',
  send: 'settings.write',
  show: (visit, _, refused) => page(visit, refused),
  take: async (visit, _, form) => {
    const body = readBody(visit, visit.catalogue.bodyOf('PATCH /model_settings'), form, null)
    const answer = await visit.call('PATCH /model_settings', { body })
    return refusedForm(form, answer) ?? goDone(visit, `${visit.base}/settings/model`, 'saved')
  },
})

export const removeModel: DashboardPage = {
  path: '/settings/model/remove',
  send: 'settings.write',
  post: async (visit) => {
    await shown(visit.call('DELETE /model_settings'))
    return goDone(visit, `${visit.base}/settings/model`, 'saved')
  },
}

async function page(visit: DashboardContext, refused: RefusedForm | null): Promise<Response> {
  const settings = await visit.read(modelSettings)
  const form = await formOf(visit, {
    fields: visit.catalogue.bodyOf('PATCH /model_settings'),
    before: settings.used === 'own' ? settings : null,
    refused,
    button: settings.used === 'own' ? 'Save' : 'Use this model',
    back: visit.path,
    view: { ...VIEW, hints: hintsOf(settings) },
  })
  const content = html`<p class="notice ${settings.used === 'none' ? 'wait' : 'good'}">${NOW[settings.used]}</p>
${figures(settings)}<h2 class="above-card">A model of your own</h2>${form}${settings.used === 'own' ? removal(visit) : ''}`
  const lead = 'It carries out the prompts of tasks and answers questions under Ask.'
  return settingsPage(visit, { title: 'Model', lead, status: refused?.status }, content)
}

const NOW: Record<Settings['used'], string> = {
  own: 'Your own model is used. Its provider bills you, and it costs no credits.',
  service: 'The model of the service is used.',
  none: 'No model is set up: prompts in plain words wait for an external agent, and questions cannot be asked.',
}

function figures(settings: Settings): Page {
  const { used, tokens_today, tokens_per_day, service_tokens_today, tokens_per_credit } = settings
  const number = (value: number) => html`<span class="number">${formatNumber(value)}</span>`
  if (used === 'none') return html``
  if (used === 'own')
    return factCard('Use', [['Tokens today', html`${number(tokens_today)} of ${number(tokens_per_day ?? 0)}`]])
  return factCard('Use', [
    ['Tokens today', number(service_tokens_today)],
    ['Cost', tokens_per_credit === 0 ? 'No credits' : html`1 credit for ${number(tokens_per_credit)} tokens`],
  ])
}

function hintsOf({ has_key }: Settings): { [Name in keyof BodyFields<'PATCH /model_settings'>]?: string } {
  const stored = has_key
    ? 'A key is stored and not shown. Leave this empty to keep it; another URL needs it again.'
    : ''
  return {
    model_id: 'As its provider calls it.',
    base_url: 'Such as https://api.example.com/v1. Anthropic needs none.',
    api_key: stored || 'Stored encrypted, and never shown again.',
    tokens_per_day: 'Runs and questions beyond that are refused until the next day (UTC).',
  }
}

function removal(visit: DashboardContext): Page {
  return html`<form class="card form" method="post" action="${visit.base}/settings/model/remove"><input type="hidden" name="csrf" value="${visit.csrf}">
<p>The key is deleted, and the model of the service is used again, if there is one.</p>
<div class="form-buttons"><button class="danger">Remove this model</button></div></form>`
}
