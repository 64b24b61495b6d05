import { durationInWords } from '../../../format/durations.ts'
import { KeyTakenError } from '../../../providers/files/provider.ts'
import { NoAnswerError, type WebStream } from '../../../providers/web/client.ts'
import type { JobContext } from '../../../records/job.ts'

/** The time limit of the whole download, including redirects. */
const IMPORT_MS = 30_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** The server responded without the file; the message gives the reason in a sentence. */
export class NotServedError extends Error {
  override name = 'NotServedError'
}

interface DownloadTarget {
  key: string
  store: Parameters<JobContext['services']['files']['named']>[0]
  maxBytes: number
}

/**
 * Stores the bytes of a URL and returns the URL that served them after redirects, which are checked too. Throws AddressRefusedError,
 * NoAnswerError, NotServedError or FileTooLargeError.
 */
export async function download(
  job: JobContext,
  url: string,
  { key, store, maxBytes }: DownloadTarget,
): Promise<string> {
  const keep = async ({ body }: WebStream) => {
    // If the key is taken, an earlier attempt stored the complete file before it crashed.
    await job.services.files
      .named(store)
      .write(key, body, { maxBytes, signal: job.signal })
      .catch((error: unknown) => {
        if (!(error instanceof KeyTakenError)) throw error
      })
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
