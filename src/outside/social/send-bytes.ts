import { AddressRefusedError, type WebAnswer, type WebClient, type WebRequest } from '../web/client.ts'
import { PlatformRefusedError } from './provider.ts'

/** Sends bytes to an address that a network has named; to public addresses alone. Rejects with a PlatformRefusedError for others. */
export async function sendBytes(web: WebClient, url: string, request: WebRequest): Promise<WebAnswer> {
  try {
    return await web.fetch(url, request)
  } catch (error) {
    throw error instanceof AddressRefusedError
      ? new PlatformRefusedError(`The address for the upload ${error.message}.`)
      : error
  }
}
