import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface Client {
  header: HeaderOf
  address: string
}

/** The header in which the library gets the client's address. A client cannot set it. */
export const ADDRESS_HEADER = 'x-shopwright-client'

const MAX_HEADER = 4096

/** Returns the headers of a request that are passed to the library. */
export function headersOf({ header, address }: Client): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: address })
  for (const name of ['cookie', 'user-agent']) {
    const value = header(name)
    if (value !== null) headers.set(name, value.slice(0, MAX_HEADER))
  }
  return headers
}
