import { html } from 'hono/html'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { formatShortDay } from '../../../format/moments.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { fileUses } from '../../../resources/dashboard/file-uses.ts'
import { keepBytes } from '../../files/upload.ts'
import { field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { pager } from '../derived/list.ts'
import { narrowed } from '../derived/saved-views.ts'
import { framed, goTo } from '../kit/answers.ts'
import { answeredRows, refusalOf } from '../kit/call.ts'
import { FILES_BYTES, MOST_FILES } from '../kit/file-forms.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { isPicture, type ShownFile, thumbnail } from '../kit/pictures.ts'
import { badge } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, view } from '../kit/visit.ts'
import { shortened, title } from '../kit/words.ts'

const A_PAGE = 48

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
  visit: DashboardContext,
  refusals: string[] = [],
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const after = visit.query.get('starting_after')
  const words = (visit.query.get('query') ?? '').trim()
  const query = { limit: A_PAGE, ...(words && { query: words }), ...(after && { starting_after: after }) }
  const { rows, more } = await answeredRows(visit.call('GET /files', { query }))
  const tiles =
    rows.length > 0
      ? html`<ul class="tiles">${rows.map((file) => tile(visit, file))}</ul>`
      : words
        ? html`<div class="empty"><p>No file has “${words}” in its name or title. <a href="${visit.path}">Clear search</a></p></div>`
        : html`<div class="empty"><p>There are no files yet.</p></div>`
  const { tabs, chips } = await narrowed(visit, visit.catalogue.knownAt('files'))
  const search = rows.length > 0 || words ? html`${tabs}${searchForm(visit, words)}${chips}` : ''
  const actions = html`${ifOpen(visit, '/files/new', html`<a class="button" href="${visit.base}/files/new">Import from a URL</a>`)}`
  const lead = 'Product pictures, downloads for buyers, and media for social posts.'
  const content = html`${ifOpen(visit, '/files/upload', uploader(visit, refusals), 'POST')}${search}${tiles}${pager(visit, rows, more)}`
  const sendsTo = visit.parts.services.files.current.uploadsBelow
  return framed(visit, { title: 'Files', lead, actions, own: sendsTo !== null, status, headers, sendsTo }, content)
}

function searchForm({ path }: DashboardContext, words: string): Page {
  return html`<form class="filters" method="get" action="${path}" role="search" aria-label="Search files"><div class="filter wide"><label for="f-query">Search</label><input type="search" id="f-query" name="query" value="${words}" maxlength="200" placeholder="File name or title" autocomplete="off" spellcheck="false"></div>
<div class="filter-buttons"><button>Search</button></div></form>`
}

function tile(visit: DashboardContext, file: ShownFile): Page {
  const name = file.title ?? file.filename ?? 'Untitled'
  const address = `${visit.base}/files/${file.id}`
  const size = file.size === null ? '' : bytesInWords(file.size)
  const state = file.upload_status === 'ready' ? '' : badge(file.upload_status)
  const copy =
    file.file_url === null
      ? ''
      : html`<span class="tile-copy" data-controller="copy"><span class="unseen" data-copy-target="source">${file.file_url}</span><button class="small" type="button" hidden data-copy-target="button" data-action="copy#copy">Copy address<span class="unseen"> of ${name}</span></button></span>`
  return html`<li class="tile"><a href="${address}"><span class="tile-picture">${thumbnail(file)}</span><span class="tile-name">${shortened(name, 60)}</span></a>
<p class="hint">${[size, formatShortDay(file.created_at, visit.account.timezone)].filter(Boolean).join(', ')} ${state}</p>${copy}</li>`
}

type FileUse = ValueOf<typeof fileUses>[number]

function linkTo({ base, catalogue }: DashboardContext, { resource, id, name }: FileUse): Page {
  const address =
    resource === 'account' ? `${base}/settings/branding` : `${base}/${catalogue.known(resource).path}/${id}`
  return html`${title(resource)} <a href="${address}">${shortened(name ?? 'Untitled', 60)}</a>`
}

function inOneLine(visit: DashboardContext, uses: FileUse[]): Page {
  return html`${uses.map((use, place) => html`${place > 0 ? ', ' : ''}${linkTo(visit, use)}`)}.`
}

async function usesSection(visit: DashboardContext, file: ShownFile): Promise<Page | null> {
  const uses = await visit.read(fileUses, file.id)
  return html`<section class="related" aria-labelledby="used"><h2 id="used">Where it is used</h2>${
    uses.length > 0
      ? html`<ul class="plain-list">${uses.map((use) => html`<li>${linkTo(visit, use)}</li>`)}</ul>`
      : html`<p class="none">Not used by your newest products, experiences, posts or legal pages.</p>`
  }</section>`
}

/** Warns about places that use the file: some prevent its deletion, and others would lose it. */
async function beforeDeletion(visit: DashboardContext, file: ShownFile): Promise<string | Page> {
  const uses = await visit.read(fileUses, file.id)
  const [keeping, losing] = [uses.filter(({ keeps }) => keeps), uses.filter(({ keeps }) => !keeps)]
  if (keeping.length > 0)
    return html`It cannot be deleted while it is in use. Remove it here first: ${inOneLine(visit, keeping)}`
  if (losing.length === 0) return GONE
  return html`${GONE} <strong>It is still shown here and will be missing:</strong> ${inOneLine(visit, losing)}`
}

const GONE = 'This cannot be undone.'

export const fileView = view('file', {
  lead: 'A file or a video from another place. Files of this device are dropped on the page of all files.',
  form: {
    create: 'Import',
    groups: [
      { names: ['url', 'kind', 'alternative_text'] },
      { title: 'What it is called', names: ['title', 'filename', 'description', 'tags'] },
    ],
    labels: {
      url: 'URL',
      kind: 'What it is',
      alternative_text: 'Alternative text',
      filename: 'File name',
    },
    without: ['content_type', 'size'],
    hints: {
      url: 'Where it is now. A file is copied, up to 100 MB; a video on YouTube, Vimeo or Wistia stays there.',
      kind: 'Not set means a file.',
      alternative_text: 'What a picture shows, for people who cannot see it. Leave empty if it is only decorative.',
      filename: 'Empty: the end of the URL.',
    },
    needed: ['url'],
  },
  above: [
    async (_, file) => (isPicture(file) ? html`<p class="file-picture"><img src="${file.file_url}" alt=""></p>` : null),
  ],
  sections: [usesSection],
  actions: {
    delete: { button: 'Delete', lead: beforeDeletion, danger: true },
    describe: {
      button: 'Describe',
      lead: () => 'For people who cannot see the picture, on product pages and in social posts.',
      labels: { alternative_text: 'What it shows' },
    },
  },
  related: [],
  withoutActions: ['uploaded'],
  labels: { file_url: 'Address', content_type: 'Format', upload_status: 'Upload' },
})

const INPUT = 'upload-files'

function uploader({ base, csrf }: DashboardContext, refusals: string[]): Page {
  const problems: Problem[] = refusals.map((message) => ({ field: INPUT, message }))
  const chosen = field({
    id: INPUT,
    label: 'Files',
    hint: html`At most ${MOST_FILES} at a time, and ${bytesInWords(FILES_BYTES)} in total. Larger ones can be <a href="${base}/files/new">imported from a URL</a>.`,
    problems,
    input: (described) => html`<input type="file" id="${INPUT}" name="files" multiple required${described}>`,
  })
  return html`${summaryOf(problems, 'Some files were not uploaded')}<section class="uploader" aria-label="Upload" data-controller="upload" data-upload-start-value="${base}/files/upload" data-upload-csrf-value="${csrf}">
<label class="drop" data-upload-target="drop" data-action="dragover->upload#over dragleave->upload#leave drop->upload#drop" hidden>
<input class="unseen" type="file" multiple data-upload-target="input" data-action="upload#choose"><strong>Choose files</strong> or drop them here<span class="hint">Up to 500 MB each</span></label>
<ul class="uploads" data-upload-target="list" aria-live="polite"></ul>
<form class="card form" method="post" action="${base}/files" enctype="multipart/form-data" data-turbo="false" data-upload-target="form">
<input type="hidden" name="csrf" value="${csrf}">${chosen}
<div class="form-buttons"><button class="primary">Upload</button></div></form>
</section>`
}

/** Starts an upload for the file list's script. Returns the upload URL and the address to call after the upload. */
const start: DashboardPage = {
  path: '/files/upload',
  send: 'content.write',
  async post(visit, _, form) {
    const answer = await begin(visit, {
      name: form.get('filename') ?? '',
      size: Number(form.get('size') ?? 0),
      type: form.get('type') ?? '',
    })
    if (refusalOf(answer)) return refused(answer)
    const { id, upload_url, upload_headers } = answer.body
    return json({ upload_url, upload_headers, done: `${visit.base}/files/${id}/uploaded` })
  },
}

const confirm: DashboardPage = {
  path: '/files/:id/uploaded',
  async post(visit, { id }) {
    const answer = await confirmUpload(visit, id!)
    return refusalOf(answer) ? refused(answer) : json({ id, url: answer.body.file_url, type: answer.body.content_type })
  },
}

/** `type` is the media type according to the browser, or an empty text. */
function begin(visit: DashboardContext, { name: filename, size, type }: Pick<File, 'name' | 'size' | 'type'>) {
  return visit.call('POST /files', { body: { filename, size, ...(type !== '' && { content_type: type }) } })
}

function confirmUpload(visit: DashboardContext, id: string) {
  return visit.call('POST /files/{id}/uploaded', { path: { id } })
}

/** Uploads the files one after the other. Returns the first refusal's status and a message for each refused file. */
async function uploadAll(visit: DashboardContext, files: File[]): Promise<{ status: number; messages: string[] }> {
  if (files.length === 0) return { status: 422, messages: ['Choose a file first.'] }
  const refusals: (RefusedUpload & { name: string })[] = []
  for (const file of files) {
    const refusal = await uploadOne(visit, file)
    if (refusal) refusals.push({ ...refusal, name: file.name })
  }
  const messages = refusals.map(({ name, message }) =>
    files.length > 1 ? `${shortened(name, 60)}: ${message}` : message,
  )
  return { status: refusals[0]?.status ?? 200, messages }
}

interface RefusedUpload {
  status: number
  message: string
}

/** Uploads a file in the same steps as the script, but with the bytes of the submitted form. */
async function uploadOne(visit: DashboardContext, file: File): Promise<RefusedUpload | null> {
  const begun = await begin(visit, file)
  const refusal = refusalOf(begun)
  if (refusal) return { status: begun.status, message: refusal.message }
  const { id } = begun.body
  try {
    await keepBytes(visit.parts, visit.caller, id, { announced: file.size, chunks: file.stream() })
  } catch (error) {
    await visit.call('DELETE /files/{id}', { path: { id } })
    if (error instanceof ApiError) return { status: error.status, message: error.message }
    throw error
  }
  const done = await confirmUpload(visit, id)
  const last = refusalOf(done)
  if (last) return { status: done.status, message: last.message }
  const { upload_status: status, error_message: why } = done.body
  return status === 'failed' ? { status: 422, message: why ?? '' } : null
}

function refused(answer: Parameters<typeof refusalOf>[0]): Response {
  return json({ message: refusalOf(answer)!.message }, answer.status)
}

function json(value: object, status = 200): Response {
  return Response.json(value, { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } })
}

export const filePages: DashboardPage[] = [list, start, confirm]
