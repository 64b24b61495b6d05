import { html } from 'hono/html'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import { keepBytes } from '../../files/upload.ts'
import { field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { refusalOf } from '../kit/call.ts'
import { FILES_BYTES, MOST_FILES } from '../kit/file-forms.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { shortened } from '../kit/words.ts'

const INPUT = 'upload-files'

export function uploader({ base, csrf }: DashboardContext, refusals: string[]): Page {
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
export const start: DashboardPage = {
  path: '/files/upload',
  send: 'content.write',
  async post(visit, _, form) {
    const answer = await begin(visit, {
      filename: form.get('filename') ?? '',
      size: Number(form.get('size') ?? 0),
      type: form.get('type') ?? '',
    })
    if (refusalOf(answer)) return refused(answer)
    const { id, upload_url, upload_headers } = answer.body
    return json({ upload_url, upload_headers, done: `${visit.base}/files/${id}/uploaded` })
  },
}

export const confirm: DashboardPage = {
  path: '/files/:id/uploaded',
  async post(visit, { id }) {
    const answer = await confirmUpload(visit, id!)
    return refusalOf(answer) ? refused(answer) : json({ id, url: answer.body.file_url, type: answer.body.content_type })
  },
}

interface UploadRequest {
  filename: string
  size: number
  /** The media type according to the browser, or an empty text. */
  type: string
}

function begin(visit: DashboardContext, { filename, size, type }: UploadRequest) {
  return visit.call('POST /files', { body: { filename, size, ...(type !== '' && { content_type: type }) } })
}

function confirmUpload(visit: DashboardContext, id: string) {
  return visit.call('POST /files/{id}/uploaded', { path: { id } })
}

/** Uploads the files one after the other. Returns the first refusal's status and a message for each refused file. */
export async function uploadAll(
  visit: DashboardContext,
  files: File[],
): Promise<{ status: number; messages: string[] }> {
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
  const begun = await begin(visit, { filename: file.name, size: file.size, type: file.type })
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
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(JSON.stringify(value), { status, headers })
}
