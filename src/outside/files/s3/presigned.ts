import { AwsV4Signer } from 'aws4fetch'

/** Who signs. */
export interface Keys {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

interface Request {
  method: string
  url: URL
  /** Besides `host`. All are signed, the length of the body too. */
  headers?: Record<string, string>
}

/** What is the same for every request of a day. */
const cache = new Map<string, ArrayBuffer>()

/**
 * An address that holds its own signature (AWS Signature Version 4 in the query), valid for `seconds` from `now`. Whoever uses
 * it sends exactly the headers that were signed; the body is not signed.
 */
export async function presignedUrl(
  { method, url, headers = {} }: Request,
  { accessKeyId, secretAccessKey, region }: Keys,
  { now, seconds }: { now: Date; seconds: number },
): Promise<string> {
  const unsigned = new URL(url)
  unsigned.searchParams.set('X-Amz-Expires', String(seconds))
  const signer = new AwsV4Signer({
    ...{ method, url: unsigned.href, headers, accessKeyId, secretAccessKey, region, cache },
    ...{ service: 's3', signQuery: true, allHeaders: true, datetime: momentOf(now) },
  })
  return (await signer.sign()).url.href
}

/** `20130524T000000Z` */
function momentOf(now: Date): string {
  return `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
