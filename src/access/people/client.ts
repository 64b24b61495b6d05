import type { HeaderOf } from '../../contract/requests/header-of.ts'

export interface Client {
  header: HeaderOf
  address: string
}

/** The header in which the library is given the client's address, which no client can send. */
export const ADDRESS_HEADER = 'x-shopwright-client'

const MAX_HEADER = 4096

/** The headers of a request as the library may see them. */
export function headersOf({ header, address }: Client): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: address })
  for (const name of ['cookie', 'user-agent']) {
    const value = header(name)
    if (value !== null) headers.set(name, value.slice(0, MAX_HEADER))
  }
  return headers
}
