import { FileTooLargeError } from '../../../providers/files/provider.ts'
import { AddressRefusedError, NoAnswerError } from '../../../providers/web/client.ts'
import { dueJob, type JobContext, job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { keyOf } from './addresses.ts'
import { download, NotServedError } from './download.ts'
import { File, type FileRow, MAX_IMPORT_BYTES } from './file.ts'
import { type Inspected, inspectFile } from './inspect.ts'
import { removeBytes } from './remove-bytes.ts'
import { failFile, settleFile } from './settle.ts'

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
