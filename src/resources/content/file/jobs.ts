import { only } from '../../../errors.ts'
import { durationInWords } from '../../../format/durations.ts'
import { FileTooLargeError, KeyTakenError } from '../../../providers/files/provider.ts'
import { AddressRefusedError, NoAnswerError, type WebStream } from '../../../providers/web/client.ts'
import { dueJob, type JobContext, job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { keyOf } from './addresses.ts'
import { File, type FileRow, MAX_IMPORT_BYTES } from './file.ts'
import { failFile, type Inspected, inspectFile, removeBytes, settleFile } from './settle.ts'

/** The time limit of an import: 30 s for the download, and the rest for the inspection. */
const IMPORT_JOB_MS = 120_000

/** Fails a file whose upload was not confirmed in time. */
export const expireUpload = dueJob<{ file: string }>('expire_upload', {
  emits: ['file.failed'],
  async work(context, { file: id }) {
    const file = await findRow(context, File, id)
    if (file?.upload_status !== 'pending') return
    const message = 'The upload was not completed and confirmed within an hour.'
    await failFile(context, { ...file, expire_job: null }, message)
  },
})

export const importFile = job<{ file: string }>('import_file', {
  emits: ['file.ready', 'file.failed'],
  timeoutMs: IMPORT_JOB_MS,
  async work(job, { file: id }) {
    const file = await job.transaction((context) => findRow(context, File, id))
    if (file?.upload_status !== 'processing' || file.url === null || file.store === null) return
    const fetched = await fetchFile(job, file, file.url, file.store)
    await settle(job, file, file.store, fetched)
  },
})

interface FetchedFile {
  contents: Inspected
  filename: string | null
}

/** Returns an error message if the URL is at fault. Other errors reject, so that the job is retried. */
async function fetchFile(job: JobContext, file: FileRow, url: string, store: string): Promise<FetchedFile | string> {
  const target = { key: keyOf(file), store, maxBytes: MAX_IMPORT_BYTES }
  try {
    const address = await download(job, url, target)
    const options = { maxBytes: MAX_IMPORT_BYTES, signal: job.signal }
    const contents = await inspectFile(job, { ...file, store }, options)
    if (contents === null) throw new Error('The uploaded bytes are missing.')
    return { contents, filename: file.filename ?? nameIn(address) }
  } catch (error) {
    if (isRemoteFault(error) && !job.signal.aborted) return error.message
    throw error
  }
}

function isRemoteFault(error: unknown): error is Error {
  if (error instanceof AddressRefusedError) {
    error.message = `The address ${error.message}.`
    return true
  }
  const kinds = [NoAnswerError, NotServedError, FileTooLargeError]
  return kinds.some((kind) => error instanceof kind)
}

/** Records the imported file, or removes its bytes if the file was deleted during the import. */
function settle(
  job: JobContext,
  { id, ...file }: FileRow,
  store: string,
  fetched: FetchedFile | string,
): Promise<void> {
  return job.finish(async (context) => {
    const current = await findRow(context, File, id)
    if (!current) await context.enqueue(removeBytes, { store, key: keyOf({ ...file, id }) })
    else if (typeof fetched === 'string') await failFile(context, current, fetched)
    else {
      const named = await changeRow(context, File, current, { filename: fetched.filename })
      await settleFile(context, named, fetched.contents)
    }
  })
}

const LONGEST_NAME = 255

/** Returns the last segment of the path, or null if it is not a valid file name. */
function nameIn(address: string): string | null {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    const name = decodeURIComponent(last)
    const fits = File.fields.filename.spec.schema.safeParse(name).success
    return fits && name.length <= LONGEST_NAME ? name : null
  } catch {
    return null
  }
}

/** The time limit of the whole download, including redirects. */
const IMPORT_MS = 30_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** The server responded without the file; the message gives the reason in a sentence. */
class NotServedError extends Error {}

interface DownloadTarget {
  key: string
  store: Parameters<JobContext['services']['files']['named']>[0]
  maxBytes: number
}

/**
 * Stores the bytes of a URL and returns the URL that served them after redirects, which are checked too. Throws AddressRefusedError,
 * NoAnswerError, NotServedError or FileTooLargeError.
 */
async function download(job: JobContext, url: string, { key, store, maxBytes }: DownloadTarget): Promise<string> {
  const keep = async ({ body }: WebStream) => {
    // If the key is taken, an earlier attempt stored the complete file before it crashed.
    await job.services.files
      .named(store)
      .write(key, body, { maxBytes, signal: job.signal })
      .catch(only(KeyTakenError, () => {}))
  }
  const endsAt = performance.now() + IMPORT_MS
  let address = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const timeoutMs = Math.ceil(endsAt - performance.now())
    if (timeoutMs <= 0)
      throw new NoAnswerError(`The file was not complete within ${durationInWords(IMPORT_MS / 1000)}.`)
    const next = await visit(job, address, timeoutMs, keep)
    if (next === null) return address
    address = next
  }
  throw new NotServedError(`The address redirects more than ${MOST_REDIRECTS} times.`)
}

/** Returns the target of a redirect; null after storing the response as the file. */
function visit(
  { services, signal }: JobContext,
  address: string,
  timeoutMs: number,
  keep: (answer: WebStream) => Promise<void>,
): Promise<string | null> {
  // A response may take all the remaining time, so an error about its timeout names the limit of the whole download.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'commerce-files/1' }
  return services.web.outside.receive(address, { method: 'GET', headers, timeoutMs, signal }, async (answer) => {
    const { status, headers } = answer
    if (REDIRECTS.includes(status)) return nextAddress(address, headers.location)
    if (status !== 200) throw new NotServedError(`The address answered ${status}.`)
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new NotServedError(`The file is encoded with ${encoding}.`)
    await keep(answer)
    return null
  })
}

function nextAddress(from: string, location: string | undefined): string {
  if (location === undefined || !URL.canParse(location, from))
    throw new NotServedError('The address redirects without saying where to.')
  return new URL(location, from).href
}
