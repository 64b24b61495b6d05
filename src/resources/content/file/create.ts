import { ApiError, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { keysOf } from '../../../contract/values/keys.ts'
import { laterBy } from '../../../contract/values/values.ts'
import { addressProblem } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import { keyOf, ownUploadUrl } from './addresses.ts'
import { File, type FileRow } from './file.ts'
import { expireUpload, importFile } from './jobs.ts'
import { fits, QUOTA_FULL } from './settle.ts'

/** URL patterns of videos, by video site. */
const SITES = {
  youtube: [
    /^(www\.|m\.)?youtube\.com\/watch\?(.*&)?v=[\w-]{6,}/,
    /^(www\.|m\.)?youtube\.com\/(embed|shorts|live)\/[\w-]{6,}/,
    /^www\.youtube-nocookie\.com\/embed\/[\w-]{6,}/,
    /^youtu\.be\/[\w-]{6,}/,
  ],
  vimeo: [/^(www\.)?vimeo\.com\/([a-z]+\/)*\d+/, /^player\.vimeo\.com\/video\/\d+/],
  wistia: [/^[\w-]+\.wistia\.(com|net)\/(medias|embed\/iframe|embed\/medias)\/\w+/, /^wi\.st\/medias\/\w+/],
} as const

type Input = CreateInput<typeof File>
/** The validity of an upload URL in seconds. */
const UPLOAD_SECONDS = 60 * 60
/** An upload may start just before its URL expires and then take equally long. */
const GIVEN_UP_AFTER_MS = 2 * UPLOAD_SECONDS * 1000

/** The fields of the request decide between an upload, an import and an external video. */
export async function createFile(context: Context, input: Input): Promise<FileRow> {
  requireOrigin(context, input)
  if (input.kind === 'external_video') return pinVideo(context, input)
  return input.url == null ? startUpload(context, input) : startImport(context, input)
}

/** Throws a 400 if the request contains no source for the bytes, and a 422 if the source's URL cannot be used. */
export function requireOrigin(context: Context, { kind, url, filename }: Partial<Input>): void {
  if (kind === 'external_video') requireVideo(url)
  else if (url != null) requireAddress(context, url)
  else if (filename == null)
    throw new ApiError('parameter_missing', 'Send a filename to upload a file, or a url to import one.', {
      param: 'filename',
    })
}

function requireVideo(url: string | null | undefined): void {
  if (url == null) throw missingParameter('url')
  if (videoSiteOf(url) === null) throw invalid({ url: ['is not the URL of a video on YouTube, Vimeo or Wistia'] })
}

async function pinVideo(context: Context, input: Input): Promise<FileRow> {
  const provider = videoSiteOf(input.url!)
  const origin = { source: 'external_video', upload_status: 'ready', provider } as const
  const file = await insertFile(context, input, origin)
  context.emit(File, 'ready', file)
  return file
}

async function startImport(context: Context, input: Input): Promise<FileRow> {
  await requireRoom(context, 0)
  const file = await insertFile(context, input, { source: 'url_import', upload_status: 'processing' })
  const source_job_id = await context.enqueue(importFile, { file: file.id })
  return Object.assign(file, await changeRow(context, File, file, { source_job_id }))
}

/** Only the response of this operation contains the upload URL. */
async function startUpload(context: Context, input: Input): Promise<FileRow> {
  await requireRoom(context, input.size ?? 0)
  const upload_expires_at = laterBy(context.now, UPLOAD_SECONDS * 1000)
  const file = await insertFile(context, input, { source: 'upload', upload_status: 'pending', upload_expires_at })
  const runAt = laterBy(context.now, GIVEN_UP_AFTER_MS)
  const expire_job = await context.enqueue(expireUpload, { file: file.id }, { runAt })
  await changeRow(context, File, file, { expire_job })
  return Object.assign(file, { expire_job }, await uploadOf(context, file))
}

async function insertFile(context: Context, input: Input, origin: Partial<FileRow>): Promise<FileRow> {
  const { content_type: declared_type = null, size: declared_size = null, kind = 'file', ...words } = input
  const store = origin.source === 'external_video' ? null : context.services.files.current.name
  const declared = { declared_type, declared_size }
  const file = await insertRow(context, File, { ...words, kind, ...declared, store, ...origin })
  context.emit(File, 'created', file)
  return file
}

async function uploadOf(context: Context, file: FileRow) {
  const terms = { now: new Date(context.realNow), seconds: UPLOAD_SECONDS, size: file.declared_size }
  const address = await context.services.files.current.uploadAddress(keyOf(file), terms)
  const { url, headers } = address ?? { url: ownUploadUrl(context, file.id), headers: {} }
  return { upload_url: url, upload_headers: headers }
}

async function requireRoom(context: Context, bytes: number): Promise<void> {
  if (!(await fits(context, bytes))) throw invalid({ base: [QUOTA_FULL] })
}

/** Throws a 422 for a forbidden URL. The import job resolves the host later. */
function requireAddress({ services }: Context, url: string): void {
  const problem = addressProblem(services.web.outside, url)
  if (problem !== null) throw invalid({ url: [problem] })
}

function videoSiteOf(address: string): keyof typeof SITES | null {
  if (!URL.canParse(address)) return null
  const { protocol, host, pathname, search, username } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '') return null
  const place = `${host}${pathname}${search}`
  const sites = keysOf(SITES)
  return sites.find((site) => SITES[site].some((form) => form.test(place))) ?? null
}
