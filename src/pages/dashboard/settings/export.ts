import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { goDone, goTo } from '../kit/answers.ts'
import { answeredRows, refusalOf, shown } from '../kit/call.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { badge, moment } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

type Export = Shown<'account_export'>

const PATH = '/settings/export'

export const exportsPage: DashboardPage = {
  path: PATH,
  see: 'ownership.read',
  send: 'ownership.write',
  get: (visit) => listPage(visit),
  post: async (visit) => {
    const answer = await visit.call('POST /account_exports', { body: {} })
    const refusal = refusalOf(answer)
    return refusal ? listPage(visit, refusal.message, answer.status) : goTo(`${visit.base}${PATH}`)
  },
}

/** Redirects to a download URL of the account's archive, which is valid for an hour. */
export const downloadExportPage = pageAt({
  path: `${PATH}/:id/download`,
  see: 'ownership.read',
  get: async (visit, { id }) => {
    const { download_url } = await shown(visit.call('GET /account_exports/{id}', { path: { id } }))
    return goTo(download_url ?? `${visit.base}${PATH}`)
  },
})

export const deleteExport = pageAt({
  path: `${PATH}/:id/delete`,
  send: 'ownership.write',
  post: async (visit, { id }) => {
    await shown(visit.call('DELETE /account_exports/{id}', { path: { id } }))
    return goDone(visit, `${visit.base}${PATH}`, 'deleted')
  },
})

async function listPage(visit: DashboardContext, refusal: string | null = null, status = 200): Promise<Response> {
  const { rows } = await answeredRows(visit.call('GET /account_exports'))
  const busy = rows.some(({ status }) => status === 'pending' || status === 'running')
  const live = busy ? html` data-controller="refresh" data-refresh-seconds-value="1"` : ''
  const start = busy
    ? ''
    : html`<div class="keep">${buttonForm(visit, { path: PATH, words: 'Export everything', look: 'primary' })}</div>`
  const content = html`${refusal === null ? '' : html`<p class="notice bad" role="alert">${refusal}</p>`}
<turbo-frame id="exports" target="_top"${live}>${rows.length === 0 ? html`<div class="empty"><p>There are no exports yet.</p>${start}</div>` : html`${start}${rows.map((one) => block(visit, one))}`}</turbo-frame>
<p class="soft export-note">The archive is a ZIP file with one JSON Lines file per resource type. Uploaded files are listed with their download URLs. Secrets, such as tokens and signing secrets, are not included.</p>`
  const lead = 'Everything in this account, for backup or to move elsewhere. You can download an archive for 7 days.'
  return settingsPage(visit, { title: 'Export', lead, status }, content)
}

function block(visit: DashboardContext, one: Export): Page {
  const { id, status, created_at } = one
  const done = status === 'ready' ? download(visit, one) : ''
  const remove =
    status === 'running'
      ? ''
      : buttonForm(visit, {
          path: `${PATH}/${id}/delete`,
          words: 'Delete',
          look: 'danger',
          about: `the export of ${created_at}`,
        })
  return html`<section class="card export" aria-label="Export of ${created_at}"><header><p>${badge(status)} <span class="soft">Requested ${moment(visit, created_at)}</span></p><div class="heading-actions">${done}${remove}</div></header>${stateOf(visit, one)}</section>`
}

function download({ base }: DashboardContext, { id, size }: Export): Page {
  return html`<a class="button primary" href="${base}${PATH}/${id}/download" data-turbo="false">Download (${bytesInWords(size ?? 0)})</a>`
}

function stateOf(visit: DashboardContext, one: Export): Page {
  const { status, parts_done: done, parts_total: total, rows_done, error_message, expires_at } = one
  if (status === 'pending' || status === 'running')
    return html`<label class="progress">Written so far: ${counted(rows_done, 'resource')} <progress max="${Math.max(1, total)}" value="${done}">${done} of ${total}</progress></label>`
  if (status === 'failed') return html`<p class="reason">${error_message}</p>`
  if (status === 'expired') return html`<p class="soft">The archive was deleted.</p>`
  return html`<p class="soft">Available until ${moment(visit, expires_at)}.</p>`
}
