import { timestampOf } from '../../src/contract/values/values.ts'
import { nextNumber } from './numbers.ts'
import type { Body, Shop } from './shop.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Connects a sandbox social account. Its token decides how the sandbox behaves later. */
export function connected(shop: Shop, { platform = 'x', token = 'works' } = {}): Promise<Body> {
  const username = `shop_${nextNumber()}`
  return shop.post('/social_accounts', { platform, username, credentials: { token } })
}

/** Simulates a comment of a customer, and returns its id. */
export function received(shop: Shop, { id, platform }: Body): Promise<string> {
  const platform_comment_id = `comment ${nextNumber()} of ${id}`
  const comment = { social_post: null, parent: null, author_name: 'Mara Lind', author_username: null, content: 'Nice!' }
  const marks = { status: 'visible', liked: 0, likes_count: 0, replies_count: 0, from_account: 0 }
  return shop.insert('social_comments', 'scom', {
    ...{ social_account: id, platform, platform_comment_id },
    ...comment,
    ...marks,
  })
}

/** Returns the timestamp `days` days from now. */
export function inDays(days: number): string {
  return timestampOf(new Date(Date.now() + days * DAY_MS))
}
