import { visitServer } from './pds-pages.ts'
import { Person } from './person.ts'
import type { Body, Shop } from './shop.ts'

interface Visit {
  /** The text that the person enters on our page. */
  identifier: string
  /** The handle that signs in on the server. */
  handle: string
  allows?: boolean
}

/** Connects Bluesky like a person: on our page, on the page of the account's server, and back. */
export async function allowAccess(shop: Shop, { identifier, handle, allows = true }: Visit): Promise<Body> {
  const { id, connect_url } = await shop.post('/social_accounts', { platform: 'bluesky' })
  const person = new Person(shop.running)
  const leaving = await person.post(new URL(connect_url).pathname, { do: 'continue', identifier })
  const address = /url=(.+)$/.exec(leaving.headers.get('refresh') ?? '')?.[1]
  if (address === undefined) throw new Error(`${leaving.status} ${leaving.html}`)
  const back = await visitServer(address, { handle, allows })
  await person.get(back.pathname + back.search)
  return shop.get(`/social_accounts/${id}`)
}
