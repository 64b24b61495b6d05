import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface Client {
  header: HeaderOf
  address: string
}

/** The header that passes the client's address to the library. It replaces any header of the client with this name. */
export const ADDRESS_HEADER = 'x-shopwright-client'

const MAX_HEADER = 4096

/** Returns the headers of a request that the library needs. */
export function headersOf({ header, address }: Client): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: address })
  for (const name of ['cookie', 'user-agent']) {
    const value = header(name)
    if (value !== null) headers.set(name, value.slice(0, MAX_HEADER))
  }
  return headers
}
