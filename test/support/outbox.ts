import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { Shop } from './shop.ts'

/** The text of the last message that was sent to an address, as its receiver has it. */
export async function lastMessageTo(shop: Shop, address: string): Promise<string> {
  await shop.settled()
  const sent = shop.db.selectFrom('emails').select('id').where('to', '=', address).orderBy('id', 'desc')
  const { id } = await sent.executeTakeFirstOrThrow()
  const message = await PostalMime.parse(await readFile(join(shop.running.dataDirectory, 'outbox', `${id}.eml`)))
  return message.text!
}
