import { html } from 'hono/html'
import { wantsAgent } from '../../../../contract/values/agent-marker.ts'
import { counted } from '../../../../format/counts.ts'
import { sentenceCase } from '../../../../format/sentences.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import { goDone } from '../../../../pages/dashboard/kit/answers.ts'
import { answeredRows, shown } from '../../../../pages/dashboard/kit/call.ts'
import { buttonForm } from '../../../../pages/dashboard/kit/page-rights.ts'
import { badge, moment } from '../../../../pages/dashboard/kit/value.ts'
import {
  type DashboardContext,
  type DashboardFeature,
  type DashboardPage,
  type Viewed,
  view,
} from '../../../../pages/dashboard/kit/visit.ts'
import { valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { type Column, dataTable, type Fact, factList } from '../../../../pages/parts/markup.ts'
import type { Context } from '../../../../records/context.ts'
import { hasModel } from '../../../../resources/company/account/model-allowance.ts'
import type { Connected } from '../../../../resources/dashboard/service-connections.ts'
import type { Shown } from '../../../../resources/nouns.ts'

const LISTED = 5

const BUILDERS: Record<string, string> = {
  built_in: 'This service',
  model: 'The model',
  repository: 'Its repository',
  agent: 'An agent',
}

const bringBackPage: DashboardPage = {
  path: '/sites/:id/builds/:build/bring-back',
  send: 'content.write',
  async post(visit, { id, build }) {
    await shown(visit.call('POST /site_builds/{id}/bring_back', { path: { id: build! } }))
    return goDone(visit, addressOf(visit, id!), 'done', 'The site shows its last build again.')
  },
}

/** Activates the build task, which starts a run. The run replaces the site if it succeeds. */
const buildAgainPage: DashboardPage = {
  path: '/sites/:id/build',
  async post(visit, { id }) {
    const { build_task_id: task } = await shown(visit.call('GET /sites/{id}', { path: { id: id! } }))
    if (task !== null) await shown(visit.call('PATCH /tasks/{id}', { path: { id: task }, body: { active: true } }))
    return goDone(
      visit,
      addressOf(visit, id!),
      'done',
      'The site is built again. Until that has ended, it stays as it is.',
    )
  },
}

type Site = Viewed<'ai_site'>

const STEPS = ['queued', 'building', 'live']

/** Shows the current build and earlier builds, and reloads itself while a build runs. */
async function building(visit: DashboardContext, site: Site) {
  const { id, build_status: status, build_task: found } = site
  const goesOn = status === 'queued' || status === 'building'
  const steps = status === 'failed' ? ['queued', 'building', 'failed'] : STEPS
  const list = steps.map(
    (step) =>
      html`<li${step === status ? html` aria-current="step"` : ''} class="${steps.indexOf(step) <= steps.indexOf(status) ? 'step done' : 'step'}">${step === status ? badge(step) : valueTitle(step)}</li>`,
  )
  const task = typeof found === 'object' ? (found?.id ?? null) : found
  const again = task && !goesOn ? buttonForm(visit, { path: `/sites/${id}/build`, words: 'Build again' }) : ''
  const { rows: builds } = await answeredRows(visit.call('GET /site_builds', { query: { site: id, limit: LISTED } }))
  const content = html`<section class="card" aria-labelledby="build"><h2 id="build">Building</h2><ol class="steps">${list}</ol>
<p>${stateWords(site, task)}</p>${status === 'failed' ? await lastProblems(visit, task, builds[0]?.problems ?? []) : ''}<div class="build-ways">${again}${task ? html`<a href="${visit.base}/tasks/${task}" data-turbo-frame="_top">View the build task</a>` : ''}</div>
${buildsTable(visit, builds, status === 'failed' ? builds[0]?.id : undefined)}</section>`
  return goesOn
    ? html`<turbo-frame id="building" target="_top" data-controller="refresh">${content}</turbo-frame>`
    : html`<turbo-frame id="building" target="_top">${content}</turbo-frame>`
}

async function lastProblems(visit: DashboardContext, task: string | null, problems: readonly string[]) {
  if (problems.length > 0) return html`<div class="notice bad" role="status">${problemList(problems)}</div>`
  if (task === null) return ''
  const { rows } = await answeredRows(visit.call('GET /task_runs', { query: { ai_task_id: [task], limit: 1 } }))
  const message = rows[0]?.error_message
  return message ? html`<p class="notice bad" role="status">${message}</p>` : ''
}

function stateWords({ build_status: status, is_live: live, prompt }: Site, task: string | null): string {
  if (task === null && status !== 'live')
    return 'Nothing builds it, because it has no build task. Delete it and create it again.'
  const kept = live ? ' Until then, the site stays as it is.' : ''
  switch (status) {
    case 'queued':
      return wantsAgent(prompt)
        ? 'Its brief asks for an agent: one that is connected to this service, or a person, claims the run of the task below, builds the site and says where it is. Nobody has claimed it yet.'
        : `It will be built in a moment.${kept} If nothing happens, cancel the run of its task, and build it again.`
    case 'building':
      return `It is being built.${kept}`
    case 'live':
      return 'It is online.'
    default:
      return `The last build failed.${live ? ' The site stays as it was before.' : ''} Build it again once the cause is gone.`
  }
}

/** Shows the DNS record that proves ownership of the domain, until it is verified. */
async function domain(
  visit: DashboardContext,
  { id, domain: name, domain_record: record, domain_verified: verified }: Site,
) {
  if (!name) return null
  if (verified)
    return html`<section class="card"><h2>Domain</h2><p>${name} ${badge('verified')}</p><p>Keep the TXT record of _shopwright.${name}: without it, the site is no longer served there within a few hours.</p></section>`
  const parts = (record ? Object.entries(record) : []).map(
    ([key, value]): Fact => [
      sentenceCase(key),
      html`<code data-copy-target="source">${value}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy<span class="unseen"> ${key}</span></button>`,
      { controller: 'copy' },
    ],
  )
  const look = buttonForm(visit, { path: `/sites/${id}/look`, words: 'Check now' })
  return html`<turbo-frame id="domain-record" target="_top" data-controller="refresh"><section class="card" aria-labelledby="domain"><h2 id="domain">Verify that you own ${name}</h2>
<p>Add this DNS record at your domain provider. We check for it automatically for three days, or immediately when you ask. If another shop or site had the domain, remove its record.</p>${factList('fields', parts)}${look}</section></turbo-frame>`
}

/** Checks the DNS record of the site's domain by setting the same domain again. */
const checkDomain: DashboardPage = {
  path: '/sites/:id/look',
  async post(visit, { id }) {
    const path = { id: id! }
    const { domain } = await shown(visit.call('GET /sites/{id}', { path }))
    if (domain !== null) await shown(visit.call('PATCH /sites/{id}', { path, body: { domain } }))
    return goDone(
      visit,
      `${visit.base}/sites/${encodeURIComponent(id!)}`,
      'done',
      `Checking for the DNS record of ${domain}.`,
    )
  },
}

const sitePages: DashboardPage[] = [checkDomain, bringBackPage, buildAgainPage]

const siteView = view('ai_site', {
  columns: ['name', 'build_status', 'subdomain', 'domain', 'created_at'],
  lead: 'Websites built from a short description or a repository.',
  without: ['build_task_id', 'domain_record', 'is_live'],
  labels: { prompt: 'What it is', show_referral_badge: 'Mentions this service' },
  form: {
    groups: [
      { names: ['prompt', 'name'] },
      { title: 'Address and visitors', names: ['subdomain', 'domain', 'access_mode'] },
    ],
    labels: {
      prompt: 'What the site is',
      subdomain: 'First part of its address',
      domain: 'Domain of your own',
      show_referral_badge: 'Mention this service on its pages',
    },
    hints: {
      prompt:
        'In your own words: what it is for, what it shows, how it looks. Needed unless it is built from a repository.',
      name: 'What you call it.',
      github_repo_full_name: 'Build it from this repository instead, such as kestrel/website.',
      subdomain: 'Lowercase letters, digits and hyphens. Empty: made from the name.',
      access_mode:
        'Public: everyone. Account: the people of this account. Admins only: its owners and admins. Me only: its creator.',
      show_referral_badge: 'A small line at the end of each page.',
    },
  },
  sections: [building, domain],
  links: (_, { app_url: url }) =>
    url ? html`<a class="button" href="${url}" rel="noreferrer" data-turbo="false">Visit site</a>` : null,
})

type Build = Shown<'site_build'>

/** `elsewhere` is the id of the build whose problems are already shown above the table. */
function buildsTable(visit: DashboardContext, builds: readonly Build[], elsewhere?: string) {
  if (builds.length === 0) return html``
  const columns: Column<Build>[] = [
    { words: 'Built', cell: ({ created_at: at }) => moment(visit, at) },
    { words: 'By', cell: ({ builder }) => BUILDERS[builder] ?? builder },
    {
      words: 'Result',
      cell: (build) => html`${badge(stateOf(build))}${build.id === elsewhere ? '' : problemList(build.problems)}`,
    },
    {
      words: 'Files',
      cell: ({ files_count: files, bytes }) =>
        files === 0 ? html`<span class="none">None</span>` : `${counted(files, 'file')}, ${bytesInWords(bytes)}`,
    },
    { words: 'Actions', acts: true, cell: (build) => (build.can_be_brought_back ? wayBack(visit, build) : html``) },
  ]
  return dataTable({ caption: 'Builds', columns, rows: builds })
}

function stateOf({ status, is_current: current }: Build): string {
  return current ? 'shown' : status
}

function problemList(problems: readonly string[]) {
  return problems.length === 0 ? html`` : html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`
}

function wayBack(visit: DashboardContext, { id, site }: Build) {
  return buttonForm(visit, { path: `/sites/${site}/builds/${id}/bring-back`, words: 'Bring back' })
}

function addressOf({ base }: DashboardContext, id: string): string {
  return `${base}/sites/${encodeURIComponent(id)}`
}

export const sitesDashboard: DashboardFeature = {
  pages: sitePages,
  views: [siteView],
  menu: { content: ['sites'] },
  elsewhere: ['site_builds'],
  content: 'sites',
  connections: async (context) => [await siteConnection(context)],
}

/** Returns an entry that says what builds sites from briefs, and on which domain they are served. */
async function siteConnection(context: Context): Promise<Connected> {
  const what = 'Sites'
  const { sitesDomain } = context.services
  const for_operator = ['Set SITES_DOMAIN to a domain that shares nothing with that of the service.']
  if (sitesDomain === null)
    return {
      what,
      state: 'missing',
      words: 'None are served, and their build tasks wait for an external agent.',
      set_up: [],
      for_operator,
    }
  const builder = (await hasModel(context)) ? 'A model' : 'The built-in builder'
  const words = `${builder} makes them from briefs, and they are served below ${sitesDomain}`
  if (sitesDomain !== 'localhost') return { what, state: 'ready', words: `${words}.`, set_up: [], for_operator: [] }
  return { what, state: 'simulated', words: `${words}, on this machine alone.`, set_up: [], for_operator }
}
