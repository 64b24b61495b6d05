import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { counted } from '../../../words/counts.ts'
import { bytesInWords } from '../../../words/sizes.ts'
import { type Column, dataTable } from '../../parts/markup.ts'
import { goDone } from '../kit/answers.ts'
import { rowsOf, shown } from '../kit/ask.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { badge, moment } from '../kit/value.ts'
import type { DashboardPage, Visit } from '../kit/visit.ts'

type Build = Shown<'site_build'>

/** The newest builds of a site that its page lists. */
const LISTED = 5

export async function newestBuilds(visit: Visit, site: string): Promise<Build[]> {
  const { rows } = await rowsOf(visit.ask('GET /site_builds', { query: { site, limit: LISTED } }))
  return rows
}

/** What has been built, with the way back to what the site showed before. Problems of the build `elsewhere` are shown above. */
export function buildsTable(visit: Visit, builds: readonly Build[], elsewhere?: string) {
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

const BUILDERS: Record<string, string> = {
  built_in: 'This service',
  model: 'The model',
  repository: 'Its repository',
  agent: 'An agent',
}

function stateOf({ status, is_current: current }: Build): string {
  return current ? 'shown' : status
}

/** What kept it from being built, or what its owner should know. */
export function problemList(problems: readonly string[]) {
  return problems.length === 0 ? html`` : html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`
}

function wayBack(visit: Visit, { id, site }: Build) {
  return buttonForm(visit, { path: `/sites/${site}/builds/${id}/bring-back`, words: 'Bring back' })
}

/** Lets the site show the build again that it showed before. */
export const bringBackPage: DashboardPage = {
  path: '/sites/:id/builds/:build/bring-back',
  async post(visit, { id, build }) {
    await shown(visit.ask('POST /site_builds/{id}/bring_back', { path: { id: build! } }))
    return goDone(visit, addressOf(visit, id!), 'done', 'The site shows its last build again.')
  },
}

/** A run of the build task replaces the site once it has ended well. */
export const buildAgainPage: DashboardPage = {
  path: '/sites/:id/build',
  async post(visit, { id }) {
    const { build_task_id: task } = await shown(visit.ask('GET /sites/{id}', { path: { id: id! } }))
    if (task !== null) await shown(visit.ask('PATCH /tasks/{id}', { path: { id: task }, body: { active: true } }))
    return goDone(
      visit,
      addressOf(visit, id!),
      'done',
      'The site is built again. Until that has ended, it stays as it is.',
    )
  },
}

function addressOf({ base }: Visit, id: string): string {
  return `${base}/sites/${encodeURIComponent(id)}`
}
