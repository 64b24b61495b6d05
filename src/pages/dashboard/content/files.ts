import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { bytesInWords } from '../../storefront/bytes.ts'
import { withQuery } from '../kit/addresses.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import { shortened } from '../kit/labels.ts'
import type { DashboardPage } from '../kit/page.ts'
import { dateText } from '../kit/times.ts'
import { badge } from '../kit/value.ts'
import { refusalOf, rowsOf, type Values, type View, type Visit } from '../kit/visit.ts'

const A_PAGE = 48
/** Things that are looked through for the places of one file. */
const LOOKED_AT = 100

interface File {
  id: string
  kind: string
  upload_status: string
  filename: string | null
  title: string | null
  content_type: string | null
  size: number | null
  file_url: string | null
  created_at: string
}

/** All files, with their pictures, and a place to drop further ones. */
const list: DashboardPage = {
  path: '/files',
  async get(visit) {
    const after = visit.query.get('starting_after')
    const query = { limit: A_PAGE, ...(after && { starting_after: after }) }
    const { rows, more } = await rowsOf<File>(visit.ask('GET', '/files', { query }))
    const next = more
      ? html`<nav class="pager" aria-label="Pages"><a class="button" rel="next" href="${withQuery(visit.path, { starting_after: rows.at(-1)!.id })}">Next page</a></nav>`
      : ''
    const tiles =
      rows.length > 0
        ? html`<ul class="tiles">${rows.map((file) => tile(visit, file))}</ul>`
        : html`<div class="empty"><p>There are no files yet.</p></div>`
    const actions = html`<a class="button" href="${visit.base}/files/new">Import from an address</a>`
    const lead = 'Pictures of products, downloads for buyers, media of social posts.'
    return dashboardAnswer(framed(visit, { title: 'Files', lead, actions }, html`${uploader(visit)}${tiles}${next}`))
  },
}

function uploader({ base, csrf }: Visit): Page {
  return html`<section class="uploader" aria-label="Upload" data-controller="upload" data-upload-start-value="${base}/files/upload" data-upload-csrf-value="${csrf}">
<label class="drop" data-upload-target="drop" data-action="dragover->upload#over dragleave->upload#leave drop->upload#drop" hidden>
<input class="unseen" type="file" multiple data-upload-target="input" data-action="upload#choose"><strong>Choose files</strong> or drop them here<span class="hint">Up to 500 MB each</span></label>
<ul class="uploads" data-upload-target="list" aria-live="polite"></ul>
<div class="notice" data-upload-target="form"><p>Uploading from this page needs JavaScript. Without it, <a href="${base}/files/new">import a file from an address</a>.</p></div>
</section>`
}

function tile(visit: Visit, file: File): Page {
  const name = file.title ?? file.filename ?? 'Untitled'
  const address = `${visit.base}/files/${file.id}`
  const size = file.size === null ? '' : bytesInWords(file.size)
  const state = file.upload_status === 'ready' ? '' : badge(file.upload_status)
  const copy =
    file.file_url === null
      ? ''
      : html`<span class="tile-copy" data-controller="copy"><span class="unseen" data-copy-target="source">${file.file_url}</span><button class="small" type="button" hidden data-copy-target="button" data-action="copy#copy">Copy address<span class="unseen"> of ${name}</span></button></span>`
  return html`<li class="tile"><a href="${address}"><span class="tile-picture">${picture(file)}</span><span class="tile-name">${shortened(name, 60)}</span></a>
<p class="hint">${[size, dateText(file.created_at, visit.account.timezone)].filter(Boolean).join(', ')} ${state}</p>${copy}</li>`
}

const SHOWN = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/

function picture({ content_type: type, file_url: url, kind }: Pick<File, 'content_type' | 'file_url' | 'kind'>): Page {
  if (url !== null && type !== null && SHOWN.test(type))
    return html`<img src="${url}" alt="" loading="lazy" decoding="async">`
  const [, name = ''] = (type ?? '').split('/')
  return html`<span aria-hidden="true">${kind === 'external_video' ? 'Video' : shortened(name.toUpperCase() || 'File', 12)}</span>`
}

/** Begins an upload for the script of the list: where the bytes go, and what is called after them. */
const start: DashboardPage = {
  path: '/files/upload',
  async post(visit, _, form) {
    const body = { filename: form.get('filename') ?? '', size: Number(form.get('size') ?? 0) }
    const answer = await visit.ask('POST', '/files', { body })
    if (refusalOf(answer)) return refused(answer)
    const { id, upload_url, upload_headers } = answer.body as unknown as Values
    return json({ upload_url, upload_headers, done: `${visit.base}/files/${id}/uploaded` })
  },
}

const confirm: DashboardPage = {
  path: '/files/:id/uploaded',
  async post(visit, { id }) {
    const answer = await visit.ask('POST', `/files/${encodeURIComponent(id!)}/uploaded`)
    return refusalOf(answer) ? refused(answer) : json({ id })
  },
}

function refused(answer: Parameters<typeof refusalOf>[0]): Response {
  return json({ message: refusalOf(answer)!.message }, answer.status)
}

function json(value: object, status = 200): Response {
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(JSON.stringify(value), { status, headers })
}

export const filePages: DashboardPage[] = [list, start, confirm]

/** Where a file is used, among the newest of each kind of thing. */
async function places(visit: Visit, { id, file_url }: Values): Promise<Page | null> {
  const kinds = [
    ['products', 'name'],
    ['experiences', 'name'],
    ['social_posts', 'content'],
    ['blog_posts', 'title'],
  ] as const
  const found = await Promise.all(
    kinds.map(async ([path, name]) => {
      const answer = await visit.ask('GET', `/${path}`, { query: { limit: LOOKED_AT } })
      const rows = refusalOf(answer) ? [] : (answer.body as unknown as { data: Values[] }).data
      const using = rows.filter((row) => {
        const text = JSON.stringify(row)
        return text.includes(String(id)) || (typeof file_url === 'string' && text.includes(file_url))
      })
      return using.map(
        (row) =>
          html`<li><a href="${visit.base}/${path}/${String(row.id)}">${shortened(String(row[name] ?? 'Untitled'), 60)}</a></li>`,
      )
    }),
  )
  const links = found.flat()
  return html`<section class="related" aria-labelledby="used"><h2 id="used">Where it is used</h2>${
    links.length > 0
      ? html`<ul class="plain-list">${links}</ul>`
      : html`<p class="none">Nowhere among your newest products, experiences and posts.</p>`
  }</section>`
}

async function look(_: Visit, values: Values): Promise<Page | null> {
  const file = values as unknown as File
  if (file.file_url === null || !SHOWN.test(file.content_type ?? '')) return null
  return html`<p class="file-picture"><img src="${file.file_url}" alt=""></p>`
}

export const fileView: View = {
  above: [look],
  sections: [places],
  related: [],
  withoutActions: ['uploaded'],
  labels: { file_url: 'Address', content_type: 'Kind of file', upload_status: 'Upload' },
}
