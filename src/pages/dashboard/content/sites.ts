import { html } from 'hono/html'
import { sentenceCase } from '../../../words/sentences.ts'
import { type Fact, factList } from '../../parts/facts.ts'
import { shown } from '../kit/ask.ts'
import { buttonForm } from '../kit/button-form.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { badge } from '../kit/value.ts'
import { type Viewed, view } from '../kit/view.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'

type Site = Viewed<'ai_site'>

const STEPS = ['queued', 'building', 'live']

/** How far the building of a site is; the frame looks again by itself while it goes on. */
async function building(visit: Visit, { build_status: status, build_task: found }: Site) {
  const goesOn = status === 'queued' || status === 'building'
  const steps = status === 'failed' ? ['queued', 'building', 'failed'] : STEPS
  const list = steps.map(
    (step) =>
      html`<li${step === status ? html` aria-current="step"` : ''} class="${steps.indexOf(step) <= steps.indexOf(status) ? 'step done' : 'step'}">${step === status ? badge(step) : valueTitle(step)}</li>`,
  )
  const task = typeof found === 'object' ? (found?.id ?? null) : found
  const content = html`<section class="card" aria-labelledby="build"><h2 id="build">Building</h2><ol class="steps">${list}</ol>
<p>${stateWords(status, task)}</p>${task ? html`<p><a href="${visit.base}/tasks/${task}" data-turbo-frame="_top">View the build task</a></p>` : ''}</section>`
  return goesOn
    ? html`<turbo-frame id="building" data-controller="refresh">${content}</turbo-frame>`
    : html`<turbo-frame id="building">${content}</turbo-frame>`
}

/** What a site is waiting for, and what can be done about it. */
function stateWords(status: Site['build_status'], task: string | null): string {
  if (task === null && status !== 'live')
    return 'Nothing builds it, because it has no build task. Delete it and create it again.'
  switch (status) {
    case 'queued':
      return 'It waits for a builder. This service builds no sites by itself: an agent that is connected to it, or a person, claims the run of the task below, builds the site and says where it is. Nobody has claimed it yet.'
    case 'building':
      return 'Somebody has claimed the run of its task and is building it.'
    case 'live':
      return 'It is online, as its builder says.'
    default:
      return 'The last run of its task failed, was canceled or did not say where the site is. Make the task active to run it again.'
  }
}

/** The DNS record that proves whose a domain is, to be copied to where the domain is managed. */
async function domain(visit: Visit, { id, domain: name, domain_record: record, domain_verified: verified }: Site) {
  if (!name) return null
  if (verified) return html`<section class="card"><h2>Domain</h2><p>${name} ${badge('verified')}</p></section>`
  const parts = (record ? Object.entries(record) : []).map(
    ([key, value]): Fact => [
      sentenceCase(key),
      html`<code data-copy-target="source">${value}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy<span class="unseen"> ${key}</span></button>`,
      { controller: 'copy' },
    ],
  )
  const look = buttonForm(visit, { path: `/sites/${id}/look`, words: 'Check now' })
  return html`<turbo-frame id="domain-record" target="_top" data-controller="refresh"><section class="card" aria-labelledby="domain"><h2 id="domain">Verify that you own ${name}</h2>
<p>Add this DNS record at your domain provider. We check for it automatically for three days, or immediately when you ask.</p>${factList('fields', parts)}${look}</section></turbo-frame>`
}

/** Giving a site the domain that it has makes its record be looked for anew. */
const look: DashboardPage = {
  path: '/sites/:id/look',
  async post(visit, { id }) {
    const path = { id: id! }
    const { domain } = await shown(visit.ask('GET /sites/{id}', { path }))
    if (domain !== null) await shown(visit.ask('PATCH /sites/{id}', { path, body: { domain } }))
    return goDone(
      visit,
      `${visit.base}/sites/${encodeURIComponent(id!)}`,
      'done',
      `Checking for the DNS record of ${domain}.`,
    )
  },
}

export const sitePages: DashboardPage[] = [look]

export const siteView = view('ai_site', {
  columns: ['name', 'build_status', 'subdomain', 'domain', 'created_at'],
  lead: 'Websites built from a short description or a repository.',
  without: ['build_task_id', 'domain_record', 'is_live'],
  sections: [building, domain],
  links: (_, { app_url: url }) =>
    url ? html`<a class="button" href="${url}" rel="noreferrer" data-turbo="false">Visit site</a>` : null,
})
