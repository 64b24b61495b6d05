import { setTimeout as delay } from 'node:timers/promises'
import { messagesTo, send } from '../people/person.ts'
import type { Body, Shop } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

/** Where buyers of a shop see what they bought. */
export async function accessPath(shop: Shop): Promise<string> {
  return `${new URL((await shop.get('/account')).storefront_url).pathname}/access`
}

/** The paths of the links that an address was mailed, oldest first, once there are so many. */
export async function linksTo(shop: Shop, address: string, count: number): Promise<string[]> {
  for (let tries = 0; tries < 200; tries++) {
    const links = (await messagesTo(shop, address)).flatMap((text) => {
      const [link] = /http\S+\/access\/(?:link|address)\/[\w-]{43}/.exec(text) ?? []
      return link ? [new URL(link).pathname] : []
    })
    if (links.length >= count) return links
    await delay(25)
  }
  throw new Error(`${address} has not got ${count} links`)
}

/** Signs a new browser in by a mailed link, as the buyer of an address does. */
export async function signedInBuyer(shop: Shop, { email }: Body): Promise<Visitor> {
  const visitor = new Visitor(shop.running.url)
  const before = (await linksTo(shop, email, 0)).length
  await send(visitor, await accessPath(shop), { email })
  const link = (await linksTo(shop, email, before + 1)).at(-1)!
  const done = await send(visitor, link, {})
  if (done.status !== 303) throw new Error(`The link did not work: ${done.status} ${done.text}`)
  return visitor
}
