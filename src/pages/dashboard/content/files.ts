import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { bytesInWords } from '../../storefront/bytes.ts'
import { withQuery } from '../kit/addresses.ts'
import { dashboardAnswer, goTo } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import { shortened } from '../kit/labels.ts'
import type { DashboardPage } from '../kit/page.ts'
import { isPicture, type ShownFile, thumbnail } from '../kit/pictures.ts'
import { dateText } from '../kit/times.ts'
import { badge } from '../kit/value.ts'
import { refusalOf, rowsOf, type Values, type View, type Visit } from '../kit/visit.ts'
import { confirm, start, uploadAll, uploader } from './upload.ts'

const A_PAGE = 48
/** Things that are looked through for the places of one file. */
const LOOKED_AT = 100

/** All files, with their pictures, and a place to drop further ones. */
const list: DashboardPage = {
  path: '/files',
  get: (visit) => listPage(visit),
  files: {
    async take(visit, _, files) {
      const { status, messages } = await uploadAll(visit, files)
      return messages.length === 0 ? goTo(`${visit.base}/files?done=created`) : listPage(visit, messages, status)
    },
    refuse: (visit, _, { message, status, headers }) => listPage(visit, [message], status, headers),
  },
}

async function listPage(
  visit: Visit,
  refusals: string[] = [],
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const after = visit.query.get('starting_after')
  const query = { limit: A_PAGE, ...(after && { starting_after: after }) }
  const { rows, more } = await rowsOf<ShownFile>(visit.ask('GET', '/files', { query }))
  const next = more
    ? html`<nav class="pager" aria-label="Pages"><a class="button" rel="next" href="${withQuery(visit.path, { starting_after: rows.at(-1)!.id })}">Next page</a></nav>`
    : ''
  const tiles =
    rows.length > 0
      ? html`<ul class="tiles">${rows.map((file) => tile(visit, file))}</ul>`
      : html`<div class="empty"><p>There are no files yet.</p></div>`
  const actions = html`<a class="button" href="${visit.base}/files/new">Import from an address</a>`
  const lead = 'Pictures of products, downloads for buyers, media of social posts.'
  const content = html`${uploader(visit, refusals)}${tiles}${next}`
  const sendsTo = visit.parts.services.files.current.uploadsBelow
  return dashboardAnswer(framed(visit, { title: 'Files', lead, actions }, content), { status, headers, sendsTo })
}

function tile(visit: Visit, file: ShownFile): Page {
  const name = file.title ?? file.filename ?? 'Untitled'
  const address = `${visit.base}/files/${file.id}`
  const size = file.size === null ? '' : bytesInWords(file.size)
  const state = file.upload_status === 'ready' ? '' : badge(file.upload_status)
  const copy =
    file.file_url === null
      ? ''
      : html`<span class="tile-copy" data-controller="copy"><span class="unseen" data-copy-target="source">${file.file_url}</span><button class="small" type="button" hidden data-copy-target="button" data-action="copy#copy">Copy address<span class="unseen"> of ${name}</span></button></span>`
  return html`<li class="tile"><a href="${address}"><span class="tile-picture">${thumbnail(file)}</span><span class="tile-name">${shortened(name, 60)}</span></a>
<p class="hint">${[size, dateText(file.created_at, visit.account.timezone)].filter(Boolean).join(', ')} ${state}</p>${copy}</li>`
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
  const file = values as unknown as ShownFile
  return isPicture(file) ? html`<p class="file-picture"><img src="${file.file_url}" alt=""></p>` : null
}

export const fileView: View = {
  above: [look],
  sections: [places],
  related: [],
  withoutActions: ['uploaded'],
  labels: { file_url: 'Address', content_type: 'Kind of file', upload_status: 'Upload' },
}
