import { KeyTakenError } from '../../../outside/files/provider.ts'
import { NoAnswerError, type WebStream } from '../../../outside/web/client.ts'
import type { JobPlace } from '../../../records/job.ts'
import { durationInWords } from '../../../words/durations.ts'

/** The time for the whole download, redirects included. */
const IMPORT_MS = 30_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** Another answer than the file; the message says which, in one sentence. */
export class NotServedError extends Error {
  override name = 'NotServedError'
}

interface Target {
  key: string
  store: Parameters<JobPlace['services']['files']['named']>[0]
  maxBytes: number
}

/**
 * Fetches an address into a store, and resolves with the address that had the file. Each redirect is checked like the first
 * address. Throws AddressRefusedError, NoAnswerError, NotServedError or FileTooLargeError.
 */
export async function download(place: JobPlace, url: string, { key, store, maxBytes }: Target): Promise<string> {
  const keep = async ({ body }: WebStream) => {
    // A crash after an earlier attempt has left all bytes of the file there.
    await place.services.files
      .named(store)
      .write(key, body, { maxBytes, signal: place.signal })
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
    const next = await visit(place, address, timeoutMs, keep)
    if (next === null) return address
    address = next
  }
  throw new NotServedError(`The address redirects more than ${MOST_REDIRECTS} times.`)
}

/** Where the address leads on to, or null when its file was kept. */
function visit(
  { services, signal }: JobPlace,
  address: string,
  timeoutMs: number,
  keep: (answer: WebStream) => Promise<void>,
): Promise<string | null> {
  // The time that one answer has is that of all together, so its message is the same.
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
